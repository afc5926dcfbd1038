// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/cpu/idct_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/idct/cpu/idct_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/idct/cpu/idct_vector_inl.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace millrace::idct {
namespace HWY_NAMESPACE {
namespace {

// Distance, in items, of the prefetch when the batch is given by an order.
constexpr std::size_t kPrefetchDistance = 8;

// Items classified together when streaming: 8 KiB of coefficients.
constexpr std::size_t kWindow = 16;

template <Stores stores>
struct BatchToResidual {
  static constexpr bool kStreaming = stores == Stores::kStreaming;
  static constexpr bool kIsPicture = false;
  std::int16_t* residual;

  HWY_INLINE ResidualPosition position(std::size_t macroblock) const {
    return {residual + kMacroblockSamples * macroblock};
  }
};

struct BatchToPicture {
  static constexpr bool kStreaming = false;
  static constexpr bool kIsPicture = true;
  ConstPlane prediction;
  Plane output;

  HWY_INLINE PicturePosition position(std::size_t macroblock) const {
    return {prediction.macroblock(macroblock), prediction.stride, output.macroblock(macroblock),
            output.stride};
  }
};

template <bool ordered>
HWY_INLINE std::size_t macroblock_of(const MacroblockBatch& batch, std::size_t item) {
  return ordered ? std::size_t{batch.order[item]} : item;
}

// Macroblocks of a picture that share cache lines: a row of 16 samples takes 16 bytes of 64.
constexpr std::size_t kSharedLine = 4;

// Distance, in macroblocks, of the prefetch of samples.
constexpr std::size_t kPictureDistance = 8;

// Prefetches the rows of a macroblock in both pictures if it is the first of its cache lines. The
// hardware prefetcher does not follow 32 rows at once.
HWY_INLINE void prefetch_samples(const PicturePosition& position) {
  for (int row = 0; row < kMacroblockWidth; ++row) {
    const PicturePosition here = position.moved(row, 0);
    hwy::Prefetch(here.from);
    hwy::Prefetch(here.to);
  }
}

template <bool ordered>
HWY_INLINE void prefetch(const MacroblockBatch& batch, std::size_t item) {
  const std::size_t m = macroblock_of<ordered>(batch, std::min(item, batch.end - 1));
  for (int line = 0; line < 8; ++line) {
    hwy::Prefetch(batch.coefficients + kMacroblockSamples * m + 32 * line);
  }
}

template <class D, TransformSize size, class Output>
HWY_INLINE void run_macroblock(const MacroblockBatch& batch, const Output& output, std::size_t m) {
  transform_macroblock<D, size, Output::kStreaming>(batch.coefficients + kMacroblockSamples * m,
                                                    output.position(m));
}

template <class D, bool ordered, class Output>
HWY_INLINE void run_in_order(const MacroblockBatch& batch, const Output& output) {
  [[maybe_unused]] std::size_t prefetched_line = std::numeric_limits<std::size_t>::max();
  for (std::size_t item = batch.begin; item < batch.end; ++item) {
    if constexpr (ordered) {
      prefetch<ordered>(batch, item + kPrefetchDistance);
    }
    const std::size_t m = macroblock_of<ordered>(batch, item);
    if constexpr (Output::kIsPicture) {
      const std::size_t ahead = std::min(item + kPictureDistance, batch.end - 1);
      const std::size_t line = macroblock_of<ordered>(batch, ahead) / kSharedLine;
      if (line != prefetched_line) prefetch_samples(output.position(line * kSharedLine));
      prefetched_line = line;
    }
    if (batch.sizes[m] == TransformSize::k4x4) {
      run_macroblock<D, TransformSize::k4x4>(batch, output, m);
    } else {
      run_macroblock<D, TransformSize::k8x8>(batch, output, m);
    }
  }
}

// Transforms the items of a window whose bit is set, and prefetches an item of the next window for
// each.
template <class D, TransformSize size, bool ordered, class Output>
HWY_INLINE void run_set(const MacroblockBatch& batch, const Output& output, std::size_t window,
                        unsigned set, std::size_t& next) {
  for (; set != 0; set &= set - 1) {
    prefetch<ordered>(batch, next++);
    const std::size_t item = window + static_cast<std::size_t>(std::countr_zero(set));
    run_macroblock<D, size>(batch, output, macroblock_of<ordered>(batch, item));
  }
}

// Processes the two types of a window one after the other, which avoids mispredicted branches. The
// hardware prefetcher cannot follow this order, so the code prefetches itself. This is faster only
// for a queue in memory.
template <class D, bool ordered, class Output>
HWY_INLINE void run_in_windows(const MacroblockBatch& batch, const Output& output) {
  for (std::size_t window = batch.begin; window < batch.end; window += kWindow) {
    const std::size_t count = std::min(kWindow, batch.end - window);
    unsigned are_8x8 = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t m = macroblock_of<ordered>(batch, window + k);
      are_8x8 |= (batch.sizes[m] == TransformSize::k8x8 ? 1U : 0U) << k;
    }
    const unsigned are_4x4 = ~are_8x8 & ((1U << count) - 1);
    std::size_t next = window + kWindow;
    run_set<D, TransformSize::k4x4, ordered>(batch, output, window, are_4x4, next);
    run_set<D, TransformSize::k8x8, ordered>(batch, output, window, are_8x8, next);
  }
}

template <class D, bool ordered, class Output>
HWY_INLINE void run_items(const MacroblockBatch& batch, const Output& output) {
  if constexpr (Output::kStreaming) {
    run_in_windows<D, ordered>(batch, output);
  } else {
    run_in_order<D, ordered>(batch, output);
  }
}

template <class D, class Output>
HWY_INLINE void run(const MacroblockBatch& batch, const Output& output) {
  if (batch.order != nullptr) {
    run_items<D, true>(batch, output);
  } else {
    run_items<D, false>(batch, output);
  }
}
}  // namespace

