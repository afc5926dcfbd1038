// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/pivot_choice.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <cstdint>

namespace millrace::radix_sort {
namespace {

// Most keys for up to kThreadThreshold threads, and for more: one of them alone partitions all keys
// first. A hundred thousand take 0.9 of the time by digits if the second thread has yet to wake,
// and Zipf keys half of it; a million take longer (two cores of a Zen 5). By 16 cores of a Xeon,
// fifty thousand take 0.7 of the time by digits, a hundred thousand as long, and two hundred
// thousand 1.4 times (docs/experiments/when_to_sort_by_pivots.md).
constexpr std::size_t kMostKeys = std::size_t{512} << 10;
constexpr std::size_t kMostKeysOfMany = std::size_t{128} << 10;
constexpr int kThreadThreshold = 4;

// Zen 4 is AMD's only processor before Zen 5 with AVX-512. vqsort of Highway 1.0.3 stores
// compressed vectors, each of which takes it some hundred cycles: it sorts 1e5 keys at 39 million a
// second, and digits sort 420 to 447 by two threads
// (docs/experiments/when_to_sort_by_pivots.md).
#ifdef __x86_64__
bool is_zen4_or_older() {
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
  if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) == 0) return false;
  if (ebx != signature_AMD_ebx || ecx != signature_AMD_ecx || edx != signature_AMD_edx)
    return false;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return false;
  // The base family is 15 from K8 on.
  constexpr std::uint32_t kZen4 = 0x19;
  const std::uint32_t family = (eax >> 8 & 0xF) + (eax >> 20 & 0xFF);
  return family <= kZen4;
}
#else
bool is_zen4_or_older() { return false; }
#endif

}  // namespace

bool is_vqsort_fast() {
  static const bool is_slow = is_zen4_or_older();
  return !is_slow;
}

bool is_profitable_to_split(std::size_t count, int threads) {
  return is_vqsort_fast() && count <= (threads <= kThreadThreshold ? kMostKeys : kMostKeysOfMany);
}

}  // namespace millrace::radix_sort
