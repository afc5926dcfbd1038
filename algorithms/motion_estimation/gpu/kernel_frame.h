// SPDX-License-Identifier: Apache-2.0

// Addressing of samples and macroblocks, shared by the kernels of motion search.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_KERNEL_FRAME_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_KERNEL_FRAME_H_

#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/core/target_function.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace millrace::MILLRACE_GPU {

using motion::kMacroblockWidth;
using motion::kPartitions;
using motion::LumaPlane;
using motion::MotionField;
using motion::MotionVector;
using motion::SearchFrame;
using motion::SearchOptions;

// Words of the widest access of a lane.
inline constexpr int kVectorWords = sizeof(gpu::Vector16) / sizeof(std::uint32_t);

MILLRACE_FUNCTION constexpr int clamped(int value, int least, int most) {
  if (value < least) return least;
  return value < most ? value : most;
}

// Calls function(i) for i = 0 .. kCount - 1, each a constant, so that arrays indexed by it may stay
// in registers.
template <int kCount, class Function>
MILLRACE_FUNCTION void for_constants(const Function& function) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    (function(std::integral_constant<int, i>()), ...);
  }
  (std::make_integer_sequence<int, kCount>());
}

// Returns the low word of two, shifted right by 0 to 31 bits.
MILLRACE_FUNCTION constexpr std::uint32_t funnel_shift(std::uint32_t low, std::uint32_t high,
                                                       int shift) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> shift);
}

// A plane as kernels read it: in words of four or two samples, and beyond its edges.
template <class Sample>
class WordPlane {
 public:
  static constexpr int kWordSamples = static_cast<int>(sizeof(std::uint32_t) / sizeof(Sample));
  static constexpr int kSampleBits = static_cast<int>(8 * sizeof(Sample));

  WordPlane() = default;
  explicit WordPlane(const LumaPlane<Sample>& plane)
      : plane_(plane),
        has_words_(reinterpret_cast<std::uintptr_t>(plane.data) % sizeof(std::uint32_t) == 0 &&
                   plane.stride % kWordSamples == 0) {}

  // Returns a view of the samples of another plane with the same geometry.
  MILLRACE_FUNCTION WordPlane of(const Sample* data) const {
    WordPlane other = *this;
    other.plane_.data = data;
    return other;
  }

  // Returns true if the planes have the same geometry.
  bool is_like(const WordPlane& other) const {
    return plane_.width == other.plane_.width && plane_.height == other.plane_.height &&
           plane_.stride == other.plane_.stride && has_words_ == other.has_words_;
  }

  MILLRACE_FUNCTION int width() const { return plane_.width; }
  MILLRACE_FUNCTION int height() const { return plane_.height; }
  MILLRACE_FUNCTION std::ptrdiff_t stride() const { return plane_.stride; }

  // Returns the row that is read for row `y`, which may be outside.
  MILLRACE_FUNCTION const Sample* row(int y) const {
    return plane_.data + clamped(y, 0, plane_.height - 1) * plane_.stride;
  }

  // Returns the samples from column `x` on, the first lowest; `x` is any multiple of kWordSamples.
  MILLRACE_FUNCTION std::uint32_t word(const Sample* row, int x) const {
    constexpr std::uint32_t kOfEach = 0xffffffff / ((std::uint32_t{1} << kSampleBits) - 1);
    if (x < 0) return kOfEach * row[0];
    if (x >= plane_.width) return kOfEach * row[plane_.width - 1];
    return word_inside(row, x);
  }

  // The same as word(), but `x` is a column of the plane.
  MILLRACE_FUNCTION std::uint32_t word_inside(const Sample* row, int x) const {
    if (has_words_) return inside_word(row, x);
    std::uint32_t word = 0;
    for (int i = 0; i < kWordSamples; ++i) {
      word |= static_cast<std::uint32_t>(row[x + i]) << (kSampleBits * i);
    }
    return word;
  }

