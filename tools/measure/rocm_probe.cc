#include <millrace/tools/measure/rocm_probe.h>

#include <cstddef>
#include <cstdlib>

namespace millrace::tools {
namespace {

constexpr int kSuccess = 0;
constexpr std::uint32_t kEdgeSensor = 0;      // RSMI_TEMP_TYPE_EDGE
constexpr std::uint32_t kJunctionSensor = 1;  // RSMI_TEMP_TYPE_JUNCTION; some have it alone.
constexpr int kCurrentTemperature = 0;        // RSMI_TEMP_CURRENT
constexpr int kDriverComponent = 0;           // RSMI_SW_COMP_DRIVER
constexpr std::uint32_t kTextBytes = 256;

}  // namespace

template <class... Arguments>
bool RocmProbe::call(const char* name, Arguments... arguments) const {
  const auto function = library_.find<int(Arguments...)>(name);
  return function != nullptr && function(arguments...) == kSuccess;
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
  char name[kTextBytes] = "";
  return call("rsmi_dev_name_get", device_, +name, std::size_t{kTextBytes}) && name[0] != '\0' &&
         description.find(name) != std::string::npos;
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
  return record;
}

std::optional<double> RocmProbe::joules() {
  std::uint64_t count = 0;
  float microjoules = 0;  // Of one count.
  std::uint64_t time = 0;
  if (!call("rsmi_dev_energy_count_get", device_, &count, &microjoules, &time)) return {};
  return static_cast<double>(count) * microjoules * 1e-6;
}

std::string RocmProbe::driver() {
  char version[kTextBytes] = "";
  return call("rsmi_version_str_get", kDriverComponent, +version, kTextBytes) ? version : "";
}

}  // namespace millrace::tools
