// SPDX-License-Identifier: Apache-2.0

// The states of all contexts of a slice (ITU-T H.264 clause 9.3.1.1).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_STATES_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_STATES_H_

#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/slice.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

struct CabacStates {
  std::uint8_t of[kCabacContexts];  // 2 * pStateIdx + valMPS, by context.
};

// The values of a slice that its first states depend on.
struct CabacSlice {
  SliceType type;
  int cabac_table;  // cabac_init_idc; not for kI.
  int qp;
};

// Returns the states that a slice begins with.
MILLRACE_FUNCTION inline CabacStates first_cabac_states(const CabacTables& tables,
                                                        const CabacSlice& slice) {
  CabacStates states;
  const auto& initial = tables.initial[slice.type == SliceType::kI ? 0 : 1 + slice.cabac_table];
  for (int context = 0; context < kCabacContexts; ++context) {
    const int scaled = (initial[context][0] * slice.qp >> 4) + initial[context][1];
    const int state = scaled < 1 ? 1 : scaled > 126 ? 126 : scaled;
    states.of[context] =
        static_cast<std::uint8_t>(state < 64 ? 2 * (63 - state) : 2 * (state - 64) + 1);
  }
  return states;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_STATES_H_
