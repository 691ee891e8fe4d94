//! Builds libcrypto and says where it lies.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "build")]
    {
        let built = openssl_src::Build::new().build();
        println!("cargo::rustc-link-search=native={}", built.lib_dir().display());
        // Its first library is libssl, which nobody needs here.
        println!("cargo::rustc-link-lib=static={}", built.libs().last().expect("OpenSSL has a libcrypto"));
    }
}
