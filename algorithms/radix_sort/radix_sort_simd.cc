#include <millrace/algorithms/radix_sort/radix_sort_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/radix_sort/radix_sort_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// After foreach_target.h, as Highway asks:
#include <hwy/highway.h>
#include <millrace/algorithms/radix_sort/bucket_sort_inl.h>
#include <millrace/algorithms/radix_sort/partition_inl.h>

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {

template <class K, class V>
constexpr Kernels<K, V> kernels() {
  return {&order_keys<K>, &count_digits<K>, &scatter<K, V>, &sort_bucket<K, V>};
}

KernelTable make_kernel_table() {
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  return {kernels<U32, NoValue>(), kernels<U32, U32>(), kernels<U32, U64>(),
          kernels<U64, NoValue>(), kernels<U64, U32>(), kernels<U64, U64>()};
}

}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::radix_sort {

HWY_EXPORT(make_kernel_table);

const KernelTable& kernel_table() {
  static const KernelTable table = HWY_DYNAMIC_DISPATCH(make_kernel_table)();
  return table;
}

}  // namespace millrace::radix_sort
#endif  // HWY_ONCE
