// SPDX-License-Identifier: Apache-2.0

// Arrays to be sorted by benchmarks, and whether they have been.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_HOST_SORT_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_HOST_SORT_WORKLOAD_H_

#include <millrace/algorithms/radix_sort/key_distribution.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_memory.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace millrace::tools {

enum class SortKind { kKeys, kPairs, kArgsort };

inline constexpr SortKind kSortKinds[] = {SortKind::kKeys, SortKind::kPairs, SortKind::kArgsort};

// "keys", "pairs" or "argsort".
const char* to_string(SortKind kind);

// Selects the outputs. Contenders that wrote to the same memory would find data of the other in the
// host's caches.
enum class SortSide : std::uint8_t { kOwn, kOther };

// Sorts of u32 keys, and of values that are their indices, in host memory that has been written to;
// ascending.
class HostSortWorkload {
 public:
  // `space` is kPinned or kHost.
  HostSortWorkload(const std::shared_ptr<Device>& device, MemorySpace space, std::size_t count,
                   radix_sort::KeyDistribution distribution);

  std::size_t count() const { return keys_.size(); }
  radix_sort::SortArguments arguments(SortKind kind, SortSide side = SortSide::kOwn);

  // Wipes the outputs.
  void clear();

  // Checks all of the last sort: the keys are in order and have the input's sum of hashes, or each
  // is the key at its value's index, and equal keys have indices in order. Throws kInternal with
  // the first index that is wrong.
  void check(SortKind kind, const std::string& who, SortSide side = SortSide::kOwn);

 private:
  struct Outputs {
    Outputs(const std::shared_ptr<Device>& device, MemorySpace space, std::size_t count)
        : keys(device, space, count), values(device, space, count) {}

    Buffer<std::uint32_t> keys;
    Buffer<std::uint32_t> values;
  };

  // Allocates the outputs of the other side at the first request.
  Outputs& outputs(SortSide side);
  void check_sum(const Outputs& outputs, const std::string& who) const;

  const std::shared_ptr<Device> device_;
  Buffer<std::uint32_t> keys_;
  Buffer<std::uint32_t> values_;
  Outputs own_;
  std::optional<Outputs> other_;
};

// The baseline of sorting: copies of whole arrays and the library's sort, one after another on one
// queue, with all memory there from the start.
class SerialSort {
 public:
  SerialSort(Queue& queue, const radix_sort::SortArguments& arguments);

  void run();

  // The sort alone, of what is on the device.
  void run_on_device();

  // The copies over the link before the sort and after it.
  void upload();
  void download();

  // Wipes its result on the device, so that no earlier run's is downloaded.
  void spoil_device();

 private:
  void enqueue_upload();
  void enqueue_download();

  Queue& queue_;
  const radix_sort::SortArguments arguments_;
  const radix_sort::RecordSize size_;
  const radix_sort::DeviceSortSteps& steps_;
  radix_sort::SortMemory memory_;
  const radix_sort::Records in_;
  const radix_sort::Records out_;
  void* const scratch_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_HOST_SORT_WORKLOAD_H_
