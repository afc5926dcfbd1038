// SPDX-License-Identifier: Apache-2.0

// One pass of partitioning: counting digits, and moving elements by these or by the numbers of
// their buckets. A part of radix_sort_simd.cc, which is compiled once per target.

#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_PARTITION_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_PARTITION_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_PARTITION_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_PARTITION_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Up to this many bits, the lines that are written at a time fit in the processor's caches and
// their pages in its TLB.
inline constexpr int kMostDirectBits = 8;

// Returns the value of a digit.
template <class K>
class DigitOf {
 public:
  explicit DigitOf(Digit digit) : shift_(digit.shift), mask_(static_cast<K>(digit.values() - 1)) {}

  HWY_INLINE std::size_t operator()(K ordered) const { return (ordered >> shift_) & mask_; }

 private:
  int shift_;
  K mask_;
};

// Calls `function(ordered)` with the function that makes a key ordered, which for many keys does
// nothing.
template <class K, class Function>
HWY_INLINE auto with_order(KeyBits<K> bits, Function function) {
  if (bits.is_identity()) return function([](K raw) { return raw; });
  return function([bits](K raw) { return bits.ordered(raw); });
}

template <class K>
K count_digits(const CountWork<K>& work) {
  // Two sets of counts, because incrementing one twice in a row waits for the first store.
  std::uint32_t odd[std::size_t{1} << kMostDigitBits];
  std::uint32_t* const even = work.counts;
  const std::size_t values = work.digit.values();
  std::fill_n(even, values, 0);
  std::fill_n(odd, values, 0);
  const K* const keys = work.keys;
  const std::size_t count = work.count;
  const K reference = work.reference;
  const DigitOf<K> digit_of(work.digit);
  const K differing = with_order(work.bits, [=, &odd](auto ordered) {
    K differing = 0;
    std::size_t i = 0;
#pragma GCC unroll 4
    for (; i + 2 <= count; i += 2) {
      const K first = ordered(keys[i]);
      const K second = ordered(keys[i + 1]);
      differing |= (first ^ reference) | (second ^ reference);
      ++even[digit_of(first)];
      ++odd[digit_of(second)];
    }
    if (i < count) {
      const K last = ordered(keys[i]);
      differing |= last ^ reference;
      ++even[digit_of(last)];
    }
    return differing;
  });
  for (std::size_t d = 0; d < values; ++d) even[d] += odd[d];
  return differing;
}

// Number of elements of a digit that are written at once.
template <class K, class V>
inline constexpr std::size_t kLineElements = kLineBytes / std::max(sizeof(K), sizeof(V));

// A digit's elements before they are written.
template <class K, class V>
struct alignas(kCacheLine) Line {
  K keys[kLineElements<K, V>];
  V values[kLineElements<K, V>];
};
template <class K>
struct alignas(kCacheLine) Line<K, NoValue> {
  K keys[kLineElements<K, NoValue>];
};

// An output array that is written by lines: from `base` on, which is at or before its begin.
template <class T>
struct LineOutput {
  T* base;
  bool is_streaming;  // Whole lines are aligned, and written past the caches.

  template <std::size_t kElements>
  HWY_INLINE void write(const T (&line)[kElements], std::size_t begin) const {
    const hn::CappedTag<T, kCacheLine / sizeof(T)> d;
    for (std::size_t i = 0; i < kElements; i += hn::Lanes(d)) {
      const auto vector = hn::Load(d, line + i);
      if (is_streaming) {
        hn::Stream(vector, d, base + begin + i);
      } else {
        hn::StoreU(vector, d, base + begin + i);
      }
    }
  }
};

// The targets of lines. Positions are counted from a border of the keys' cache lines.
template <class K, class V>
class LineWriter {
  static constexpr bool kHasValues = !std::is_same_v<V, NoValue>;

 public:
  static constexpr std::size_t kElements = kLineElements<K, V>;

  explicit LineWriter(const ScatterWork<K, V>& work)
      : lead_(address(work.keys_to) % kLineBytes / sizeof(K) % kElements),
        keys_to_{work.keys_to - lead_, work.is_streaming} {
    if constexpr (kHasValues) {
      V* const base = work.values_to - lead_;
      values_to_ = {base, work.is_streaming && address(base) % kCacheLine == 0};
    }
  }

  // Returns the offset that is added to a position in the outputs.
  std::size_t lead() const { return lead_; }

  // Writes the line that ends at `end`, except for elements before `begin`.
  HWY_INLINE void write(const Line<K, V>& line, std::size_t begin, std::size_t end) const {
    const std::size_t line_begin = end - kElements;
    if (HWY_UNLIKELY(line_begin < begin)) {
      write_each(line, line_begin, begin, end);
      return;
    }
    keys_to_.write(line.keys, line_begin);
    if constexpr (kHasValues) values_to_.write(line.values, line_begin);
  }

