// SPDX-License-Identifier: Apache-2.0

// Records of a sort, which are keys and, where there are any, values.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_RECORDS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_RECORDS_H_

#include <cstddef>

namespace millrace::radix_sort {

// Keys, and values where there are any, in device memory.
struct Records {
  void* keys = nullptr;
  void* values = nullptr;
};

// Records and their number.
struct RecordRun {
  Records records;
  std::size_t count = 0;
};

// Bytes of a key (4 or 8) and of a value (0, 4 or 8).
struct RecordSize {
  std::size_t key = 4;
  std::size_t value = 0;

  std::size_t bytes() const { return key + value; }
  int key_bits() const { return static_cast<int>(8 * key); }
};

// The value type of code for keys alone; arrays of it are null.
struct NoValue {};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_RECORDS_H_
