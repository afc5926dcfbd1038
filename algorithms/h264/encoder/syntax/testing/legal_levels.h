// SPDX-License-Identifier: Apache-2.0

// Makes random levels such that streams may have them, for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_LEGAL_LEVELS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_LEGAL_LEVELS_H_

#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/plain_coefficients.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/random_levels.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/residual_range.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/algorithms/idct/quantiser.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::h264 {

class LegalLevels {
 public:
  // `random` makes levels smaller or fewer. Not owned.
  explicit LegalLevels(RandomLevels& random) : random_(random) {}

  // Lessens the levels that a macroblock codes until no value of its residual process is out of
  // range. Scaling lists are flat.
  void apply(Macroblock& macroblock, MacroblockLevels& levels) {
    if (macroblock.type == MacroblockType::kPcm) return;
    if (macroblock.type == MacroblockType::kIntra16x16) {
      lessen_luma_16x16(macroblock, levels);
    } else {
      lessen_luma(macroblock, levels);
    }
    for (int component = 0; component < 2; ++component) {
      lessen_chroma(macroblock, component, levels);
    }
    random_.finish(macroblock, levels);
  }

 private:
  // DC by block in raster order; none where a value before it is out of range.
  using BlockDc = std::vector<std::int64_t>;

  template <int N>
  static bool is_legal(std::span<const std::int16_t> levels, int qp, const std::int64_t* dc) {
    constexpr ZigzagOrder<N> kOrder = zigzag_order<N>();
    constexpr auto kSize = N == 4 ? idct::TransformSize::k4x4 : idct::TransformSize::k8x8;
    std::array<std::int64_t, std::size_t{N}* N> coefficients = {};
    for (int k = 0; k < N * N; ++k) {
      const int i = kOrder.row[k];
      const int j = kOrder.column[k];
      coefficients[static_cast<std::size_t>(N * i + j)] =
          k == 0 && dc != nullptr
              ? *dc
              : idct::dequantised(kSize, qp, i, j, levels[static_cast<std::size_t>(k)]);
    }
    return has_legal_residual<N>(coefficients);
  }

  void lessen_luma(const Macroblock& macroblock, MacroblockLevels& levels) {
    for (auto& quarter : levels.luma) {
      if (macroblock.has_8x8_transform) {
        while (!is_legal<8>(quarter, macroblock.qp, nullptr)) random_.lessen(quarter);
        continue;
      }
      for (int block = 0; block < 4; ++block) {
        const std::span<std::int16_t> of_block(quarter + 16 * block, 16);
        while (!is_legal<4>(of_block, macroblock.qp, nullptr)) random_.lessen(of_block);
      }
    }
  }

  void lessen_luma_16x16(const Macroblock& macroblock, MacroblockLevels& levels) {
    constexpr ZigzagOrder<4> kOrder = zigzag_order<4>();
    std::vector<std::span<std::int16_t>> blocks(16);
    for (int index = 0; index < 16; ++index) {
      blocks[static_cast<std::size_t>(4 * block_row(index) + block_column(index))] =
          std::span<std::int16_t>(levels.luma[index / 4] + 16 * (index % 4), 16);
    }
    lessen_blocks(levels.luma_dc, blocks, macroblock.qp, [&] {
      std::int16_t c[16];
      for (int k = 0; k < 16; ++k) c[4 * kOrder.row[k] + kOrder.column[k]] = levels.luma_dc[k];
      return dc_of(c, 4, [&](std::int64_t f) { return plain_luma_dc(f, macroblock.qp); });
    });
  }

  void lessen_chroma(const Macroblock& macroblock, int component, MacroblockLevels& levels) {
    const int qp = macroblock.chroma_qp[component];
    std::vector<std::span<std::int16_t>> blocks;
    for (auto& block : levels.chroma_ac[component]) blocks.emplace_back(block);
    lessen_blocks(levels.chroma_dc[component], blocks, qp, [&] {
      return dc_of(levels.chroma_dc[component], 2,
                   [&](std::int64_t f) { return plain_chroma_dc(f, qp); });
    });
  }

  template <class Scale>
  static BlockDc dc_of(const std::int16_t* c, int n, const Scale& scale) {
    ResidualRange range;
    BlockDc dc;
    for (int block = 0; block < n * n; ++block) {
      const std::int64_t f = range(hadamard(c, n, block / n, block % n));
      dc.push_back(range(scale(f)));
    }
    return range.is_legal() ? dc : BlockDc{};
  }

  // Lessens the AC of each block and, where that is not enough, the DC.
  template <class MakeDc>
  void lessen_blocks(std::span<std::int16_t> dc_levels,
                     std::span<const std::span<std::int16_t>> blocks, int qp,
                     const MakeDc& make_dc) {
    for (;; random_.lessen(dc_levels)) {
      const BlockDc dc = make_dc();
      bool are_legal = !dc.empty();
      for (std::size_t block = 0; are_legal && block < blocks.size(); ++block) {
        const std::span<std::int16_t> ac = blocks[block].subspan(1);
        const auto is_block_legal = [&] { return is_legal<4>(blocks[block], qp, &dc[block]); };
        while (!is_block_legal() && RandomLevels::has_level(ac)) random_.lessen(ac);
        are_legal = is_block_legal();
      }
      if (are_legal) return;
    }
  }

  RandomLevels& random_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_LEGAL_LEVELS_H_
