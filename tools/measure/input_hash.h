// Tells inputs of benchmarks apart.
#ifndef MILLRACE_TOOLS_MEASURE_INPUT_HASH_H_
#define MILLRACE_TOOLS_MEASURE_INPUT_HASH_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {

// FNV-1a of 64 bits, over all bytes that were added.
class InputHash {
 public:
  template <class T>
  InputHash& add(std::span<const T> values) {
    for (const std::byte byte : std::as_bytes(values)) {
      hash_ = (hash_ ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
    }
    return *this;
  }
  template <class T>
  InputHash& add(const std::vector<T>& values) {
    return add(std::span<const T>(values));
  }

  // "fnv1a64:" and 16 digits.
  std::string text() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_));
    return std::string("fnv1a64:") + digits;
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_MEASURE_INPUT_HASH_H_
