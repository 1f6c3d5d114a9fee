# The two commands of the README, and shortcuts for work on Caldera.

.PHONY: demo test farm build lint clean

# Installs what is missing, builds, and runs unmodified OpenCL programs on Caldera.
demo:
	tests/setup.sh run
	cargo build --release
	tests/demo.sh

# Installs what is missing and passes all tests.
test:
	tests/setup.sh test
	tests/all.sh

# Makes the pipelines of many kernels by the drivers of GPUs that are not there; docs/testing.md.
farm:
	tests/setup.sh test
	cargo test --profile checked --test farm -- --ignored --nocapture

build:
	cargo build --release

lint:
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings

clean:
	cargo clean
