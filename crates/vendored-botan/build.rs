//! Builds a small Botan and says where it lies.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/provider.cpp");
    #[cfg(feature = "build")]
    build();
}

/// What the race needs, with every vector path of it: a small build leaves out what is not named.
#[cfg(feature = "build")]
const MODULES: &[&str] = &["ffi", "keccak", "sha3", "shake"];
#[cfg(feature = "build")]
const MODULES_X86_64: &[&str] = &["keccak_perm_bmi2", "keccak_perm_avx512"];

#[cfg(feature = "build")]
fn build() {
    use std::env;

    let arch = env::var("CARGO_CFG_TARGET_ARCH").expect("cargo sets it");
    let mut modules = MODULES.to_vec();
    if arch == "x86_64" {
        modules.extend(MODULES_X86_64);
    }
    for (name, value) in [
        // botan-src does not offer Botan's --minimized-build, but a policy also turns off all that it does not name,
        // and this is the shortest that does not forbid the original Keccak.
        ("BOTAN_CONFIGURE_MODULE_POLICY", "fips140"),
        ("BOTAN_CONFIGURE_ENABLE_MODULES", &modules.join(",")),
        // One translation unit: far less to compile.
        ("BOTAN_CONFIGURE_AMALGAMATION", "1"),
    ] {
        // SAFETY: this build script has one thread.
        unsafe { env::set_var(name, value) };
    }
    let (dir, include) = botan_src::build();

    // Before libbotan, whose symbols it needs.
    cc::Build::new().cpp(true).std("c++20").file("src/provider.cpp").include(include).compile("fairlane_provider");
    println!("cargo::rustc-link-search=native={dir}");
    println!("cargo::rustc-link-lib=static=botan-3");
}
