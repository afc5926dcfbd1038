// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/deblocking.h>
#include <millrace/algorithms/h264/reconstruction/random_parsed_pictures.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>

namespace millrace::h264 {
namespace {

// The design of the tables: alpha grows by a factor of 2 in 6 steps, beta by a half a step.
TEST(DeblockingTables, FollowTheirDesign) {
  for (int index = 0; index < 52; ++index) {
    const double alpha = 0.8 * (std::exp2(index / 6.0) - 1);
    const double beta = 0.5 * index - 7;
    if (index < 16) {
      EXPECT_EQ(deblocking_alpha(index), 0);
      EXPECT_EQ(deblocking_beta(index), 0);
    } else {
      EXPECT_NEAR(deblocking_alpha(index), std::min(alpha, 255.0), 0.04 * alpha + 1) << index;
      EXPECT_NEAR(deblocking_beta(index), beta, 1.5) << index;
    }
    for (int strength = 1; strength <= 3; ++strength) {
      const int clipping = deblocking_clipping(index, strength);
      EXPECT_GE(clipping, strength > 1 ? deblocking_clipping(index, strength - 1) : 0);
      EXPECT_GE(clipping, index > 0 ? deblocking_clipping(index - 1, strength) : 0);
    }
  }
  EXPECT_EQ(deblocking_alpha(51), 255);
  EXPECT_EQ(deblocking_beta(51), 18);
  EXPECT_EQ(deblocking_clipping(51, 1), 13);
  EXPECT_EQ(deblocking_clipping(51, 2), 17);
  EXPECT_EQ(deblocking_clipping(51, 3), 25);
  EXPECT_EQ(deblocking_clipping(16, 3), 0);
  EXPECT_EQ(deblocking_clipping(17, 3), 1);
}

// Clause 8.7 sample by sample: for each sample q0 of a macroblock at an edge, everything is derived
// again from the positions of q0 and p0.
class DeblockingBySamples {
 public:
  DeblockingBySamples(const ParsedPicture& picture, SamplePicture& samples)
      : picture_(picture), samples_(samples) {}

  void run() {
    const int columns = picture_.sequence->width_in_macroblocks;
    for (int i = 0; i < static_cast<int>(picture_.macroblocks.size()); ++i) {
      for (int plane = 0; plane < 3; ++plane) {
        const int side = plane == 0 ? 16 : 8;
        for (const bool is_vertical : {true, false}) {
          for (int k = 0; k < side; k += 4) {
            for (int along = 0; along < side; ++along) {
              const int x = i % columns * side + (is_vertical ? k : along);
              const int y = i / columns * side + (is_vertical ? along : k);
              filter(plane, is_vertical, k == 0, x, y);
            }
          }
        }
      }
    }
  }

 private:
  const Macroblock& macroblock(int plane, int x, int y) const {
    const int side = plane == 0 ? 16 : 8;
    return picture_.macroblocks[static_cast<std::size_t>(
        y / side * picture_.sequence->width_in_macroblocks + x / side)];
  }

  static int block(int plane, int x, int y) {
    const int scale = plane == 0 ? 1 : 2;
    return (scale * y) % 16 / 4 * 4 + (scale * x) % 16 / 4;
  }

  int qp(const Macroblock& m, int plane) const {
    if (plane == 0) return m.type == MacroblockType::kPcm ? 0 : m.qp;
    if (m.type != MacroblockType::kPcm) return m.chroma_qp[plane - 1];
    return std::max(0, picture_.picture_parameters[m.slice]->chroma_qp_offsets[plane - 1]);
  }

  std::int64_t reference(const Macroblock& m, int list, int block) const {
    const int index = m.references[list][block / 8 * 2 + block % 4 / 2];
    if (index < 0) return INT64_MIN;
    return picture_.slices[m.slice].references[list][static_cast<std::size_t>(index)].picture;
  }

  bool is_mixed(const Macroblock& p, int pb, const Macroblock& q, int qb) const {
    std::vector<std::pair<std::int64_t, MotionVector>> pm, qm;
    for (int list = 0; list < 2; ++list) {
      if (reference(p, list, pb) != INT64_MIN) {
        pm.emplace_back(reference(p, list, pb), p.vectors[list][pb]);
      }
      if (reference(q, list, qb) != INT64_MIN) {
        qm.emplace_back(reference(q, list, qb), q.vectors[list][qb]);
      }
    }
    const auto far = [](MotionVector a, MotionVector b) {
      return std::abs(a.x - b.x) >= 4 || std::abs(a.y - b.y) >= 4;
    };
    if (pm.size() != qm.size()) return true;
    if (pm.size() == 1) return pm[0].first != qm[0].first || far(pm[0].second, qm[0].second);
    const auto pictures = [](const auto& m) {
      return std::multiset<std::int64_t>{m[0].first, m[1].first};
    };
    if (pictures(pm) != pictures(qm)) return true;
    const bool straight = far(pm[0].second, qm[0].second) || far(pm[1].second, qm[1].second);
    const bool crossed = far(pm[0].second, qm[1].second) || far(pm[1].second, qm[0].second);
    if (pm[0].first == pm[1].first) return straight && crossed;
    return pm[0].first == qm[0].first ? straight : crossed;
  }

