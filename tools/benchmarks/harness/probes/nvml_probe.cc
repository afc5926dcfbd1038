// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/probes/nvml_probe.h>

#include <charconv>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace millrace::tools {
namespace {

constexpr int kNvmlSuccess = 0;
constexpr int kClockSm = 1;         // NVML_CLOCK_SM
constexpr int kTemperatureGpu = 0;  // NVML_TEMPERATURE_GPU
constexpr unsigned kNvmlTextBytes = 96;

// nvmlClocksThrottleReason*: SwPowerCap, HwSlowdown, SwThermalSlowdown, HwThermalSlowdown and
// HwPowerBrakeSlowdown; the others are idle clocks, and clocks that somebody has set.
constexpr unsigned long long kSlowedDown = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

// The entry of CUDA_VISIBLE_DEVICES at the index of a device: a number, or the beginning of a UUID.
// None: the variable is not set.
std::optional<std::string> visible_device(unsigned index) {
  const char* const variable = std::getenv("CUDA_VISIBLE_DEVICES");
  if (variable == nullptr) return {};
  std::istringstream list(variable);
  std::string word;
  for (unsigned i = 0; i <= index; ++i) {
    if (!std::getline(list, word, ',')) return "";
  }
  return word;
}

}  // namespace

template <class... Arguments>
bool NvmlProbe::call(const char* name, Arguments... arguments) const {
  const auto function = library_.find<int(Arguments...)>(name);
  return function != nullptr && function(arguments...) == kNvmlSuccess;
}

std::unique_ptr<NvmlProbe> NvmlProbe::open(unsigned index, const std::string& description,
                                           const std::string& library) {
  std::unique_ptr<NvmlProbe> probe(new NvmlProbe(library));
  probe->is_initialised_ = probe->call("nvmlInit_v2");
  if (!probe->is_initialised_ || !probe->choose(index, description)) return nullptr;
  return probe;
}

bool NvmlProbe::choose(unsigned index, const std::string& description) {
  const std::string word = visible_device(index).value_or(std::to_string(index));
  unsigned number = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  const bool is_found =
      error == std::errc() && rest == end
          ? call("nvmlDeviceGetHandleByIndex_v2", number, &device_)
          : call("nvmlDeviceGetHandleByUUID", static_cast<const char*>(word.c_str()), &device_);
  char name[kNvmlTextBytes] = "";
  return is_found && call("nvmlDeviceGetName", device_, +name, kNvmlTextBytes) && name[0] != '\0' &&
         description.find(name) != std::string::npos;
}

NvmlProbe::~NvmlProbe() {
  if (is_initialised_) call("nvmlShutdown");
}

ConditionRecord NvmlProbe::conditions() {
  ConditionRecord record;
  unsigned mhz = 0;
  unsigned degrees = 0;
  unsigned long long reasons = 0;
  if (call("nvmlDeviceGetClockInfo", device_, kClockSm, &mhz)) record.clock_hz = 1e6 * mhz;
  if (call("nvmlDeviceGetTemperature", device_, kTemperatureGpu, &degrees)) {
    record.temperature_c = degrees;
  }
  if (call("nvmlDeviceGetCurrentClocksThrottleReasons", device_, &reasons)) {
    record.is_throttled = (reasons & kSlowedDown) != 0;
  }
  return record;
}

std::optional<double> NvmlProbe::joules() {
  unsigned long long millijoules = 0;
  if (!call("nvmlDeviceGetTotalEnergyConsumption", device_, &millijoules)) return {};
  return static_cast<double>(millijoules) * 1e-3;
}

std::string NvmlProbe::driver() {
  char version[kNvmlTextBytes] = "";
  return call("nvmlSystemGetDriverVersion", +version, kNvmlTextBytes) ? version : "";
}

}  // namespace millrace::tools
