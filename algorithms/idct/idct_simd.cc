#include <millrace/algorithms/idct/idct_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/idct/idct_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// After foreach_target.h, as Highway asks:
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <millrace/algorithms/idct/idct_vector_inl.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace millrace::idct {
namespace HWY_NAMESPACE {
namespace {

// Macroblocks between the one at work and the one prefetched.
constexpr std::size_t kPrefetchDistance = 8;

template <Stores stores>
struct ResidualOutput {
  static constexpr bool kStreaming = stores == Stores::kStreaming;
  std::int16_t* residual;

  HWY_INLINE ResidualPlace place(std::size_t macroblock) const {
    return {residual + kMacroblockSamples * macroblock};
  }
};

struct PictureOutput {
  static constexpr bool kStreaming = false;
  ConstPlane prediction;
  Plane output;

  HWY_INLINE PicturePlace place(std::size_t macroblock) const {
    return {prediction.macroblock(macroblock), prediction.stride, output.macroblock(macroblock),
            output.stride};
  }
};

HWY_INLINE void prefetch_macroblock(const std::int16_t* coefficients) {
  for (int line = 0; line < 8; ++line) {
    hwy::Prefetch(coefficients + 32 * line);
  }
}

template <class D, bool ordered, class Output>
HWY_INLINE void run_items(const Batch& batch, const Output& output) {
  const auto macroblock = [&batch](std::size_t item) {
    return ordered ? std::size_t{batch.order[item]} : item;
  };
  for (std::size_t item = batch.begin; item < batch.end; ++item) {
    if constexpr (ordered || Output::kStreaming) {
      const std::size_t ahead = std::min(item + kPrefetchDistance, batch.end - 1);
      prefetch_macroblock(batch.coefficients + kMacroblockSamples * macroblock(ahead));
    }
    const std::size_t m = macroblock(item);
    const std::int16_t* coefficients = batch.coefficients + kMacroblockSamples * m;
    if (batch.sizes[m] == TransformSize::k4x4) {
      transform_macroblock<D, TransformSize::k4x4, Output::kStreaming>(coefficients,
                                                                       output.place(m));
    } else {
      transform_macroblock<D, TransformSize::k8x8, Output::kStreaming>(coefficients,
                                                                       output.place(m));
    }
  }
}

template <class D, class Output>
HWY_INLINE void run(const Batch& batch, const Output& output) {
  if (batch.order != nullptr) {
    run_items<D, true>(batch, output);
  } else {
    run_items<D, false>(batch, output);
  }
}
}  // namespace

void inverse_transform_cached(const Batch& batch, std::int16_t* residual, bool half_width) {
  const ResidualOutput<Stores::kCached> output{residual};
  half_width ? run<HalfWidth>(batch, output) : run<FullWidth>(batch, output);
}

void inverse_transform_streaming(const Batch& batch, std::int16_t* residual, bool half_width) {
  const ResidualOutput<Stores::kStreaming> output{residual};
  half_width ? run<HalfWidth>(batch, output) : run<FullWidth>(batch, output);
  hwy::FlushStream();
}

void reconstruct_picture(const Batch& batch, ConstPlane prediction, Plane output, bool half_width) {
  const PictureOutput picture{prediction, output};
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

void inverse_transform(const Batch& batch, std::int16_t* residual, Stores stores) {
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

void reconstruct(const Batch& batch, ConstPlane prediction, Plane output) {
  if (batch.begin < batch.end) {
    HWY_DYNAMIC_DISPATCH(reconstruct_picture)(batch, prediction, output, half_width);
  }
}

void set_half_width_for_test(bool value) { half_width = value; }

}  // namespace millrace::idct
#endif  // HWY_ONCE
