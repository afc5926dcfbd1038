// SPDX-License-Identifier: Apache-2.0

// MD5 (RFC 1321), for comparison with published sums of decoded pictures.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_MD5_TEST_HELPER_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_MD5_TEST_HELPER_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace millrace::h264 {

class Md5 {
 public:
  Md5() {
    for (int i = 0; i < 64; ++i) {
      constants_[i] = static_cast<std::uint32_t>(std::floor(std::abs(std::sin(i + 1.0)) * 0x1p32));
    }
  }

  void add(std::span<const std::uint8_t> bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const std::size_t used = total_ % 64;
      const std::size_t count = std::min(64 - used, bytes.size() - done);
      std::memcpy(block_ + used, bytes.data() + done, count);
      total_ += count;
      done += count;
      if (total_ % 64 == 0) take_block();
    }
  }

  // Returns the sum in hexadecimal digits. Nothing may be added afterwards.
  std::string finish() {
    const std::uint64_t bits = 8 * total_;
    const std::uint8_t one = 0x80, zero = 0;
    add({&one, 1});
    while (total_ % 64 != 56) add({&zero, 1});
    std::uint8_t length[8];
    for (int i = 0; i < 8; ++i) length[i] = static_cast<std::uint8_t>(bits >> (8 * i));
    add(length);
    std::string text;
    for (const std::uint32_t word : state_) {
      for (int i = 0; i < 8; ++i)
        text += "0123456789abcdef"[word >> (8 * (i / 2) + 4 * (1 - i % 2)) & 15];
    }
    return text;
  }

 private:
  void take_block() {
    constexpr int kShifts[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    auto [a, b, c, d] = state_;
    for (int i = 0; i < 64; ++i) {
      const int round = i / 16;
      const std::uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                                  : round == 1 ? (d & b) | (~d & c)
                                  : round == 2 ? b ^ c ^ d
                                               : c ^ (b | ~d);
      const int at = round == 0 ? i : round == 1 ? 5 * i + 1 : round == 2 ? 3 * i + 5 : 7 * i;
      const std::uint32_t sum = a + mixed + constants_[i] + word(at % 16);
      a = d;
      d = c;
      c = b;
      b += std::rotl(sum, kShifts[round][i % 4]);
    }
    state_[0] += a;
    state_[1] += b;
    state_[2] += c;
    state_[3] += d;
  }

  std::uint32_t word(int i) const {
    std::uint32_t value = 0;
    for (int j = 3; j >= 0; --j) value = value << 8 | block_[4 * i + j];
    return value;
  }

  std::uint32_t constants_[64];
  std::uint32_t state_[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::uint8_t block_[64] = {};
  std::uint64_t total_ = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_MD5_TEST_HELPER_H_
