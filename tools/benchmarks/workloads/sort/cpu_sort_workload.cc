// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/sort/cpu_sort_workload.h>

#include <algorithm>
#include <string>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;

constexpr std::size_t kLeastElements = 100'000;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::kInternal, "the sorted " + what + " are wrong");
}

template <class T>
std::span<const T> in(const Buffer<T>& buffer, std::size_t begin, std::size_t count) {
  return {buffer.data() + begin, count};
}
template <class T>
std::span<T> out(Buffer<T>& buffer, std::size_t begin, std::size_t count) {
  return {buffer.data() + begin, count};
}

}  // namespace

CpuSortWorkload::CpuSortWorkload(Queue& queue, KeyDistribution distribution, std::size_t count)
    : queue_(queue),
      count_(count),
      arrays_((kLeastElements + count - 1) / count),
      keys_(array<std::uint32_t>()),
      values_(array<std::uint32_t>()),
      keys_out_(array<std::uint32_t>()),
      values_out_(array<std::uint32_t>()),
      pairs_(array<KeyValue>()) {
  radix_sort::fill_keys(radix_sort::KeyType::kU32, distribution, 1, keys_.size(), keys_.data());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_.data()[i] = static_cast<std::uint32_t>(i);
  }
}

template <class T>
Buffer<T> CpuSortWorkload::array() {
  Buffer<T> buffer(queue_.device().shared_from_this(), MemorySpace::kDevice, count_ * arrays_);
  std::fill_n(reinterpret_cast<unsigned char*>(buffer.data()), buffer.size_bytes(), 0);
  return buffer;
}

void CpuSortWorkload::for_arrays(const std::function<void(std::size_t)>& action) const {
  for (std::size_t begin = 0; begin < keys_.size(); begin += count_) action(begin);
}

void CpuSortWorkload::sort_keys(Policy policy) {
  for_arrays([&](std::size_t begin) {
    radix_sort::sort_keys<std::uint32_t>(queue_, in(keys_, begin, count_),
                                         out(keys_out_, begin, count_), {.policy = policy});
  });
}

void CpuSortWorkload::sort_pairs(Policy policy) {
  for_arrays([&](std::size_t begin) {
    radix_sort::sort_pairs<std::uint32_t, std::uint32_t>(
        queue_, in(keys_, begin, count_), in(values_, begin, count_), out(keys_out_, begin, count_),
        out(values_out_, begin, count_), {.policy = policy});
  });
}

void CpuSortWorkload::touch_outputs() {
  std::copy_n(keys_.data(), keys_.size(), keys_out_.data());
  std::copy_n(values_.data(), values_.size(), values_out_.data());
}

void CpuSortWorkload::fill_peers_keys() {
  std::copy_n(keys_.data(), keys_.size(), keys_out_.data());
}

void CpuSortWorkload::fill_peers_pairs() {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    pairs_.data()[i] = {values_.data()[i], keys_.data()[i]};
  }
}

void CpuSortWorkload::sort_keys(const SortPeer& peer) {
  for_arrays([&](std::size_t begin) { peer.sort_keys(out(keys_out_, begin, count_)); });
}

void CpuSortWorkload::sort_pairs(const SortPeer& peer) {
  for_arrays([&](std::size_t begin) { peer.sort_pairs(out(pairs_, begin, count_)); });
}

void CpuSortWorkload::check_keys(Policy policy) {
  std::fill_n(keys_out_.data(), keys_out_.size(), 0);
  sort_keys(policy);
  expect_sorted_keys();
}

void CpuSortWorkload::check_pairs(Policy policy) {
  std::fill_n(values_out_.data(), values_out_.size(), 0);
  sort_pairs(policy);
  for_arrays([this](std::size_t begin) { expect_indices(begin); });
}

void CpuSortWorkload::check_keys(const SortPeer& peer) {
  fill_peers_keys();
  sort_keys(peer);
  expect_sorted_keys();
}

// Peers may change the order of equal keys, so values of these are put in order.
void CpuSortWorkload::check_pairs(const SortPeer& peer) {
  fill_peers_pairs();
  sort_pairs(peer);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    keys_out_.data()[i] = pairs_.data()[i].key;
    values_out_.data()[i] = pairs_.data()[i].value;
  }
  for_arrays([this](std::size_t begin) {
    for (std::size_t i = begin; i < begin + count_;) {
      std::size_t end = i + 1;
      while (end < begin + count_ && keys_out_.data()[end] == keys_out_.data()[i]) ++end;
      std::sort(values_out_.data() + i, values_out_.data() + end);
      i = end;
    }
    expect_indices(begin);
  });
}

void CpuSortWorkload::expect_sorted_keys() {
  if (sorted_.empty()) {
    sorted_.assign(keys().begin(), keys().end());
    for_arrays([this](std::size_t begin) {
      const auto first = sorted_.begin() + static_cast<std::ptrdiff_t>(begin);
      std::sort(first, first + static_cast<std::ptrdiff_t>(count_));
    });
  }
  if (!std::equal(sorted_.begin(), sorted_.end(), keys_out_.data())) fail("keys");
}

// Checks that each key is the one at its value's index, and that all are in order, equal ones by
// index; so no pair is there twice.
void CpuSortWorkload::expect_indices(std::size_t begin) const {
  const std::uint32_t* const keys = keys_out_.data();
  const std::uint32_t* const indices = values_out_.data();
  for (std::size_t i = begin; i < begin + count_; ++i) {
    const bool is_in_order = i == begin || keys[i - 1] < keys[i] ||
                             (keys[i - 1] == keys[i] && indices[i - 1] < indices[i]);
    const bool is_ours = indices[i] >= begin && indices[i] < begin + count_;
    if (!is_in_order || !is_ours || keys_.data()[indices[i]] != keys[i]) fail("pairs");
  }
}

}  // namespace millrace::tools
