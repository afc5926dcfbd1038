// SPDX-License-Identifier: Apache-2.0

// Kinds of macroblocks that features count: the type, and for inter macroblocks the type of slice.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_MACROBLOCK_KIND_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_MACROBLOCK_KIND_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/slice.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

enum class MacroblockKind : std::uint8_t {
  kIntra4x4,
  kIntra8x8,
  kIntra16x16,
  kPcm,
  kP16x16,
  kP16x8,
  kP8x16,
  kP8x8,
  kB16x16,
  kB16x8,
  kB8x16,
  kB8x8,
  kDirect,  // B_Direct_16x16, with coefficients.
  kPSkip,
  kBSkip,
  kLost,
};
inline constexpr int kMacroblockKinds = 16;

// Names of the kinds in output, in their order.
inline constexpr const char* kMacroblockKindNames[kMacroblockKinds] = {
    "I4x4",   "I8x8",  "I16x16", "PCM",  "P16x16", "P16x8", "P8x16", "P8x8",
    "B16x16", "B16x8", "B8x16",  "B8x8", "direct", "Pskip", "Bskip", "lost"};

// Returns the kind of a macroblock of a slice of type `slice`.
MILLRACE_FUNCTION constexpr MacroblockKind macroblock_kind(MacroblockType type, SliceType slice) {
  const bool is_b = slice == SliceType::kB;
  switch (type) {
    case MacroblockType::kIntra4x4: return MacroblockKind::kIntra4x4;
    case MacroblockType::kIntra8x8: return MacroblockKind::kIntra8x8;
    case MacroblockType::kIntra16x16: return MacroblockKind::kIntra16x16;
    case MacroblockType::kPcm: return MacroblockKind::kPcm;
    case MacroblockType::kInter16x16:
      return is_b ? MacroblockKind::kB16x16 : MacroblockKind::kP16x16;
    case MacroblockType::kInter16x8: return is_b ? MacroblockKind::kB16x8 : MacroblockKind::kP16x8;
    case MacroblockType::kInter8x16: return is_b ? MacroblockKind::kB8x16 : MacroblockKind::kP8x16;
    case MacroblockType::kInter8x8: return is_b ? MacroblockKind::kB8x8 : MacroblockKind::kP8x8;
    case MacroblockType::kDirect: return MacroblockKind::kDirect;
    case MacroblockType::kSkip: return is_b ? MacroblockKind::kBSkip : MacroblockKind::kPSkip;
    case MacroblockType::kLost: break;
  }
  return MacroblockKind::kLost;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_MACROBLOCK_KIND_H_
