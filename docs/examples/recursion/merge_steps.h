// SPDX-License-Identifier: Apache-2.0

// The steps of a stable merge sort by one thread: merges of any interval of two sorted ranges, and
// the sort of a small range.
#ifndef MILLRACE_DOCS_EXAMPLES_RECURSION_MERGE_STEPS_H_
#define MILLRACE_DOCS_EXAMPLES_RECURSION_MERGE_STEPS_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::examples {

// Pairs are sorted by their keys; those with the same key keep their order.
struct SortPair {
  std::uint32_t key;
  std::uint32_t value;

  friend bool operator==(const SortPair&, const SortPair&) = default;
};

struct SortedRange {
  const SortPair* pairs;
  std::uint32_t count;
};

// Returns how many of the first `diagonal` pairs of the merged ranges are from `first`, by binary
// search along a diagonal of the grid that the two span (S. Odeh, O. Green, Z. Mwassi, O. Shmueli
// and Y. Birk, Merge Path - Parallel Merging Made Simple, 2012).
MILLRACE_FUNCTION inline std::uint32_t merge_path(const SortedRange& first,
                                                  const SortedRange& second,
                                                  std::uint32_t diagonal) {
  std::uint32_t least = diagonal > second.count ? diagonal - second.count : 0;
  std::uint32_t most = diagonal < first.count ? diagonal : first.count;
  while (least < most) {
    const std::uint32_t middle = least + (most - least) / 2;
    if (second.pairs[diagonal - 1 - middle].key < first.pairs[middle].key) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

// Merges all of two ranges. Of equal keys those of the first range come first.
MILLRACE_FUNCTION inline void merge_ranges(const SortedRange& first, const SortedRange& second,
                                           SortPair* to) {
  const SortPair* a = first.pairs;
  const SortPair* b = second.pairs;
  const SortPair* const a_end = a + first.count;
  const SortPair* const b_end = b + second.count;
  while (a != a_end && b != b_end) {
    const bool is_second = b->key < a->key;  // A branch would be mispredicted.
    *to++ = is_second ? *b : *a;
    b += is_second ? 1 : 0;
    a += is_second ? 0 : 1;
  }
  while (a != a_end) *to++ = *a++;
  while (b != b_end) *to++ = *b++;
}

// Writes the pairs from `begin` up to but without `end` of the merged ranges, which begin at `to`.
MILLRACE_FUNCTION inline void merge_interval(const SortedRange& first, const SortedRange& second,
                                             std::uint32_t begin, std::uint32_t end, SortPair* to) {
  const std::uint32_t first_begin = merge_path(first, second, begin);
  const std::uint32_t first_end = merge_path(first, second, end);
  const std::uint32_t second_begin = begin - first_begin;
  const std::uint32_t second_end = end - first_end;
  merge_ranges({first.pairs + first_begin, first_end - first_begin},
               {second.pairs + second_begin, second_end - second_begin}, to + begin);
}

// Sorts by insertion. `to` may be `from`.
MILLRACE_FUNCTION inline void sort_by_insertion(const SortPair* from, SortPair* to,
                                                std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const SortPair pair = from[i];
    std::uint32_t position = i;
    for (; position > 0 && pair.key < to[position - 1].key; --position) {
      to[position] = to[position - 1];
    }
    to[position] = pair;
  }
}

inline constexpr std::uint32_t kInsertedPairs = 8;

// Merges runs of `run` pairs, of which the last may be shorter, to runs of twice as many.
MILLRACE_FUNCTION inline void merge_runs(const SortPair* from, SortPair* to, std::uint32_t count,
                                         std::uint32_t run) {
  for (std::uint32_t begin = 0; begin < count; begin += 2 * run) {
    const std::uint32_t left = count - begin;
    const std::uint32_t first = left < run ? left : run;
    const std::uint32_t second = left - first < run ? left - first : run;
    merge_ranges({from + begin, first}, {from + begin + first, second}, to + begin);
  }
}

// Sorts `from` into `to` with `other` as scratch; `from` may be one of the two. At most 2^30 pairs.
MILLRACE_FUNCTION inline void sort_small(const SortPair* from, SortPair* to, SortPair* other,
                                         std::uint32_t count) {
  bool is_even = true;  // The number of times that runs are merged.
  for (std::uint32_t run = kInsertedPairs; run < count; run *= 2) is_even = !is_even;
  SortPair* source = is_even ? to : other;
  SortPair* target = is_even ? other : to;
  for (std::uint32_t begin = 0; begin < count; begin += kInsertedPairs) {
    const std::uint32_t left = count - begin;
    sort_by_insertion(from + begin, source + begin, left < kInsertedPairs ? left : kInsertedPairs);
  }
  for (std::uint32_t run = kInsertedPairs; run < count; run *= 2) {
    merge_runs(source, target, count, run);
    SortPair* const merged = target;
    target = source;
    source = merged;
  }
}

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_RECURSION_MERGE_STEPS_H_
