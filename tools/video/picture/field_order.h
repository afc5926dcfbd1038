// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_FIELD_ORDER_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_FIELD_ORDER_H_

namespace millrace::tools {

// Which field of a frame is shown first. kMixed: frames of a clip differ.
enum class FieldOrder { kUnknown, kProgressive, kTopFirst, kBottomFirst, kMixed };

// Returns true where at least some frames hold two fields of different times.
constexpr bool is_interlaced(FieldOrder order) {
  return order == FieldOrder::kTopFirst || order == FieldOrder::kBottomFirst ||
         order == FieldOrder::kMixed;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_FIELD_ORDER_H_
