// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/radix_sort/cpu/simd/radix_sort_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/radix_sort/cpu/simd/classify_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/indexed_sort_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/partition_inl.h>
#include <millrace/algorithms/radix_sort/cpu/simd/quick_sort_inl.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {

template <class K, class V>
inline constexpr Kernels<K, V> kKernels = {&order_keys<K>, &count_digits<K>,   &classify<K>,
                                           &scatter<K, V>, &sort_bucket<K, V>, kSplit<K>,
                                           kQuickSort<K>};

const KernelTable& target_kernel_table() {
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  static constexpr KernelTable kTable = {kKernels<U32, NoValue>, kKernels<U32, U32>,
                                         kKernels<U32, U64>,     kKernels<U64, NoValue>,
                                         kKernels<U64, U32>,     kKernels<U64, U64>};
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::radix_sort {

HWY_EXPORT(target_kernel_table);

const KernelTable& kernel_table() { return HWY_DYNAMIC_DISPATCH(target_kernel_table)(); }

}  // namespace millrace::radix_sort
#endif  // HWY_ONCE