void inverse_transform_cached(const MacroblockBatch& batch, std::int16_t* residual,
                              bool half_width) {
  const BatchToResidual<Stores::kCached> output{residual};
  half_width ? run<HalfWidth>(batch, output) : run<FullWidth>(batch, output);
}

void inverse_transform_streaming(const MacroblockBatch& batch, std::int16_t* residual,
                                 bool half_width) {
  const BatchToResidual<Stores::kStreaming> output{residual};
  half_width ? run<HalfWidth>(batch, output) : run<FullWidth>(batch, output);
  hwy::FlushStream();
}

void reconstruct_picture(const MacroblockBatch& batch, ConstPlane prediction, Plane output,
                         bool half_width) {
  const BatchToPicture picture{prediction, output};
  half_width ? run<HalfWidth>(batch, picture) : run<FullWidth>(batch, picture);
}

}  // namespace HWY_NAMESPACE
}  // namespace millrace::idct
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::idct {
namespace {

// Zen 4 (AMD family 19h) runs AVX-512 on 256-bit units, so the half-width code, which needs no
// moves between vector halves, is faster there.
bool prefers_half_width() {
#if HWY_ARCH_X86
  return __builtin_cpu_is("amdfam19h");
#else
  return false;
#endif
}

bool half_width = prefers_half_width();

}  // namespace

HWY_EXPORT(inverse_transform_cached);
HWY_EXPORT(inverse_transform_streaming);
HWY_EXPORT(reconstruct_picture);

void inverse_transform(const MacroblockBatch& batch, std::int16_t* residual, Stores stores) {
  if (batch.begin >= batch.end) {
    return;
  }
  const bool aligned = reinterpret_cast<std::uintptr_t>(residual) % 64 == 0;
  if (stores == Stores::kStreaming && aligned) {
    HWY_DYNAMIC_DISPATCH(inverse_transform_streaming)(batch, residual, half_width);
  } else {
    HWY_DYNAMIC_DISPATCH(inverse_transform_cached)(batch, residual, half_width);
  }
}

void reconstruct(const MacroblockBatch& batch, ConstPlane prediction, Plane output) {
  if (batch.begin < batch.end) {
    HWY_DYNAMIC_DISPATCH(reconstruct_picture)(batch, prediction, output, half_width);
  }
}

void set_half_width_for_test(bool value) { half_width = value; }

}  // namespace millrace::idct
#endif  // HWY_ONCE
