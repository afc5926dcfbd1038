// SPDX-License-Identifier: Apache-2.0

// A partition of records by a digit of their keys.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_PARTITION_STEP_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_PARTITION_STEP_H_

#include <millrace/algorithms/radix_sort/steps/records.h>

#include <cstdint>

namespace millrace::radix_sort {

// A stable pass by one digit: `bits` (1 to 8) bits of the key from `first_bit` on.
struct DigitPass {
  int first_bit = 0;
  int bits = 8;

  std::uint32_t digits() const { return 1U << bits; }
};

// Seconds on the device.
struct PassTimes {
  double reduction = 0;  // Counts the digits.
  double scan = 0;
  double scatter = 0;

  PassTimes& operator+=(const PassTimes& more) {
    reduction += more.reduction;
    scan += more.scan;
    scatter += more.scatter;
    return *this;
  }
};

// One stable pass by a digit, of fewer than 2^32 records.
struct PartitionStep {
  RecordSize size;
  DigitPass pass;
  RecordRun in;
  Records out;
  void* scratch = nullptr;
  std::uint32_t* starts =
      nullptr;                 // Index of each digit's first record, in pinned memory, or null.
  PassTimes* times = nullptr;  // Added to by the time the queue has passed the step, which then
                               // takes longer; or null.
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STEPS_PARTITION_STEP_H_