  void filter(int plane, bool is_vertical, bool is_outer, int x, int y) {
    if (is_outer && (is_vertical ? x : y) == 0) return;
    const int px = is_vertical ? x - 1 : x, py = is_vertical ? y : y - 1;
    const Macroblock& q = macroblock(plane, x, y);
    const Macroblock& p = macroblock(plane, px, py);
    if (q.type == MacroblockType::kLost || p.type == MacroblockType::kLost) return;
    const SliceHeader& header = picture_.slices[q.slice].header;
    if (header.deblocking == 1) return;
    if (header.deblocking == 2 && p.slice != q.slice) return;
    const int k = is_vertical ? x : y;
    if (plane == 0 && q.has_8x8_transform && k % 8 != 0) return;
    const int qb = block(plane, x, y), pb = block(plane, px, py);
    const bool is_intra_edge = is_intra(p.type) || is_intra(q.type);
    const int strength = is_intra_edge ? (is_outer ? 4 : 3)
                         : (p.coded_blocks >> pb & 1) || (q.coded_blocks >> qb & 1) ? 2
                         : is_mixed(p, pb, q, qb)                                   ? 1
                                                                                    : 0;
    if (strength == 0) return;
    const int average = (qp(p, plane) + qp(q, plane) + 1) >> 1;
    const int index_a = std::clamp(average + header.alpha_offset, 0, 51);
    const int index_b = std::clamp(average + header.beta_offset, 0, 51);
    filter_line({plane, is_vertical, x, y}, strength, index_a, deblocking_beta(index_b));
  }

  // The samples across an edge; that at (x, y) is the first behind it.
  struct EdgeLine {
    int plane;
    bool is_vertical;
    int x, y;
  };

  // Clauses 8.7.2.3 and 8.7.2.4.
  void filter_line(EdgeLine line, int strength, int index_a, int beta) {
    const auto [plane, is_vertical, x, y] = line;
    const int width = samples_.width(plane);
    std::uint8_t* const at = samples_.plane(plane) + y * width + x;
    const int step = is_vertical ? 1 : width;
    const int alpha = deblocking_alpha(index_a);
    const bool is_luma = plane == 0;
    const int p[4] = {at[-step], at[-2 * step], is_luma ? at[-3 * step] : 0,
                      is_luma ? at[-4 * step] : 0};
    const int q[4] = {at[0], at[step], is_luma ? at[2 * step] : 0, is_luma ? at[3 * step] : 0};
    if (!(std::abs(p[0] - q[0]) < alpha && std::abs(p[1] - p[0]) < beta &&
          std::abs(q[1] - q[0]) < beta)) {
      return;
    }
    const int ap = std::abs(p[2] - p[0]), aq = std::abs(q[2] - q[0]);
    int np[3] = {p[0], p[1], p[2]}, nq[3] = {q[0], q[1], q[2]};
    if (strength < 4) {
      const int tc0 = deblocking_clipping(index_a, strength);
      const int tc = is_luma ? tc0 + (ap < beta ? 1 : 0) + (aq < beta ? 1 : 0) : tc0 + 1;
      const int delta = std::clamp((((q[0] - p[0]) << 2) + (p[1] - q[1]) + 4) >> 3, -tc, tc);
      np[0] = std::clamp(p[0] + delta, 0, 255);
      nq[0] = std::clamp(q[0] - delta, 0, 255);
      const int mean = (p[0] + q[0] + 1) >> 1;
      if (is_luma && ap < beta) np[1] += std::clamp((p[2] + mean - (p[1] << 1)) >> 1, -tc0, tc0);
      if (is_luma && aq < beta) nq[1] += std::clamp((q[2] + mean - (q[1] << 1)) >> 1, -tc0, tc0);
    } else {
      const bool is_small = std::abs(p[0] - q[0]) < ((alpha >> 2) + 2);
      const auto strong = [&](const int* a, const int* b, int* n, bool is_wide) {
        if (is_wide) {
          n[0] = (a[2] + 2 * a[1] + 2 * a[0] + 2 * b[0] + b[1] + 4) >> 3;
          n[1] = (a[2] + a[1] + a[0] + b[0] + 2) >> 2;
          n[2] = (2 * a[3] + 3 * a[2] + a[1] + a[0] + b[0] + 4) >> 3;
        } else {
          n[0] = (2 * a[1] + a[0] + b[1] + 2) >> 2;
        }
      };
      strong(p, q, np, is_luma && ap < beta && is_small);
      strong(q, p, nq, is_luma && aq < beta && is_small);
    }
    for (int i = 0; i < (is_luma ? 3 : 1); ++i) {
      at[-(i + 1) * step] = static_cast<std::uint8_t>(np[i]);
      at[i * step] = static_cast<std::uint8_t>(nq[i]);
    }
  }

  const ParsedPicture& picture_;
  SamplePicture& samples_;
};

TEST(Deblocking, IsThatOfTheStandardSampleBySample) {
  int changed = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomParsedPictures pictures(6, 4, seed);
    const ParsedPicture picture = pictures.picture();
    SamplePicture before(6, 4);
    pictures.fill(before);
    SamplePicture expected = before;
    DeblockingBySamples(picture, expected).run();
    SamplePicture samples = before;
    const ReconstructionInput input(picture, pictures.find());
    const PictureView view = input.view(samples);
    for (int i = 0; i < 24; ++i) deblock_macroblock(ScalarKernels(), view, i % 6, i / 6);
    for (int plane = 0; plane < 3; ++plane) {
      for (int i = 0; i < samples.width(plane) * samples.height(plane); ++i) {
        ASSERT_EQ(samples.plane(plane)[i], expected.plane(plane)[i])
            << "plane " << plane << " (" << i % samples.width(plane) << ", "
            << i / samples.width(plane) << ")";
        changed += before.plane(plane)[i] != samples.plane(plane)[i];
      }
    }
  }
  EXPECT_GT(changed, 60 * 300);
}

}  // namespace
}  // namespace millrace::h264
