// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/probes/cpu_probe.h>
#include <millrace/tools/benchmarks/harness/probes/device_probe.h>
#include <millrace/tools/benchmarks/harness/probes/nvml_probe.h>
#include <millrace/tools/benchmarks/harness/probes/rocm_probe.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace millrace::tools {
namespace {

// The probe of a device without known sensors.
class BlindProbe : public DeviceProbe {
 public:
  ConditionRecord conditions() override { return {}; }
  std::optional<double> joules() override { return {}; }
  std::string driver() override { return ""; }
};

// The number behind the colon of "cuda:1", or 0.
unsigned index_in(const std::string& name) {
  const std::size_t colon = name.find(':');
  unsigned index = 0;
  if (colon != std::string::npos) {
    std::from_chars(name.data() + colon + 1, name.data() + name.size(), index);
  }
  return index;
}

}  // namespace

std::unique_ptr<DeviceProbe> probe_of(const DeviceInfo& device) {
  if (device.is_simulated || device.shares_host_memory) return std::make_unique<CpuProbe>();
  const unsigned index = index_in(device.name);
  if (auto nvml = NvmlProbe::open(index, device.description)) return nvml;
  if (auto rocm = RocmProbe::open(index, device.description)) return rocm;
  return std::make_unique<BlindProbe>();
}

}  // namespace millrace::tools