  // Returns true if `count` words from column `x` on are inside the plane, where inside_word()
  // reads them.
  MILLRACE_FUNCTION bool has_words(int x, int count) const {
    return has_words_ && x >= 0 && x + count * kWordSamples <= plane_.width;
  }

  MILLRACE_FUNCTION std::uint32_t inside_word(const Sample* row, int x) const {
    return *reinterpret_cast<const std::uint32_t*>(row + x);
  }

  // Returns samples 2 i and 2 i + 1 of words, as halves of a word.
  MILLRACE_FUNCTION static std::uint32_t pair(const std::uint32_t* words, int i) {
    if constexpr (sizeof(Sample) == 2) return words[i];
    return i % 2 == 0 ? permute_bytes<0x4140>(words[i / 2], 0)
                      : permute_bytes<0x4342>(words[i / 2], 0);
  }

 private:
  LumaPlane<Sample> plane_ = {};
  bool has_words_ = false;
};

// Position of a macroblock in samples.
struct MacroblockPosition {
  int x;
  int y;
};

// Maps macroblocks of a plane, numbered in raster order, to positions without a division on the
// device: that would take some 25 instructions, of 2,400 of a thread's refinement.
class MacroblockRaster {
 public:
  constexpr MacroblockRaster() = default;
  constexpr explicit MacroblockRaster(int per_row)
      : per_row_(per_row),
        inverse_((std::uint64_t{1} << kBits) / static_cast<unsigned>(per_row) + 1) {}

  // Exact in pictures of up to 2^13 x 2^13 macroblocks, four times the largest allowed width and
  // height.
  MILLRACE_FUNCTION constexpr MacroblockPosition position(int macroblock) const {
    const auto row = static_cast<int>(static_cast<unsigned>(macroblock) * inverse_ >> kBits);
    return {(macroblock - row * per_row_) * kMacroblockWidth, row * kMacroblockWidth};
  }

 private:
  static constexpr int kBits = 40;

  int per_row_ = 0;
  std::uint64_t inverse_ = 0;
};

static_assert(MacroblockRaster(1).position(8191).y == 8191 * kMacroblockWidth);
static_assert(MacroblockRaster(3).position(3 * 8192 - 1).y == 8191 * kMacroblockWidth);
static_assert(MacroblockRaster(8191).position(8191 * 8192 - 1).x == 8190 * kMacroblockWidth);
static_assert(MacroblockRaster(8192).position(8192 * 8192 - 1).y == 8191 * kMacroblockWidth);

// A SearchFrame as kernels read it.
template <class Sample>
struct KernelFrame {
  KernelFrame() = default;
  explicit KernelFrame(const SearchFrame<Sample>& frame)
      : current(frame.current),
        reference(frame.reference),
        raster(frame.current.macroblocks_per_row()),
        predictors(frame.predictors),
        predictor_stride(frame.predictor_stride) {}

  // Returns the limited predictor.
  MILLRACE_FUNCTION MotionVector predictor(int macroblock) const {
    return limited_predictor(predictors[macroblock * predictor_stride]);
  }

  WordPlane<Sample> current;
  WordPlane<Sample> reference;
  MacroblockRaster raster;
  const MotionVector* predictors = nullptr;
  std::ptrdiff_t predictor_stride = 0;
};

// Returns the bits of a vector's component, as motion::difference_bits.
MILLRACE_FUNCTION constexpr int bits_of_difference(int difference) {
  const auto magnitude = static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
  return 2 * static_cast<int>(std::bit_width(magnitude)) + 1;
}

// Consecutive macroblocks in raster order.
struct MacroblockSpan {
  int first = 0;
  int count = 0;
};

template <class Sample>
MacroblockSpan span_of(const motion::MacroblockRows& rows, const LumaPlane<Sample>& plane) {
  const motion::MacroblockRows selected = rows.of(plane.height / kMacroblockWidth);
  const int of_row = plane.macroblocks_per_row();
  return {selected.first * of_row, selected.count * of_row};
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_KERNEL_FRAME_H_