  // Writes the elements left when `end` is the position of the next one.
  void finish(const Line<K, V>& line, std::size_t begin, std::size_t end) const {
    const std::size_t line_begin = end / kElements * kElements;
    write_each(line, line_begin, std::max(begin, line_begin), end);
  }

 private:
  static std::uintptr_t address(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

  // Writes elements [begin, end) of the line that begins at `line_begin`.
  HWY_NOINLINE void write_each(const Line<K, V>& line, std::size_t line_begin, std::size_t begin,
                               std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at) {
      keys_to_.base[at] = line.keys[at - line_begin];
      if constexpr (kHasValues) values_to_.base[at] = line.values[at - line_begin];
    }
  }

  std::size_t lead_;
  LineOutput<K> keys_to_;
  LineOutput<V> values_to_ = {};
};

// The values of a work's elements; of keys alone, any.
template <bool kMakesIndices, class K, class V>
HWY_INLINE auto values_of([[maybe_unused]] const ScatterWork<K, V>& work) {
  if constexpr (std::is_same_v<V, NoValue>) {
    return [](std::size_t) { return V{}; };
  } else if constexpr (kMakesIndices) {
    return [first = work.first_index](std::size_t i) { return static_cast<V>(first + i); };
  } else {
    return [values = work.values](std::size_t i) { return values[i]; };
  }
}

// Stores each element directly at its position.
template <class K, class V, class Ordered, class ValueOf, class BucketOf>
HWY_INLINE void scatter_directly(const ScatterWork<K, V>& work, Ordered ordered, ValueOf value_of,
                                 BucketOf bucket_of) {
  const K* const keys = work.keys;
  const std::size_t count = work.count;
  std::uint64_t* const next_indices = work.next_indices;
  K* const keys_to = work.keys_to;
  V* const values_to = work.values_to;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    const K key = ordered(keys[i]);
    const std::uint64_t index = next_indices[bucket_of(i, key)]++;
    keys_to[index] = key;
    if constexpr (!std::is_same_v<V, NoValue>) values_to[index] = value_of(i);
  }
}

// By lines, which are written as a whole, past the caches where they are streamed.
template <class K, class V, class Ordered, class ValueOf>
HWY_INLINE void scatter_by_lines(const ScatterWork<K, V>& work, Ordered ordered, ValueOf value_of) {
  constexpr std::size_t kElements = kLineElements<K, V>;
  const DigitOf<K> digit_of(work.digit);
  const K* const keys = work.keys;
  const std::size_t count = work.count;
  const std::size_t digits = work.digit.values();
  auto* const lines = reinterpret_cast<Line<K, V>*>(work.scratch);
  auto* const begins = reinterpret_cast<std::uint64_t*>(lines + digits);
  std::uint64_t* const ends = begins + digits;
  const LineWriter<K, V> writer(work);
  for (std::size_t d = 0; d < digits; ++d) {
    begins[d] = ends[d] = work.next_indices[d] + writer.lead();
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < count; ++i) {
    const K key = ordered(keys[i]);
    const std::size_t d = digit_of(key);
    const std::uint64_t end = ++ends[d];
    const std::size_t slot = (end - 1) % kElements;
    lines[d].keys[slot] = key;
    if constexpr (!std::is_same_v<V, NoValue>) lines[d].values[slot] = value_of(i);
    if (HWY_UNLIKELY(slot == kElements - 1)) writer.write(lines[d], begins[d], end);
  }
  for (std::size_t d = 0; d < digits; ++d) {
    writer.finish(lines[d], begins[d], ends[d]);
    work.next_indices[d] = ends[d] - writer.lead();
  }
  if (work.is_streaming) hwy::FlushStream();
}

template <bool kMakesIndices, class K, class V>
void scatter_elements(const ScatterWork<K, V>& work) {
  const auto value_of = values_of<kMakesIndices>(work);
  with_order(work.bits, [&](auto ordered) {
    if (work.buckets != nullptr) {
      scatter_directly(work, ordered, value_of,
                       [buckets = work.buckets](std::size_t i, K) { return buckets[i]; });
    } else if (work.digit.bits <= kMostDirectBits) {
      const DigitOf<K> digit_of(work.digit);
      scatter_directly(work, ordered, value_of, [=](std::size_t, K key) { return digit_of(key); });
    } else {
      scatter_by_lines(work, ordered, value_of);
    }
  });
}

template <class K, class V>
void scatter(const ScatterWork<K, V>& work) {
  if (!std::is_same_v<V, NoValue> && work.values == nullptr) {
    scatter_elements<true>(work);
  } else {
    scatter_elements<false>(work);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::radix_sort
HWY_AFTER_NAMESPACE();

#endif
