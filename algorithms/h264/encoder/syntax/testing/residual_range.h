// SPDX-License-Identifier: Apache-2.0

// The range of the values of the residual process, for tests: streams have none that does not fit
// 16 bits (ITU-T H.264 clauses 8.5.10 to 8.5.13, samples of 8 bits).
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_RESIDUAL_RANGE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_RESIDUAL_RANGE_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Checks that all values passed to it fit.
class ResidualRange {
 public:
  std::int64_t operator()(std::int64_t value) {
    is_legal_ = is_legal_ && value >= -32768 && value <= 32767;
    return value;
  }
  bool is_legal() const { return is_legal_; }

 private:
  bool is_legal_ = true;
};

// Transforms a row or column of a 4x4 block (equations 8-338 to 8-345).
inline std::array<std::int64_t, 4> plain_transform(const std::array<std::int64_t, 4>& d,
                                                   ResidualRange& range) {
  const std::int64_t e[4] = {range(d[0] + d[2]), range(d[0] - d[2]), range((d[1] >> 1) - d[3]),
                             range(d[1] + (d[3] >> 1))};
  return {range(e[0] + e[3]), range(e[1] + e[2]), range(e[1] - e[2]), range(e[0] - e[3])};
}

// Transforms a row or column of an 8x8 block (equations 8-357 to 8-380).
inline std::array<std::int64_t, 8> plain_transform(const std::array<std::int64_t, 8>& d,
                                                   ResidualRange& range) {
  const std::int64_t a[8] = {range(d[0] + d[4]),        range(-d[3] + d[5] - d[7] - (d[7] >> 1)),
                             range(d[0] - d[4]),        range(d[1] + d[7] - d[3] - (d[3] >> 1)),
                             range((d[2] >> 1) - d[6]), range(-d[1] + d[7] + d[5] + (d[5] >> 1)),
                             range(d[2] + (d[6] >> 1)), range(d[3] + d[5] + d[1] + (d[1] >> 1))};
  const std::int64_t b[8] = {
      range(a[0] + a[6]), range(a[1] + (a[7] >> 2)), range(a[2] + a[4]), range(a[3] + (a[5] >> 2)),
      range(a[2] - a[4]), range((a[3] >> 2) - a[5]), range(a[0] - a[6]), range(a[7] - (a[1] >> 2))};
  return {range(b[0] + b[7]), range(b[2] + b[5]), range(b[4] + b[3]), range(b[6] + b[1]),
          range(b[6] - b[1]), range(b[4] - b[3]), range(b[2] - b[5]), range(b[0] - b[7])};
}

// Returns true if no value of the transform of d_ij, element N * i + j, is out of range, whether
// rows or columns come first.
template <std::size_t N>
bool has_legal_residual(const std::array<std::int64_t, N * N>& coefficients) {
  constexpr std::int64_t kRounding = 32;
  ResidualRange range;
  for (const std::int64_t coefficient : coefficients) range(coefficient);
  for (const bool rows_first : {true, false}) {
    std::array<std::int64_t, N* N> values = coefficients;
    for (const bool by_row : {rows_first, !rows_first}) {
      for (std::size_t line = 0; line < N; ++line) {
        const auto at = [&](std::size_t k) { return by_row ? N * line + k : N * k + line; };
        std::array<std::int64_t, N> of_line;
        for (std::size_t k = 0; k < N; ++k) of_line[k] = values[at(k)];
        of_line = plain_transform(of_line, range);
        for (std::size_t k = 0; k < N; ++k) values[at(k)] = of_line[k];
      }
    }
    for (const std::int64_t value : values) range(value + kRounding);
  }
  return range.is_legal();
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_RESIDUAL_RANGE_H_
