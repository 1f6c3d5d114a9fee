# The two commands of the README, and shortcuts for work on Caldera.

.PHONY: demo test farm statistics build install deb lint clean

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
	cargo test --profile checked --test farm -- --ignored --nocapture all_drivers

# What those drivers tell of kernels' code, beside rusticl's; docs/performance.md.
statistics:
	tests/setup.sh test
	cargo test --profile checked --test farm -- --ignored --nocapture statistics_beside_rusticl

build:
	cargo build --release

# Installs the library, the command with its manual and completions, and the file that leads OpenCL's loader to the library.
# DESTDIR is the root of a package; loaders read vendor files below /etc, whatever the PREFIX is.
PREFIX = /usr/local
LIBDIR = $(PREFIX)/lib
ZSHDIR = $(PREFIX)/share/zsh/site-functions
VENDORDIR = /etc/OpenCL/vendors
BUILD = target/release
INSTALL = install

install:
	test -e $(BUILD)/libcaldera.so -a -e $(BUILD)/caldera || cargo build --release
	$(INSTALL) -D -m 755 $(BUILD)/caldera $(DESTDIR)$(PREFIX)/bin/caldera
	$(INSTALL) -D -m 644 $(BUILD)/libcaldera.so $(DESTDIR)$(LIBDIR)/libcaldera.so
	$(INSTALL) -D -m 644 docs/caldera.1 $(DESTDIR)$(PREFIX)/share/man/man1/caldera.1
	$(INSTALL) -D -m 644 layer-manifest/caldera.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/caldera
	$(INSTALL) -D -m 644 layer-manifest/caldera.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/caldera.fish
	$(INSTALL) -D -m 644 layer-manifest/_caldera $(DESTDIR)$(ZSHDIR)/_caldera
	$(INSTALL) -d $(DESTDIR)$(VENDORDIR)
	echo $(LIBDIR)/libcaldera.so >$(DESTDIR)$(VENDORDIR)/caldera.icd

# A Debian package, target/package/caldera-opencl-icd_*.deb. layer-manifest/package.sh makes the others.
deb: build
	layer-manifest/package.sh deb

lint:
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings

clean:
	cargo clean
