// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/rate/group_rate.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace millrace::h264 {
namespace {

constexpr int kMostQp = PictureComplexity::kQps - 1;

// EncoderRate::kQuality: the residual of ordinary content, and the largest difference from Q.
constexpr double kOrdinaryResidual = 1.5;
constexpr double kMostDifference = 3;

// EncoderRate::kBitrate: number of pictures over which the bits that are left are spent, if a group
// may end early.
constexpr std::size_t kHorizon = 24;

// Bits of a P picture against those of the I picture, while no P picture is known.
constexpr double kInterFraction = 0.3;

// Weight of the first estimate against the bits of a P picture, and factor by which the weight of
// earlier pictures falls with each picture.
constexpr double kFirstWeight = 1;
constexpr double kMemory = 0.7;

// Largest steps of the QP between consecutive P pictures, and between the first two, which correct
// the estimate.
constexpr double kMostStep = 3;
constexpr double kMostFirstStep = 6;

// Largest difference of the first P picture's QP from the planned one, downwards and upwards. A
// much lower QP would code what the I picture has lost.
constexpr double kMostFall = 2;
constexpr double kMostRise = 8;

// An I picture is encoded again if its QP is off by kLeastCorrection or more, or if the QP that it
// leaves for P pictures differs from the planned one by more than kMostDrift.
constexpr int kLeastCorrection = 2;
constexpr double kMostDrift = 2;

// Returns the `number`-th of a sequence that fills -1/2 to 1/2 evenly: a group of one picture
// cannot make up for its rounded QP, but many such groups can.
double dither(std::int64_t number) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  const double position = 0.5 + kGoldenRatio * static_cast<double>(number);
  return position - std::floor(position) - 0.5;
}

}  // namespace

void GroupRate::begin_group(std::int64_t number, int count, bool is_whole) {
  known_.clear();
  number_ = number;
  count_ = count;
  is_whole_ = is_whole;
  next_ = 0;
  spent_ = 0;
  intra_ = {};
  inter_ = {};
}

void GroupRate::add(const PictureComplexity& picture) {
  known_.push_back(picture);
  const auto inter = static_cast<double>(known_.size() - 1);
  if (inter == 0) return;
  if (inter == 1) later_ = {};
  const auto mean = [=](double before, double value) { return before + (value - before) / inter; };
  for (std::size_t i = 0; i < later_.bits.size(); ++i) {
    later_.bits[i] = mean(later_.bits[i], picture.bits[i]);
  }
  later_.residual = mean(later_.residual, picture.residual);
}

int GroupRate::qp() const {
  const double offset = next_ == 0 ? intra_offset() : 0;
  switch (options_.rate) {
    case EncoderRate::kQuality: return rounded(quality_level() - offset);
    case EncoderRate::kBitrate: break;
    default: return options_.qp;
  }
  double level = bitrate_level(next_, spent_, intra_, inter_);
  if (next_ == 1) {
    const double planned = qp_before_ + intra_offset();
    level = std::clamp(level, planned - kMostFall, planned + kMostRise);
  } else if (next_ > 1) {
    const double step = next_ == 2 ? kMostFirstStep : kMostStep;
    level = std::clamp(level, qp_before_ - step, qp_before_ + step);
  }
  return rounded(level - offset);
}

std::optional<int> GroupRate::qp_again(int qp, std::uint64_t bits) const {
  if (options_.rate != EncoderRate::kBitrate || next_ != 0) return {};
  Ratio intra = {.actual = static_cast<double>(bits), .expected = known_[0].bits_at(qp)};
  Ratio inter = inter_;
  inter.actual = std::sqrt(intra.value());
  const int again = rounded(bitrate_level(0, 0, intra, inter) - intra_offset());
  if (again == qp) return {};
  if (count_ == 1 || std::abs(again - qp) >= kLeastCorrection) return again;
  const double level = bitrate_level(1, static_cast<double>(bits), intra, inter);
  if (std::abs(level - qp - intra_offset()) > kMostDrift) return again;
  return {};
}

void GroupRate::spend(int qp, std::uint64_t bits) {
  const auto actual = static_cast<double>(bits);
  if (!known_.empty()) {
    const double estimate = known_[next_].bits_at(qp);
    if (next_ == 0) {
      intra_ = {.actual = actual, .expected = estimate};
      // If the I picture takes more bits than estimated, P pictures are expected to take more, too.
      inter_ = {.actual = std::sqrt(intra_.value()), .expected = 1};
    } else {
      // The first estimate has a weight in proportion to its own size.
      if (next_ == 1) {
        inter_ = {.actual = kFirstWeight * estimate * inter_.value(),
                  .expected = kFirstWeight * estimate};
      }
      inter_.add(actual, estimate);
    }
  }
  qp_before_ = qp;
  spent_ += actual;
  ++next_;
}

void GroupRate::Ratio::add(double bits, double estimate) {
  actual = kMemory * actual + bits;
  expected = kMemory * expected + estimate;
}

double GroupRate::quality_level() const {
  if (known_.size() < 2) return options_.qp;
  const double octaves = std::log2(std::max(later_.residual, 1e-3) / kOrdinaryResidual);
  return options_.qp + std::clamp(octaves, -kMostDifference, kMostDifference);
}

double GroupRate::expected_bits(std::size_t picture, double level, const Ratio& intra,
                                const Ratio& inter) const {
  if (picture == 0) return intra.value() * known_[0].bits_at(level - intra_offset());
  if (picture < known_.size()) return inter.value() * known_[picture].bits_at(level);
  if (known_.size() > 1) return inter.value() * later_.bits_at(level);
  return intra.value() * kInterFraction * known_[0].bits_at(level);
}

double GroupRate::bitrate_level(std::size_t next, double spent, const Ratio& intra,
                                const Ratio& inter) const {
  auto end = static_cast<std::size_t>(count_);
  if (!is_whole_) end = std::min(end, next + kHorizon);
  const double left = options_.bits_a_picture * static_cast<double>(end) - spent;
  double below = 0;
  double above = kMostQp + intra_offset();
  constexpr int kHalvings = 16;
  for (int i = 0; i < kHalvings; ++i) {
    const double level = (below + above) / 2;
    double sum = 0;
    for (std::size_t picture = next; picture < end; ++picture) {
      sum += expected_bits(picture, level, intra, inter);
    }
    (sum > left ? below : above) = level;
  }
  return (below + above) / 2;
}

int GroupRate::rounded(double qp) const {
  const double shift = count_ > 1 ? 0 : dither(number_);
  return std::clamp(static_cast<int>(std::lround(qp + shift)), 0, kMostQp);
}

}  // namespace millrace::h264
