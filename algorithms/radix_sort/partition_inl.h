// One pass of partitioning: counting digits and moving elements. A part of radix_sort_simd.cc,
// which is compiled once per target.

#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <millrace/algorithms/radix_sort/radix_sort_simd.h>

#include <algorithm>
#include <type_traits>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_RADIX_SORT_PARTITION_INL_H_)
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_PARTITION_INL_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_PARTITION_INL_H_
#else
#undef MILLRACE_ALGORITHMS_RADIX_SORT_PARTITION_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::radix_sort {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Up to so many bits, the places that are written at a time are few enough for the processor's
// caches and for the pages it knows.
inline constexpr int kMostDirectBits = 8;

// The value of a digit.
template <class K>
class DigitOf {
 public:
  explicit DigitOf(Digit digit) : shift_(digit.shift), mask_(static_cast<K>(digit.values() - 1)) {}

  HWY_INLINE std::size_t operator()(K ordered) const { return (ordered >> shift_) & mask_; }

 private:
  int shift_;
  K mask_;
};

// Calls `function(ordered)` with what makes a key ordered, which for many keys is nothing.
template <class K, class Function>
HWY_INLINE auto with_order(KeyBits<K> bits, Function function) {
  if (bits.is_identity()) return function([](K raw) { return raw; });
  return function([bits](K raw) { return bits.ordered(raw); });
}

template <class K>
K count_digits(const CountWork<K>& work) {
  // Two sets of counts, because to increase one twice in a row waits for the first store.
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

// A digit's elements on their way out.
template <class T>
struct alignas(kCacheLine) Line {
  static constexpr std::size_t kElements = kLineBytes / sizeof(T);
  T elements[kElements];
};

// Where lines of T go. Places are counted from a line's border at or before the output's begin.
template <class T>
class LineOutput {
 public:
  static constexpr std::size_t kElements = Line<T>::kElements;

  LineOutput(T* output, bool is_streaming) : is_streaming_(is_streaming) {
    const auto address = reinterpret_cast<std::uintptr_t>(output);
    base_ = reinterpret_cast<T*>(address / kLineBytes * kLineBytes);
    lead_ = address % kLineBytes / sizeof(T);
  }

  // Elements of a digit begin at `begin`; the one put is at `place`, both counted in the output.
  HWY_INLINE void put(Line<T>& line, T element, std::size_t place,
                      const std::uint64_t& begin) const {
    const std::size_t slot = (place + lead_) % kElements;
    line.elements[slot] = element;
    if (HWY_UNLIKELY(slot == kElements - 1)) write(line, place + lead_, begin + lead_);
  }

  // Writes what is left in a line when `end` is the place of the next element.
  void finish(const Line<T>& line, std::size_t begin, std::size_t end) const {
    const std::size_t line_begin = (end + lead_) / kElements * kElements;
    write_part(line, line_begin, std::max(begin + lead_, line_begin), end + lead_);
  }

 private:
  // The line whose last element is at `last`, but for what is before `begin`.
  HWY_INLINE void write(const Line<T>& line, std::size_t last, std::size_t begin) const {
    const std::size_t line_begin = last + 1 - kElements;
    if (HWY_UNLIKELY(line_begin < begin)) {
      write_part(line, line_begin, begin, last + 1);
      return;
    }
    const hn::CappedTag<T, kCacheLine / sizeof(T)> d;
    for (std::size_t i = 0; i < kElements; i += hn::Lanes(d)) {
      const auto part = hn::Load(d, line.elements + i);
      if (is_streaming_) {
        hn::Stream(part, d, base_ + line_begin + i);
      } else {
        hn::Store(part, d, base_ + line_begin + i);
      }
    }
  }

  HWY_NOINLINE void write_part(const Line<T>& line, std::size_t line_begin, std::size_t begin,
                               std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at) base_[at] = line.elements[at - line_begin];
  }

  T* base_;
  std::size_t lead_;
  bool is_streaming_;
};

template <class K, class V>
struct Lines {
  Line<K> keys;
  Line<V> values;
};
template <class K>
struct Lines<K, NoValue> {
  Line<K> keys;
};

// The values of a work's elements; of keys alone, any.
template <bool kMakesIndices, class K, class V>
HWY_INLINE auto values_of(const ScatterWork<K, V>& work) {
  return [values = work.values, first_index = work.first_index](std::size_t i) {
    if constexpr (std::is_same_v<V, NoValue>) {
      return V{};
    } else {
      return kMakesIndices ? static_cast<V>(first_index + i) : values[i];
    }
  };
}

// Each element straight to its place.
template <class K, class V, class Ordered, class ValueOf>
HWY_INLINE void scatter_directly(const ScatterWork<K, V>& work, Ordered ordered, ValueOf value_of) {
  const DigitOf<K> digit_of(work.digit);
  const K* const keys = work.keys;
  const std::size_t count = work.count;
  std::uint64_t* const places = work.places;
  K* const keys_to = work.keys_to;
  V* const values_to = work.values_to;
  for (std::size_t i = 0; i < count; ++i) {
    const K key = ordered(keys[i]);
    const std::uint64_t place = places[digit_of(key)]++;
    keys_to[place] = key;
    if constexpr (!std::is_same_v<V, NoValue>) values_to[place] = value_of(i);
  }
}

// By lines, which are written as a whole, past the caches where they are streamed.
template <class K, class V, class Ordered, class ValueOf>
HWY_INLINE void scatter_by_lines(const ScatterWork<K, V>& work, Ordered ordered, ValueOf value_of) {
  constexpr bool kHasValues = !std::is_same_v<V, NoValue>;
  using Value = std::conditional_t<kHasValues, V, K>;
  const DigitOf<K> digit_of(work.digit);
  const K* const keys = work.keys;
  const std::size_t count = work.count;
  std::uint64_t* const places = work.places;
  const std::size_t digits = work.digit.values();
  auto* const lines = reinterpret_cast<Lines<K, V>*>(work.scratch);
  auto* const begins = reinterpret_cast<std::uint64_t*>(lines + digits);
  std::copy_n(places, digits, begins);
  const LineOutput<K> keys_to(work.keys_to, work.is_streaming);
  const LineOutput<Value> values_to(reinterpret_cast<Value*>(work.values_to), work.is_streaming);
  for (std::size_t i = 0; i < count; ++i) {
    const K key = ordered(keys[i]);
    const std::size_t d = digit_of(key);
    const std::uint64_t place = places[d]++;
    keys_to.put(lines[d].keys, key, place, begins[d]);
    if constexpr (kHasValues) values_to.put(lines[d].values, value_of(i), place, begins[d]);
  }
  for (std::size_t d = 0; d < digits; ++d) {
    keys_to.finish(lines[d].keys, begins[d], places[d]);
    if constexpr (kHasValues) values_to.finish(lines[d].values, begins[d], places[d]);
  }
  if (work.is_streaming) hwy::FlushStream();
}

template <bool kMakesIndices, class K, class V>
void scatter_elements(const ScatterWork<K, V>& work) {
  const auto value_of = values_of<kMakesIndices>(work);
  with_order(work.bits, [&](auto ordered) {
    if (work.digit.bits <= kMostDirectBits) {
      scatter_directly(work, ordered, value_of);
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
