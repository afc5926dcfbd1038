// SPDX-License-Identifier: Apache-2.0

// The arithmetic encoder of CABAC (ITU-T H.264 clause 9.3.4).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_ENCODER_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_ENCODER_H_

#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_states.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/common/leading_zeros.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace millrace::h264 {

// Encodes bins with the contexts of a slice. The writer has all of the code only after
// terminate(true).
class CabacEncoder {
 public:
  // Appends cabac_alignment_one_bits and then bins to `writer`, which must outlive the encoder.
  CabacEncoder(BitWriter& writer, SliceType type, int cabac_table, int qp)
      : writer_(writer),
        states_(first_cabac_states(kCabacTables,
                                   {.type = type, .cabac_table = cabac_table, .qp = qp})) {
    while (writer_.position() % 8 != 0) {
      writer_.flag(true);
    }
  }

  void bin(int context, bool value) {
    std::uint8_t& state = states_.of[context];
    const unsigned old_state = state;
    const std::uint64_t lps = kCabacTables.range_lps[old_state][range_ >> 6 & 3];
    const bool is_lps = value != ((old_state & 1) != 0);
    const std::uint64_t mps = range_ - lps;
    // No branch: bins are hard to predict.
    low_ += is_lps ? mps : 0;
    range_ = is_lps ? lps : mps;
    state = kCabacTables.next_state[is_lps ? 1 : 0][old_state];
    const int shift = leading_zeros(range_) - (64 - kRangeBits);
    range_ <<= shift;
    shift_low(shift);
  }
  // Encodes a bin string of one context, "0" and "1".
  void bins(std::initializer_list<int> contexts, std::string_view values) {
    const int* context = contexts.begin();
    for (const char value : values) {
      bin(*context, value == '1');
      context += context + 1 != contexts.end() ? 1 : 0;
    }
  }
  void bypass(bool value) { bypass_bits(value ? 1 : 0, 1); }
  // Encodes the lowest `count` bits of `value`, 0 to 8, highest first.
  void bypass_bits(unsigned value, int count) {
    low_ = (low_ << count) + value * range_;
    written_ += count;
    if (written_ >= kChunk) put_chunk();
  }
  // The suffix of UEGk.
  void exponential_golomb(int value, int k) {
    while (value >= 1 << k) {
      bypass(true);
      value -= 1 << k;
      ++k;
    }
    bypass(false);
    while (k > 0) {
      const int count = k < 8 ? k : 8;
      k -= count;
      bypass_bits(static_cast<unsigned>(value >> k) & ((1U << count) - 1), count);
    }
  }
  // Encodes end_of_slice_flag, or the bin of mb_type for I_PCM. A 1 ends the code; its last bit is
  // the stop bit of a slice.
  void terminate(bool value) {
    range_ -= 2;
    if (value) {
      low_ += range_;
      range_ = 2 << 7;
      shift_low(7);
      put_rest();
      return;
    }
    const int shift = range_ < 256 ? 1 : 0;
    range_ <<= shift;
    shift_low(shift);
  }

  // After terminate(true): writes pcm_alignment_zero_bits, then samples, then begins again.
  void begin_pcm() { writer_.align(); }
  void pcm_sample(int sample) { writer_.bits(static_cast<std::uint64_t>(sample), 8); }
  void restart() {
    low_ = 0;
    range_ = 510;
    written_ = -1;
    has_chunk_ = false;
    outstanding_ = 0;
  }

  const CabacStates& states() const { return states_; }
  // Returns the number of bits that are decided, from the first of the writer on.
  std::size_t position() const {
    return writer_.position() + kChunk * (outstanding_ + (has_chunk_ ? 1U : 0U)) +
           static_cast<std::size_t>(written_ < 0 ? 0 : written_);
  }

 private:
  static constexpr int kRangeBits = 9;
  static constexpr int kLowBits = 10;  // The standard's register has as many.
  static constexpr int kChunk = 32;    // Bits that are written at a time.
  static constexpr std::uint32_t kOnes = 0xffffffff;

  void shift_low(int count) {
    low_ <<= count;
    written_ += count;
    if (written_ >= kChunk) put_chunk();
  }

  // Takes the highest chunk out of low_. A chunk is kept until it is known whether the next one
  // that is not all ones carries into it: those of ones between are outstanding.
  void put_chunk() {
    written_ -= kChunk;
    const std::uint64_t chunk = low_ >> (kLowBits + written_);
    low_ &= (std::uint64_t{1} << (kLowBits + written_)) - 1;
    if (chunk == kOnes && has_chunk_) {
      ++outstanding_;
      return;
    }
    put_kept(chunk >> kChunk);
    chunk_ = static_cast<std::uint32_t>(chunk);
    has_chunk_ = true;
  }
  void put_kept(std::uint64_t carry) {
    if (has_chunk_) writer_.bits(chunk_ + carry, kChunk);
    for (; outstanding_ > 0; --outstanding_) writer_.bits(kOnes + carry, kChunk);
    has_chunk_ = false;
  }
  // Writes all that is decided, two bits of the register, and a 1 (clause 9.3.4.5).
  void put_rest() {
    constexpr int kKept = kLowBits - 3;
    put_kept(low_ >> (kLowBits + written_));
    writer_.bits(low_ >> kKept | 1, written_ + 3);
  }

  BitWriter& writer_;
  CabacStates states_;
  // The standard's codILow in the lowest bits; above it bits that are decided but for a carry.
  std::uint64_t low_ = 0;
  std::uint64_t range_ = 510;
  int written_ = -1;  // Decided bits in low_. The first bit of the code is not written.
  std::uint32_t chunk_ = 0;
  bool has_chunk_ = false;
  std::size_t outstanding_ = 0;  // Chunks of ones after chunk_.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CABAC_CABAC_ENCODER_H_
