// SPDX-License-Identifier: Apache-2.0

// Distinguishes inputs of benchmarks.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_INPUT_HASH_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_INPUT_HASH_H_

#include <millrace/runtime/host/fnv_hash.h>

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
    hash_ = fnv1a_hash({reinterpret_cast<const char*>(values.data()), values.size_bytes()}, hash_);
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
  std::uint64_t hash_ = fnv1a_hash({});
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_INPUT_HASH_H_
