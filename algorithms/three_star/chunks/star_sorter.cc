// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/three_star/chunks/star_sorter.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace millrace::three_star {

StarSorter::StarSorter(std::size_t points)
    : bits_(std::bit_width(std::max<std::size_t>(points, 2) - 1)), is_narrow_(3 * bits_ <= 64) {}

void StarSorter::begin(std::size_t stars) {
  used_ = 0;
  for (auto& keys : keys_) keys.resize(stars);
  for (auto& lowest : lowest_) lowest.resize(is_narrow_ ? 0 : stars);
}

void StarSorter::add(std::span<const ThreeStar> stars) {
  std::size_t index = used_.fetch_add(stars.size());
  if (index + stars.size() > keys_[0].size()) reject_count(index + stars.size());
  for (const ThreeStar& star : stars) {
    keys_[0][index] = key_of(star);
    if (!is_narrow_) lowest_[0][index] = star.a;
    ++index;
  }
}

void StarSorter::sort(Queue& queue) {
  if (used_ != keys_[0].size()) reject_count(used_);
  constexpr radix_sort::SortOptions kOnHost = {.space = MemorySpace::kHost};
  const std::span<std::uint64_t> in = keys_[0];
  const std::span<std::uint64_t> out = keys_[1];
  if (is_narrow_) {
    radix_sort::sort_keys<std::uint64_t>(queue, in, out, kOnHost);
    return;
  }
  radix_sort::sort_pairs<std::uint64_t, std::uint32_t>(queue, in, lowest_[0], out, lowest_[1],
                                                       kOnHost);
  radix_sort::sort_pairs<std::uint32_t, std::uint64_t>(queue, lowest_[1], out, lowest_[0], in,
                                                       kOnHost);
  std::swap(keys_[0], keys_[1]);
  std::swap(lowest_[0], lowest_[1]);
}

ThreeStar StarSorter::star(std::size_t index) const {
  const std::uint64_t key = keys_[1][index];
  const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
  const auto a = is_narrow_ ? static_cast<std::uint32_t>(key >> bits_ >> bits_) : lowest_[1][index];
  return {a, static_cast<std::uint32_t>(key >> bits_ & mask),
          static_cast<std::uint32_t>(key & mask)};
}

void StarSorter::reject_count(std::size_t stars) const {
  reject(std::to_string(stars) + " 3-stars were added to a sort of " +
         std::to_string(keys_[0].size()) + "; the numbers must match");
}

std::uint64_t StarSorter::key_of(const ThreeStar& star) const {
  const std::uint64_t two = std::uint64_t{star.b} << bits_ | star.c;
  return is_narrow_ ? std::uint64_t{star.a} << bits_ << bits_ | two : two;
}

}  // namespace millrace::three_star
