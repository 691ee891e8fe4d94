//! Builds a small Botan and says where it lies.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/provider.cpp");
    #[cfg(feature = "build")]
    build();
}

/// What the race needs and the policy below does not bring, with every vector path of it. Botan leaves out by itself
/// what is for another CPU or for a newer compiler.
#[cfg(feature = "build")]
const MODULES: &[&str] = &[
    "ffi",
    "keccak",
    "keccak_perm_avx512",
    "chacha_avx512",
    "poly1305_avx2",
    "poly1305_avx512",
    "sm3",
    "sm3_armv8",
    "sm3_avx2_bmi2",
    "sm3_x86",
    "sm4",
    "sm4_armv8",
    "sm4_avx512",
    "sm4_gfni",
    "sm4_hwaes",
    "sm4_x86",
    "cbc",
    "ctr",
    "ctr_avx2",
    "ctr_simd32",
    "ghash_avx512_clmul",
    "xts",
    "xts_avx512_clmul",
    "ml_kem",
];
/// What the policy brings where it can and the race does not need: less to compile.
#[cfg(feature = "build")]
const NOT_NEEDED: &[&str] = &["tls", "prf_tls", "http_util", "*_sql", "pcurves_*"];

#[cfg(feature = "build")]
fn build() {
    use std::env;

    for (name, value) in [
        // botan-src does not offer Botan's --minimized-build, but a policy also turns off all that it does not name;
        // the other two policies forbid ChaCha and Threefish.
        ("BOTAN_CONFIGURE_MODULE_POLICY", "modern"),
        ("BOTAN_CONFIGURE_ENABLE_MODULES", &MODULES.join(",")),
        ("BOTAN_CONFIGURE_DISABLE_MODULES", &NOT_NEEDED.join(",")),
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
