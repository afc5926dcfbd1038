// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/probes/rocm_probe.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace millrace::tools {
namespace {

constexpr int kRocmSuccess = 0;
constexpr std::uint32_t kEdgeSensor = 0;      // RSMI_TEMP_TYPE_EDGE
constexpr std::uint32_t kJunctionSensor = 1;  // RSMI_TEMP_TYPE_JUNCTION; some have it alone.
constexpr int kCurrentTemperature = 0;        // RSMI_TEMP_CURRENT
constexpr int kDriverComponent = 0;           // RSMI_SW_COMP_DRIVER
constexpr int kSystemClock = 0;               // RSMI_CLK_TYPE_SYS, that of the compute units.
constexpr std::uint32_t kRocmTextBytes = 256;

// rsmi_frequencies_t of ROCm up to 5, and since 6. Both have more frequencies behind, in Hz.
constexpr std::uint32_t kMostFrequencies = 33;
struct OldFrequencies {
  std::uint32_t count;
  std::uint32_t current;
  std::uint64_t hertz[kMostFrequencies];
};
struct Frequencies {
  std::uint8_t has_deep_sleep;
  std::uint32_t count;
  std::uint32_t current;
  std::uint64_t hertz[kMostFrequencies];
};

// None where the members contradict each other.
template <class Form>
std::optional<double> current_clock(const void* bytes) {
  Form form = {};
  std::memcpy(&form, bytes, sizeof form);
  if (form.count == 0 || form.count > kMostFrequencies || form.current >= form.count) return {};
  constexpr std::uint64_t kLeastHertz = 1'000'000;
  const std::uint64_t hertz = form.hertz[form.current];
  return hertz < kLeastHertz ? std::nullopt : std::optional(static_cast<double>(hertz));
}

}  // namespace

template <class... Arguments>
bool RocmProbe::call(const char* name, Arguments... arguments) const {
  const auto function = library_.find<int(Arguments...)>(name);
  return function != nullptr && function(arguments...) == kRocmSuccess;
}

std::unique_ptr<RocmProbe> RocmProbe::open(unsigned index, const std::string& description,
                                           const std::string& library) {
  for (const char* const variable : {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"}) {
    if (std::getenv(variable) != nullptr) return nullptr;
  }
  std::unique_ptr<RocmProbe> probe(new RocmProbe(index, library));
  probe->is_initialised_ = probe->call("rsmi_init", std::uint64_t{0});
  if (!probe->is_initialised_ || !probe->is_called(description)) return nullptr;
  return probe;
}

bool RocmProbe::is_called(const std::string& description) const {
  char name[kRocmTextBytes] = "";
  return call("rsmi_dev_name_get", device_, +name, std::size_t{kRocmTextBytes}) &&
         name[0] != '\0' && description.find(name) != std::string::npos;
}

RocmProbe::~RocmProbe() {
  if (is_initialised_) call("rsmi_shut_down");
}

ConditionRecord RocmProbe::conditions() {
  ConditionRecord record;
  for (const std::uint32_t sensor : {kEdgeSensor, kJunctionSensor}) {
    std::int64_t millidegrees = 0;
    if (call("rsmi_dev_temp_metric_get", device_, sensor, kCurrentTemperature, &millidegrees)) {
      record.temperature_c = static_cast<double>(millidegrees) / 1000;
      break;
    }
  }
  record.clock_hz = clock_hz();
  return record;
}

// The library does not say which form it has. Where a new one is read as an old one, has_deep_sleep
// is the count, 0 or 1, and the count is the index: it contradicts itself, so at most one fits.
std::optional<double> RocmProbe::clock_hz() const {
  alignas(Frequencies) std::byte bytes[2 * sizeof(Frequencies)] = {};
  if (!call("rsmi_dev_gpu_clk_freq_get", device_, kSystemClock, static_cast<void*>(bytes))) {
    return {};
  }
  const std::optional<double> old_form = current_clock<OldFrequencies>(bytes);
  return old_form ? old_form : current_clock<Frequencies>(bytes);
}

std::optional<double> RocmProbe::joules() {
  std::uint64_t count = 0;
  float microjoules = 0;  // Energy of one count.
  std::uint64_t time = 0;
  if (!call("rsmi_dev_energy_count_get", device_, &count, &microjoules, &time)) return {};
  return static_cast<double>(count) * microjoules * 1e-6;
}

std::string RocmProbe::driver() {
  char version[kRocmTextBytes] = "";
  return call("rsmi_version_str_get", kDriverComponent, +version, kRocmTextBytes) ? version : "";
}

}  // namespace millrace::tools
