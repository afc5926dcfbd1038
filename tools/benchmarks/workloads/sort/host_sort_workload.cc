// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/splitmix64.h>
#include <millrace/tools/benchmarks/workloads/sort/host_sort_workload.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>

namespace millrace::tools {
namespace {

using radix_sort::SortArguments;

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// Calls work(first, end) for ranges of `count`, on all threads of the host.
void for_ranges(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  HostThreads& team = HostThreads::shared();
  const auto ranges = static_cast<std::size_t>(team.count());
  team.for_each(ranges, [&](std::size_t range) {
    work(count * range / ranges, count * (range + 1) / ranges);
  });
}

// Returns the first index below `count` that is not good, or kNone.
template <class IsGood>
std::size_t first_bad(std::size_t count, const IsGood& is_good) {
  std::atomic<std::size_t> bad = kNone;
  for_ranges(count, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      if (is_good(i)) continue;
      std::size_t before = bad;
      while (i < before && !bad.compare_exchange_weak(before, i)) {
      }
      return;
    }
  });
  return bad;
}

void require(std::size_t bad, const std::string& who, const std::string& what) {
  if (bad == kNone) return;
  throw Error(ErrorCode::kInternal,
              who + " sorted wrong: " + what + " at index " + std::to_string(bad));
}

std::uint64_t hash_sum(const Buffer<std::uint32_t>& keys) {
  std::atomic<std::uint64_t> sum = 0;
  for_ranges(keys.size(), [&](std::size_t first, std::size_t end) {
    std::uint64_t own = 0;
    for (std::size_t i = first; i < end; ++i) own += splitmix64(keys.data()[i]);
    sum += own;
  });
  return sum;
}

radix_sort::RecordSize size_of(const SortArguments& arguments) {
  return {radix_sort::key_bytes(arguments.key_type), arguments.value_bytes};
}

}  // namespace

const char* to_string(SortKind kind) {
  switch (kind) {
    case SortKind::kKeys: return "keys";
    case SortKind::kPairs: return "pairs";
    case SortKind::kArgsort: return "argsort";
  }
  return "unknown";
}

HostSortWorkload::HostSortWorkload(const std::shared_ptr<Device>& device, MemorySpace space,
                                   std::size_t count, radix_sort::KeyDistribution distribution)
    : device_(device),
      keys_(device, space, count),
      values_(device, space, count),
      own_(device, space, count) {
  radix_sort::fill_keys(radix_sort::KeyType::kU32, distribution, 1, count, keys_.data());
  for_ranges(count, [this](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) values_.data()[i] = static_cast<std::uint32_t>(i);
  });
  clear();
}

void HostSortWorkload::clear() {
  const auto wipe = [this](Outputs& outputs) {
    for_ranges(count(), [&outputs](std::size_t first, std::size_t end) {
      std::fill(outputs.keys.data() + first, outputs.keys.data() + end, 0U);
      std::fill(outputs.values.data() + first, outputs.values.data() + end, 0U);
    });
  };
  wipe(own_);
  if (other_) wipe(*other_);
}

HostSortWorkload::Outputs& HostSortWorkload::outputs(SortSide side) {
  if (side == SortSide::kOwn) return own_;
  if (!other_) {
    other_.emplace(device_, keys_.space(), count());
    clear();
  }
  return *other_;
}

SortArguments HostSortWorkload::arguments(SortKind kind, SortSide side) {
  const bool has_values = kind != SortKind::kKeys;
  return {.key_type = radix_sort::KeyType::kU32,
          .value_bytes = has_values ? sizeof(std::uint32_t) : 0,
          .is_argsort = kind == SortKind::kArgsort,
          .count = count(),
          .keys_in = keys_.data(),
          .keys_out = outputs(side).keys.data(),
          .values_in = kind == SortKind::kPairs ? values_.data() : nullptr,
          .values_out = has_values ? outputs(side).values.data() : nullptr,
          .space = keys_.space()};
}

void HostSortWorkload::check(SortKind kind, const std::string& who, SortSide side) {
  const std::uint32_t* const keys = keys_.data();
  const std::uint32_t* const out = outputs(side).keys.data();
  const std::uint32_t* const indices = outputs(side).values.data();
  require(first_bad(count() - 1, [&](std::size_t i) { return out[i] <= out[i + 1]; }), who,
          "keys are out of order");
  if (kind == SortKind::kKeys) return check_sum(outputs(side), who);
  require(
      first_bad(count(),
                [&](std::size_t i) { return indices[i] < count() && keys[indices[i]] == out[i]; }),
      who, "a key has another's value");
  require(
      first_bad(count() - 1,
                [&](std::size_t i) { return out[i] < out[i + 1] || indices[i] < indices[i + 1]; }),
      who, "equal keys have changed their order");
}

void HostSortWorkload::check_sum(const Outputs& outputs, const std::string& who) const {
  if (hash_sum(keys_) != hash_sum(outputs.keys)) require(0, who, "keys are others");
}

SerialSort::SerialSort(Queue& queue, const SortArguments& arguments)
    : queue_(queue),
      arguments_(arguments),
      size_(size_of(arguments)),
      steps_(radix_sort::sort_steps_of(queue)),
      memory_(queue),
      in_(memory_.take_records(size_, arguments.count)),
      out_(memory_.take_records(size_, arguments.count)),
      scratch_(memory_.take(MemorySpace::kDevice,
                            steps_.scratch_bytes(queue, size_, arguments.count))) {}

void SerialSort::run() {
  enqueue_upload();
  steps_.sort(queue_, {.size = size_,
                       .key_bits = size_.key_bits(),
                       .in = {in_, arguments_.count},
                       .out = out_,
                       .scratch = scratch_});
  enqueue_download();
  queue_.wait();
}

void SerialSort::run_on_device() {
  steps_.sort(queue_, {.size = size_,
                       .key_bits = size_.key_bits(),
                       .in = {in_, arguments_.count},
                       .out = out_,
                       .scratch = scratch_});
  queue_.wait();
}

void SerialSort::upload() {
  enqueue_upload();
  queue_.wait();
}

void SerialSort::download() {
  enqueue_download();
  queue_.wait();
}

void SerialSort::spoil_device() {
  queue_.fill(out_.keys, std::byte{0x5a}, size_.key * arguments_.count);
  if (size_.value > 0) queue_.fill(out_.values, std::byte{0x5a}, size_.value * arguments_.count);
  queue_.wait();
}

void SerialSort::enqueue_upload() {
  const std::size_t count = arguments_.count;
  queue_.copy(in_.keys, arguments_.keys_in, size_.key * count);
  if (size_.value > 0) queue_.copy(in_.values, arguments_.values_in, size_.value * count);
}

void SerialSort::enqueue_download() {
  const std::size_t count = arguments_.count;
  queue_.copy(arguments_.keys_out, out_.keys, size_.key * count);
  if (size_.value > 0) queue_.copy(arguments_.values_out, out_.values, size_.value * count);
}

}  // namespace millrace::tools
