// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_TOOLS_VIDEO_PICTURE_FIELD_ORDER_H_
#define MILLRACE_TOOLS_VIDEO_PICTURE_FIELD_ORDER_H_

namespace millrace::tools {

// The field of a frame that is shown first. kMixed: frames of a clip differ.
enum class FieldOrder { kUnknown, kProgressive, kTopFirst, kBottomFirst, kMixed };

// Returns true if at least some frames have two fields of different times.
constexpr bool is_interlaced(FieldOrder order) {
  return order == FieldOrder::kTopFirst || order == FieldOrder::kBottomFirst ||
         order == FieldOrder::kMixed;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_PICTURE_FIELD_ORDER_H_
