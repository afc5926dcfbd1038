// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/testing/counted_clock.h>
#include <millrace/tests/conformance/conformance.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace millrace::conformance {
namespace {

std::string as_identifier(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

// Deadlines of all tests pass as this clock is read, not with real time.
const CountedClock run_clock;

// CPU tests are smaller under ThreadSanitizer, which slows each access of memory.
#ifdef __SANITIZE_THREAD__
constexpr std::size_t kSlowdown = 8;
#else
constexpr std::size_t kSlowdown = 1;
#endif

}  // namespace

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const DeviceInfo& device : list_devices()) names.push_back(device.name);
  return names;
}

std::string some_device_name() {
  for (const DeviceInfo& device : list_devices()) {
    if (!device.is_simulated) return device.name;
  }
  return "";
}

std::vector<std::string> names_in_reach() {
  std::vector<std::string> names;
  for (const DeviceInfo& device : list_devices()) {
    if (device.shares_host_memory || device.is_simulated) names.push_back(device.name);
  }
  return names;
}

std::size_t scaled(const Device& device, std::size_t full, std::size_t simulated) {
  static const bool is_small = std::getenv("MILLRACE_TEST_SMALL") != nullptr;
  static const bool is_full = std::getenv("MILLRACE_TEST_FULL") != nullptr;
  if (is_full) return full;
  if (is_small || device.info().is_simulated) return simulated;
  return std::max(full / kSlowdown, std::min(full, simulated));
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  return as_identifier(info.param);
}

std::string name_of(const testing::TestParamInfo<std::tuple<std::string, Policy>>& info) {
  const auto& [device, policy] = info.param;
  return as_identifier(device + "_" + to_string(policy));
}

}  // namespace millrace::conformance
