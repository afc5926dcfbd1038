// SPDX-License-Identifier: Apache-2.0

// The coefficients of a picture that are not 0, and where those of each macroblock are.
#ifndef MILLRACE_ALGORITHMS_H264_PICTURE_COEFFICIENTS_H_
#define MILLRACE_ALGORITHMS_H264_PICTURE_COEFFICIENTS_H_

#include <millrace/algorithms/h264/coded_coefficient.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace millrace::h264 {

// Owns one list for all macroblocks, in the order in which they were added. Its capacity never
// shrinks.
class PictureCoefficients {
 public:
  // The number of macroblocks; 0 where coefficients are not wanted.
  std::size_t size() const { return ranges_.size(); }
  bool are_wanted() const { return !ranges_.empty(); }

  // Removes all coefficients. Ranges keep old values until they are set.
  void reset(std::size_t macroblocks) {
    list_.clear();
    ranges_.resize(macroblocks);
  }

  // Returns the list of a macroblock; an empty one where coefficients are not wanted.
  CoefficientView of(std::size_t macroblock) const {
    if (macroblock >= ranges_.size()) return {};
    const CoefficientRange range = ranges_[macroblock];
    return {list_.data() + range.first, range.count};
  }
  // Empties the list of a macroblock. Those of others stay where they are.
  void remove(std::size_t macroblock) { ranges_[macroblock] = {}; }
  // Replaces the coefficients of a macroblock.
  void set(std::size_t macroblock, CoefficientView coded) {
    const auto first = static_cast<std::uint32_t>(list_.size());
    list_.insert(list_.end(), coded.begin(), coded.end());
    ranges_[macroblock] = {first, static_cast<std::uint16_t>(coded.count)};
  }
  void set(std::size_t macroblock, const MacroblockCoefficients& dense) {
    CodedCoefficient coded[kMacroblockCoefficients];
    int count = 0;
    const auto* const values = reinterpret_cast<const std::int16_t*>(&dense);
    for (int index = 0; index < kMacroblockCoefficients; ++index) {
      if (values[index] == 0) continue;
      coded[count++] = {static_cast<std::uint16_t>(index), values[index]};
    }
    set(macroblock, CoefficientView{coded, count});
  }

  std::span<const CodedCoefficient> list() const { return list_; }
  std::span<CodedCoefficient> list() { return list_; }
  std::span<const CoefficientRange> ranges() const { return ranges_; }
  std::span<CoefficientRange> ranges() { return ranges_; }

  // Appends `count` coefficients without values and returns them; the caller writes the first ones
  // and calls shorten(). Memory that is not written to is not touched.
  CodedCoefficient* extend(std::size_t count) {
    const std::size_t before = list_.size();
    list_.resize(before + count);
    return list_.data() + before;
  }
  void shorten(std::size_t list_size) { list_.resize(list_size); }

 private:
  // Leaves elements without values uninitialised.
  template <class T>
  struct Allocator : std::allocator<T> {
    template <class U>
    struct rebind {  // NOLINT(readability-identifier-naming): the standard's name.
      using other = Allocator<U>;
    };
    template <class U, class... Arguments>
    void construct(U* memory, Arguments&&... arguments) {
      if constexpr (sizeof...(Arguments) == 0) {
        static_assert(std::is_trivially_default_constructible_v<U>);
        ::new (static_cast<void*>(memory)) U;
      } else {
        ::new (static_cast<void*>(memory)) U{arguments...};
      }
    }
  };

  std::vector<CodedCoefficient, Allocator<CodedCoefficient>> list_;
  std::vector<CoefficientRange> ranges_;  // Indexed by macroblock.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURE_COEFFICIENTS_H_
