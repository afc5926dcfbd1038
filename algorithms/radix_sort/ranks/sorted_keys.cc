// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/ranks/sorted_keys.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace millrace::radix_sort {
namespace {

// A copy of some KiB takes no longer than a copy of one key.
constexpr std::uint64_t kBlockKeys = 2048;

constexpr std::size_t kMostBlocks = 4096;

template <class Bits>
std::uint64_t ordered_as(const SortArguments& arguments, const std::byte* raw) {
  Bits bits;
  std::memcpy(&bits, raw, sizeof bits);
  return KeyBits<Bits>::of(arguments.key_type, arguments.order).ordered(bits);
}

}  // namespace

bool is_in_reach(const Device& device, MemorySpace space) {
  return space != MemorySpace::kDevice || device.info().shares_host_memory;
}

SortedKeys::SortedKeys(Queue& queue, const SortArguments& arguments)
    : queue_(queue),
      arguments_(arguments),
      key_bytes_(key_bytes(arguments.key_type)),
      is_in_reach_(is_in_reach(queue.device(), arguments.space)) {}

std::uint64_t SortedKeys::count_up_to(std::uint64_t ordered, std::uint64_t low,
                                      std::uint64_t high) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (key(middle) <= ordered) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::uint64_t SortedKeys::key(std::uint64_t index) {
  if (is_in_reach_) {
    return ordered_key(static_cast<const std::byte*>(arguments_.keys_in) + index * key_bytes_);
  }
  return ordered_key(block(index / kBlockKeys) + index % kBlockKeys * key_bytes_);
}

std::uint64_t SortedKeys::ordered_key(const std::byte* raw) const {
  return key_bytes_ == 4 ? ordered_as<std::uint32_t>(arguments_, raw)
                         : ordered_as<std::uint64_t>(arguments_, raw);
}

const std::byte* SortedKeys::block(std::uint64_t index) {
  const auto known = blocks_.find(index);
  if (known != blocks_.end()) return known->second.data();
  if (blocks_.size() == kMostBlocks) blocks_.clear();
  const std::uint64_t first = index * kBlockKeys;
  std::vector<std::byte> keys(std::min(kBlockKeys, count() - first) * key_bytes_);
  queue_.copy(keys.data(), static_cast<const std::byte*>(arguments_.keys_in) + first * key_bytes_,
              keys.size());
  queue_.wait();
  return blocks_.emplace(index, std::move(keys)).first->second.data();
}

}  // namespace millrace::radix_sort
