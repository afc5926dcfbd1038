// SPDX-License-Identifier: Apache-2.0

// The quantiser of chroma (ITU-T H.264 clause 8.5.8).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CHROMA_QP_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CHROMA_QP_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Returns QP_C, 0 to 39, for QP_Y and a component's chroma_qp_index_offset.
MILLRACE_FUNCTION constexpr int chroma_qp(int qp, int offset) {
  const int index = qp + offset < 0 ? 0 : qp + offset > 51 ? 51 : qp + offset;
  // Table 8-15 less 29, from qPI = 29 on, four bits each.
  constexpr std::uint64_t kTo44 = 0x8887766554332100;
  constexpr std::uint64_t kTo51 = 0xaaaa999;
  if (index < 30) {
    return index;
  }
  return 29 + static_cast<int>(index < 45 ? kTo44 >> (4 * (index - 29)) & 15
                                          : kTo51 >> (4 * (index - 45)) & 15);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CHROMA_QP_H_
