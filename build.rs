fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Calls inside the library stay inside it, whatever other OpenCL libraries a process
    // has loaded.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Its threads run code of it: dlclose must not take that away.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
