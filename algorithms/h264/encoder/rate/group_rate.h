// SPDX-License-Identifier: Apache-2.0

// Chooses the QPs of a group's pictures.
//
//   GroupRate rate(options);
//   rate.begin_group(number, 12, true);
//   for (const PictureComplexity& picture : complexities) rate.add(picture);
//   int qp = rate.qp();
//   ...  // Encode the first picture by it.
//   rate.spend(qp, bits);
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_RATE_GROUP_RATE_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_RATE_GROUP_RATE_H_

#include <millrace/algorithms/h264/encoder/rate/picture_complexity.h>
#include <millrace/algorithms/h264/encoder/rate/rate_options.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace millrace::h264 {

// Groups are encoded side by side, so QPs of a group depend on its own pictures and bits alone.
//
// EncoderRate::kQp: each picture has the QP Q of the options.
//
// EncoderRate::kQuality: P pictures have the QP Q + log2(c / 1.5), rounded and at most 3 away from
// Q, with the mean c of the P pictures' PictureComplexity::residual. Errors are less visible where
// much changes. The I picture's QP is lower by 2 if P pictures follow, because they repeat its
// content.
//
// EncoderRate::kBitrate: a group has the bits of its duration. A picture has the QP at which it and
// the pictures after it are expected to use up the bits that are left; the I picture's QP is lower
// by 2. The bits expected are the estimate of PictureComplexity, times the ratio of actual to
// estimated bits of the group's pictures so far. The first P picture has at least the QP of the I
// picture, and at most 10 more; the second one differs from it by 6 at most, and others from the
// one before by 3. In a group that is not known as a whole, a picture's bits follow from the next
// 24 pictures; each of these that is not known counts as the mean of the known ones.
class GroupRate {
 public:
  // Largest number of times that a first picture is encoded again.
  static constexpr int kMostEncodedAgain = 2;

  explicit GroupRate(const RateOptions& options) : options_(options) {}

  // Returns true if pictures need complexities.
  bool needs_complexity() const { return options_.rate != EncoderRate::kQp; }

  // Begins a group of `count` pictures, the `number`-th of the clip. `is_whole`: complexities of
  // all of them are added before the first QP is chosen. Otherwise at least that of the next
  // picture is added, and the group may end earlier.
  void begin_group(std::int64_t number, int count, bool is_whole);
  void add(const PictureComplexity& picture);

  // Returns the QP of the next picture, 0 to 51.
  int qp() const;

  // Returns the QP with which the first picture should be encoded again after it took `bits` bits
  // with `qp`; no value if `qp` is good enough.
  std::optional<int> qp_again(int qp, std::uint64_t bits) const;

  // Records that the next picture was encoded by `qp` and has `bits`.
  void spend(int qp, std::uint64_t bits);

 private:
  // Ratio of actual to expected bits of one picture type.
  struct Ratio {
    double actual = 1;
    double expected = 1;

    double value() const { return actual / expected; }
    void add(double bits, double estimate);
  };

  double intra_offset() const { return count_ > 1 ? kIntraOffset : 0; }
  double quality_level() const;
  // Returns the QP of P pictures, not rounded, at which the pictures from `next` on use up the bits
  // that are left once `spent` bits are spent.
  double bitrate_level(std::size_t next, double spent, const Ratio& intra,
                       const Ratio& inter) const;
  double expected_bits(std::size_t picture, double level, const Ratio& intra,
                       const Ratio& inter) const;
  int rounded(double qp) const;

  static constexpr double kIntraOffset = 2;

  const RateOptions options_;
  std::vector<PictureComplexity> known_;
  PictureComplexity later_;  // The mean of P pictures that are known.
  std::int64_t number_ = 0;
  int count_ = 0;
  bool is_whole_ = false;
  std::size_t next_ = 0;
  double spent_ = 0;
  Ratio intra_;
  Ratio inter_;
  int qp_before_ = 0;  // QP of the previous picture.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_RATE_GROUP_RATE_H_
