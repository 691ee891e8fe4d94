//! What the system tells of the machine, and nothing guessed.

use std::thread::available_parallelism;

/// The CPU's name, as it reports it; `unknown` if it tells none.
pub fn cpu() -> String {
    cpuid::name()
}

/// Vendor, family, model and stepping of the CPU, as far as it tells.
pub fn cpu_id() -> String {
    cpuid::id()
}

/// The hypervisor, if one is seen.
pub fn hypervisor() -> Option<String> {
    cpuid::hypervisor()
}

/// Logical CPUs that this process may use.
pub fn cpus() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// The frequency governor, if the system tells.
pub fn governor() -> Option<String> {
    read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
}

/// Operating system and kernel release.
pub fn os() -> String {
    #[cfg(target_os = "linux")]
    {
        let name = rustix::system::uname();
        format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy())
    }
    #[cfg(not(target_os = "linux"))]
    std::env::consts::OS.to_owned()
}

/// A small file's text without the spaces around it; `None` if it cannot be read or is empty.
pub fn read(path: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// `value` of the first line `key : value` of `/proc/cpuinfo`.
fn cpuinfo(key: &str) -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let value = text.lines().filter_map(|line| line.split_once(':')).find(|(name, _)| name.trim() == key)?.1;
    Some(value.trim().to_owned())
}

/// Those CPU features that kernels here or those of other contestants look for, and that are found.
pub fn features() -> Vec<String> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    macro_rules! found {
        ($($name:tt)*) => { [$(($name, std::arch::is_x86_feature_detected!($name))),*] };
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let all = found!(
        "sse2" "ssse3" "sse4.1" "aes" "pclmulqdq" "sha" "bmi1" "bmi2" "adx" "avx" "avx2" "vaes" "vpclmulqdq" "gfni"
        "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512cd" "avx512ifma" "avx512vbmi" "avx512vbmi2"
        "avx512vpopcntdq" "avx512bitalg"
    );
    #[cfg(target_arch = "aarch64")]
    macro_rules! found {
        ($($name:tt)*) => { [$(($name, std::arch::is_aarch64_feature_detected!($name))),*] };
    }
    #[cfg(target_arch = "aarch64")]
    let all = found!("neon" "aes" "pmull" "sha2" "sha3" "sm4" "sve" "sve2");
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
    let all: [(&str, bool); 0] = [];
    all.into_iter().filter(|(_, found)| *found).map(|(name, _)| name.to_owned()).collect()
}

/// The CPU as `cpuid` tells it.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod cpuid {
    use raw_cpuid::{CpuId, FeatureInfo, Hypervisor};

    pub(super) fn name() -> String {
        let brand = CpuId::new().get_processor_brand_string().map(|brand| brand.as_str().trim().to_owned());
        brand
            .filter(|brand| !brand.is_empty())
            .or_else(|| super::cpuinfo("model name"))
            .unwrap_or_else(|| "unknown".into())
    }

    pub(super) fn id() -> String {
        let cpuid = CpuId::new();
        let vendor = cpuid.get_vendor_info().map_or_else(|| "unknown".to_owned(), |vendor| vendor.as_str().to_owned());
        cpuid.get_feature_info().map_or(vendor.clone(), |info| {
            let (family, model, stepping) = (info.family_id(), info.model_id(), info.stepping_id());
            format!("{vendor} family {family} model {model} stepping {stepping}")
        })
    }

    pub(super) fn hypervisor() -> Option<String> {
        let cpuid = CpuId::new();
        cpuid.get_feature_info().filter(FeatureInfo::has_hypervisor)?;
        Some(match cpuid.get_hypervisor_info().map(|info| info.identify()) {
            Some(Hypervisor::Unknown(..)) | None => "unknown".to_owned(),
            Some(known) => format!("{known:?}"),
        })
    }
}

/// The CPU as the kernel tells it.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
mod cpuid {
    use super::{cpuinfo, read};

    pub(super) fn name() -> String {
        let told = ["model name", "Hardware", "uarch", "cpu model"].iter().find_map(|key| cpuinfo(key));
        told.or_else(|| read("/proc/device-tree/model")).unwrap_or_else(|| "unknown".to_owned())
    }

    pub(super) fn id() -> String {
        let keys = ["CPU implementer", "CPU part", "CPU variant", "CPU revision"];
        let told: Vec<String> = keys.iter().filter_map(|key| Some(format!("{key} {}", cpuinfo(key)?))).collect();
        if told.is_empty() { "unknown".to_owned() } else { told.join(", ") }
    }

    pub(super) fn hypervisor() -> Option<String> {
        read("/sys/hypervisor/type")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_described() {
        assert!(cpus() >= 1);
        for told in [cpu(), cpu_id(), os()] {
            assert!(!told.is_empty());
        }
    }
}
