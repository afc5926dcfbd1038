// SPDX-License-Identifier: Apache-2.0

// Sorting in device memory by the best there is for each target: CUB on NVIDIA's devices, rocPRIM
// on AMD's, and passes of Millrace's own kernels on simulated ones.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GPU_LIBRARY_SORT_GPU_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GPU_LIBRARY_SORT_GPU_H_

#include <millrace/algorithms/radix_sort/gpu/sort_launch_gpu.h>

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#elif defined(__HIP__)
#include <rocprim/device/device_radix_sort.hpp>
#endif

#include <millrace/runtime/core/error.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace millrace::MILLRACE_GPU {

#if defined(__CUDACC__)
inline const char* library_error(cudaError_t status) { return cudaGetErrorString(status); }
#elif defined(__HIP__)
inline const char* library_error(hipError_t status) { return hipGetErrorString(status); }
#endif

template <class Status>
void check_library(Status status) {
  if (status == Status{}) return;
  throw Error(ErrorCode::kInternal,
              std::string(kBackend) + "'s library could not sort: " + library_error(status) +
                  " (error " + std::to_string(static_cast<int>(status)) + ")");
}

// Sorts `count` records by bits `first_bit` to `key_bits` - 1 of their keys, stable. Bits are
// std::uint32_t or std::uint64_t; Value is NoValue for keys alone.
template <class Bits, class Value>
struct LibrarySort {
  TypedRecords<const Bits, const Value> in{};
  TypedRecords<Bits, Value> out{};
  std::size_t count = 0;
  int first_bit = 0;
  int key_bits = 0;
};

// Runs the sort. With null scratch it only sets `scratch_bytes` to the bytes needed there.
#if defined(__CUDACC__)

template <class Bits, class Value>
void library_sort(const GpuQueue& queue, void* scratch, std::size_t& scratch_bytes,
                  const LibrarySort<Bits, Value>& sort) {
  if constexpr (std::is_same_v<Value, NoValue>) {
    check_library(cub::DeviceRadixSort::SortKeys(scratch, scratch_bytes, sort.in.keys,
                                                 sort.out.keys, sort.count, sort.first_bit,
                                                 sort.key_bits, queue.stream()));
  } else {
    check_library(cub::DeviceRadixSort::SortPairs(
        scratch, scratch_bytes, sort.in.keys, sort.out.keys, sort.in.values, sort.out.values,
        sort.count, sort.first_bit, sort.key_bits, queue.stream()));
  }
}

#elif defined(__HIP__)

template <class Bits, class Value>
void library_sort(const GpuQueue& queue, void* scratch, std::size_t& scratch_bytes,
                  const LibrarySort<Bits, Value>& sort) {
  const auto first_bit = static_cast<unsigned>(sort.first_bit);
  const auto end_bit = static_cast<unsigned>(sort.key_bits);
  if constexpr (std::is_same_v<Value, NoValue>) {
    check_library(rocprim::radix_sort_keys(scratch, scratch_bytes, sort.in.keys, sort.out.keys,
                                           sort.count, first_bit, end_bit, queue.stream()));
  } else {
    check_library(rocprim::radix_sort_pairs(scratch, scratch_bytes, sort.in.keys, sort.out.keys,
                                            sort.in.values, sort.out.values, sort.count, first_bit,
                                            end_bit, queue.stream()));
  }
}

#else

template <class Bits, class Value>
void library_sort(const GpuQueue& queue, void* scratch, std::size_t& scratch_bytes,
                  const LibrarySort<Bits, Value>& sort) {
  constexpr int kDigitBits = 8;
  const int passes = (sort.key_bits - sort.first_bit + kDigitBits - 1) / kDigitBits;
  constexpr std::size_t kValueBytes = std::is_empty_v<Value> ? 0 : sizeof(Value);
  const std::size_t key_bytes = (sizeof(Bits) * sort.count + 7) / 8 * 8;
  const std::size_t value_bytes = (kValueBytes * sort.count + 7) / 8 * 8;
  scratch_bytes = key_bytes + value_bytes + sizeof(std::uint32_t) * most_counts(queue, kDigitBits);
  if (scratch == nullptr) return;
  auto* const bytes = static_cast<char*>(scratch);
  const TypedRecords<Bits, Value> other{reinterpret_cast<Bits*>(bytes),
                                        reinterpret_cast<Value*>(bytes + key_bytes)};
  auto* const counts = reinterpret_cast<std::uint32_t*>(bytes + key_bytes + value_bytes);
  TypedRecords<const Bits, const Value> from = sort.in;
  for (int i = 0; i < passes; ++i) {
    const int first_bit = sort.first_bit + i * kDigitBits;
    const DigitPass digit = {first_bit, std::min(kDigitBits, sort.key_bits - first_bit)};
    const PassLaunch<Bits, Value> pass(queue, digit, sort.count, counts);
    const TypedRecords<Bits, Value> to = (passes - i) % 2 == 0 ? other : sort.out;
    pass.reduce(from.keys);
    pass.scan(nullptr);
    pass.scatter(from, to);
    from = {to.keys, to.values};
  }
}

#endif

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GPU_LIBRARY_SORT_GPU_H_
