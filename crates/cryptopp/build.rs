//! Builds the shim where Crypto++'s headers are installed; where they are not, the crate builds without it and says so.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/shim.cpp");
    println!("cargo::rustc-check-cfg=cfg(found)");
    #[cfg(feature = "build")]
    build();
}

#[cfg(feature = "build")]
fn build() {
    let mut shim = cc::Build::new();
    // That it compiles is the probe. The headers are older than today's warnings.
    shim.cpp(true).std("c++17").warnings(false).file("src/shim.cpp");
    match shim.try_compile("fairlane_cryptopp") {
        Ok(()) => {
            println!("cargo::rustc-cfg=found");
            println!("cargo::rustc-link-lib=cryptopp");
        }
        Err(why) => println!("cargo::warning=Crypto++ stays out of the race: {why}"),
    }
}
