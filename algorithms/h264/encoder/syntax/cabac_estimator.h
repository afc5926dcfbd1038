// SPDX-License-Identifier: Apache-2.0

// Estimates the bits that a CabacEncoder would write, from the probabilities of its states.
//
//   CabacEstimator estimator(kCabacTables, kCabacCosts, encoder.states());
//   CabacCoder<CabacEstimator> coder(kCabacTables, estimator);
//   coder.residual_block<BlockCategory::kLuma4x4, 16>(increment, levels);
//   estimator.cost();  // In units of 1 / CabacCosts::kOneBit bit.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CABAC_ESTIMATOR_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CABAC_ESTIMATOR_H_

#include <millrace/algorithms/h264/encoder/syntax/cabac_costs.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_states.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/common/leading_zeros.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Has CabacEncoder's functions that CabacCoder calls. Copies the states; neither the tables nor the
// costs are owned.
class CabacEstimator {
 public:
  MILLRACE_FUNCTION CabacEstimator(const CabacTables& tables, const CabacCosts& costs,
                                   const CabacStates& states)
      : tables_(tables), costs_(costs), states_(states) {}

  MILLRACE_FUNCTION void bin(int context, bool value) {
    std::uint8_t& state = states_.of[context];
    const unsigned old_state = state;
    const unsigned is_lps = (value ? 1U : 0U) ^ (old_state & 1);
    cost_ += costs_.bins[(old_state & ~1U) | is_lps];
    state = tables_.next_state[is_lps][old_state];
  }
  MILLRACE_FUNCTION void bypass(bool /*value*/) { cost_ += CabacCosts::kOneBit; }
  // The suffix of UEGk has 2 * floor(log2(value / 2^k + 1)) + 1 + k bits.
  MILLRACE_FUNCTION void exponential_golomb(int value, int k) {
    const int prefix = 63 - leading_zeros((static_cast<std::uint64_t>(value) >> k) + 1);
    cost_ += static_cast<std::uint64_t>(2 * prefix + 1 + k) * CabacCosts::kOneBit;
  }
  MILLRACE_FUNCTION void terminate(bool value) {
    cost_ += value ? CabacCosts::kEnd : CabacCosts::kNotEnd;
  }

  MILLRACE_FUNCTION void begin_pcm() {}
  MILLRACE_FUNCTION void pcm_sample(int /*sample*/) { cost_ += 8 * CabacCosts::kOneBit; }
  MILLRACE_FUNCTION void restart() {}

  // Returns the states after the bins.
  MILLRACE_FUNCTION const CabacStates& states() const { return states_; }
  // Returns the bits so far, in units of 1 / CabacCosts::kOneBit bit.
  MILLRACE_FUNCTION std::uint64_t cost() const { return cost_; }

 private:
  const CabacTables& tables_;
  const CabacCosts& costs_;
  CabacStates states_;
  std::uint64_t cost_ = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_CABAC_ESTIMATOR_H_
