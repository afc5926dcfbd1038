// SPDX-License-Identifier: Apache-2.0

// The arithmetic encoder of CABAC (ITU-T H.264 clause 9.3.4), for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_ENCODER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_ENCODER_H_

#include <millrace/algorithms/h264/bitstream/testing/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/slice.h>

#include <algorithm>
#include <string_view>

namespace millrace::h264 {

class CabacEncoder {
 public:
  // Appends cabac_alignment_one_bits and then bins to `writer`, which must outlive the encoder.
  CabacEncoder(BitWriter& writer, SliceType type, int cabac_table, int qp) : writer_(writer) {
    for (int context = 0; context < kCabacContexts; ++context) {
      const std::int8_t* const initial =
          kCabacTables.initial[type == SliceType::kI ? 0 : 1 + cabac_table][context];
      const int state = std::clamp((initial[0] * qp >> 4) + initial[1], 1, 126);
      is_one_likely_[context] = state > 63;
      index_[context] = state > 63 ? state - 64 : 63 - state;
    }
    while (writer_.position() % 8 != 0) {
      writer_.flag(true);
    }
  }

  void bin(int context, bool value) {
    int& index = index_[context];
    const int lps = kCabacTables.range_lps[2 * index][range_ >> 6 & 3];
    range_ -= lps;
    if (value != is_one_likely_[context]) {
      low_ += range_;
      range_ = lps;
      if (index == 0) {
        is_one_likely_[context] = !is_one_likely_[context];
      }
      index = kCabacTables.next_state[1][2 * index] / 2;
    } else {
      index = std::min(index + 1, 62);
    }
    renormalise();
  }
  // Encodes a bin string of one context, "0" and "1".
  void bins(std::initializer_list<int> contexts, std::string_view values) {
    const int* context = contexts.begin();
    for (const char value : values) {
      bin(*context, value == '1');
      context += context + 1 != contexts.end() ? 1 : 0;
    }
  }
  void bypass(bool value) {
    low_ *= 2;
    low_ += value ? range_ : 0;
    if (low_ >= 1024) {
      put(true);
      low_ -= 1024;
    } else if (low_ < 512) {
      put(false);
    } else {
      low_ -= 512;
      ++outstanding_;
    }
  }
  // The suffix of UEGk.
  void exponential_golomb(int value, int k) {
    while (value >= 1 << k) {
      bypass(true);
      value -= 1 << k;
      ++k;
    }
    bypass(false);
    while (k-- > 0) {
      bypass((value >> k & 1) != 0);
    }
  }
  // end_of_slice_flag, or the bin of mb_type that says I_PCM. A 1 ends the code; its last bit is
  // the stop bit of a slice.
  void terminate(bool value) {
    range_ -= 2;
    if (!value) {
      renormalise();
      return;
    }
    low_ += range_;
    range_ = 2;
    renormalise();
    put((low_ >> 9 & 1) != 0);
    writer_.bits(static_cast<std::uint64_t>((low_ >> 7 & 3) | 1), 2);
  }
  // Begins again after I_PCM samples.
  void restart() {
    low_ = 0;
    range_ = 510;
    outstanding_ = 0;
    is_first_ = true;
  }

 private:
  void renormalise() {
    while (range_ < 256) {
      if (low_ < 256) {
        put(false);
      } else if (low_ >= 512) {
        low_ -= 512;
        put(true);
      } else {
        low_ -= 256;
        ++outstanding_;
      }
      range_ *= 2;
      low_ *= 2;
    }
  }
  void put(bool value) {
    if (is_first_) {
      is_first_ = false;
    } else {
      writer_.flag(value);
    }
    for (; outstanding_ > 0; --outstanding_) {
      writer_.flag(!value);
    }
  }

  BitWriter& writer_;
  bool is_one_likely_[kCabacContexts];
  int index_[kCabacContexts];
  int low_ = 0;
  int range_ = 510;
  int outstanding_ = 0;
  bool is_first_ = true;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_ENCODER_H_
