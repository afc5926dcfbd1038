// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/host/cache_size.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace millrace::cpu {
namespace {

// The files contain, for example, "32768K" or "32M".
std::size_t largest_cache_in_sysfs() {
  std::size_t largest = 0;
  for (int index = 0;; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) +
                       "/size");
    std::size_t size = 0;
    char unit = 0;
    if (!(file >> size)) return largest;
    file >> unit;
    largest = std::max(largest, size << (unit == 'K' ? 10 : unit == 'M' ? 20 : 0));
  }
}

}  // namespace

std::size_t last_level_cache_bytes() {
  static const std::size_t found = largest_cache_in_sysfs();
  constexpr std::size_t kUsual = std::size_t{32} << 20;
  return found > 0 ? found : kUsual;
}

Stores stores_for(std::size_t output_bytes) {
  return output_bytes > last_level_cache_bytes() ? Stores::kStreaming : Stores::kCached;
}

}  // namespace millrace::cpu
