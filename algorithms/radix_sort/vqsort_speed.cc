#include <millrace/algorithms/radix_sort/vqsort_speed.h>

#ifdef __x86_64__
#include <cpuid.h>

#include <cstdint>
#endif

namespace millrace::radix_sort {
namespace {

// Zen 4 and what is before it, of which it alone has AVX-512.
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
  static const bool is_fast = !is_zen4_or_older();
  return is_fast;
}

}  // namespace millrace::radix_sort
