// SPDX-License-Identifier: Apache-2.0

// Stands in for ROCm's System Management Interface in tests: one device, without an edge sensor.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {

int rsmi_init(std::uint64_t) { return 0; }
int rsmi_shut_down() { return 0; }

int rsmi_dev_name_get(std::uint32_t device, char* name, std::size_t bytes) {
  std::snprintf(name, bytes, "Fake Instinct");
  return device == 0 ? 0 : 1;
}

int rsmi_dev_temp_metric_get(std::uint32_t, std::uint32_t sensor, int, std::int64_t* millidegrees) {
  *millidegrees = 52'500;
  return sensor == 1 ? 0 : 2;
}

// As FAKE_ROCM_SMI_CLOCKS says: in the form "old", in the "new" one, or new and with "deep" sleep.
int rsmi_dev_gpu_clk_freq_get(std::uint32_t, int clock, void* frequencies) {
  struct Old {
    std::uint32_t count, current;
    std::uint64_t hertz[32];
  };
  struct New {
    bool has_deep_sleep;
    std::uint32_t count, current;
    std::uint64_t hertz[33];
  };
  const char* const form = std::getenv("FAKE_ROCM_SMI_CLOCKS");
  if (clock != 0 || form == nullptr) return 2;
  if (std::strcmp(form, "old") == 0) {
    *static_cast<Old*>(frequencies) = {3, 1, {500'000'000, 1'700'000'000, 2'100'000'000}};
  } else {
    *static_cast<New*>(frequencies) = {
        std::strcmp(form, "deep") == 0, 3, 2, {500'000'000, 1'700'000'000, 2'100'000'000}};
  }
  return 0;
}

int rsmi_dev_energy_count_get(std::uint32_t, std::uint64_t* count, float* resolution,
                              std::uint64_t* time) {
  *count = 4'000'000;
  *resolution = 15.5F;
  *time = 0;
  return 0;
}

int rsmi_version_str_get(int, char* version, std::uint32_t bytes) {
  std::snprintf(version, bytes, "6.8.5");
  return 0;
}
}
