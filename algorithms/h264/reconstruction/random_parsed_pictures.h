// SPDX-License-Identifier: Apache-2.0

// Random pictures: macroblocks of all types with random decisions, as no encoder would mix them.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RANDOM_PARSED_PICTURES_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RANDOM_PARSED_PICTURES_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/sample_picture.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace millrace::h264 {

class RandomParsedPictures {
 public:
  RandomParsedPictures(int columns, int rows, unsigned seed)
      : columns_(columns), rows_(rows), random_(seed) {
    for (int i = 0; i < kReferences; ++i) {
      references_.emplace_back(columns, rows);
      fill(references_.back());
    }
    auto sequence = std::make_shared<SequenceParameters>();
    sequence->width_in_macroblocks = columns;
    sequence->height_in_macroblocks = rows;
    sequence_ = sequence;
  }

  // The pictures 0 to kReferences - 1; the last one is missing.
  FindPicture find() const {
    return [this](std::int64_t id) -> const SamplePicture* {
      return id >= 0 && id < kReferences - 1 ? &references_[static_cast<std::size_t>(id)] : nullptr;
    };
  }

  // Returns a picture of several slices of random types and parameters.
  ParsedPicture picture() {
    ParsedPicture picture;
    picture.id = kReferences;
    picture.sequence = sequence_;
    picture.picture_order = below(20);
    picture.macroblocks.resize(static_cast<std::size_t>(columns_ * rows_));
    picture.coefficients.reset(picture.macroblocks.size());
    for (std::size_t i = 0; i < picture.macroblocks.size(); ++i) picture.coefficients.remove(i);
    int slice = -1;
    for (std::size_t i = 0; i < picture.macroblocks.size(); ++i) {
      if (i == 0 || below(static_cast<int>(picture.macroblocks.size())) < 3) {
        add_slice(picture, static_cast<int>(i));
        ++slice;
      }
      make_macroblock(picture, i, slice);
    }
    return picture;
  }

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  // Fills the planes with flat areas and small steps, which deblocking changes, and noise.
  void fill(SamplePicture& picture) {
    for (int plane = 0; plane < 3; ++plane) {
      const int width = picture.width(plane);
      for (int y = 0; y < picture.height(plane); ++y) {
        for (int x = 0; x < width; ++x) {
          const int area = 100 + (x / 4 * 5 + y / 4 * 3) % 13;
          const bool is_noise = (x / 16 + y / 16) % 3 == 0;
          picture.plane(plane)[y * width + x] =
              static_cast<std::uint8_t>(is_noise ? below(256) : area + below(3));
        }
      }
    }
  }

 private:
  static constexpr int kReferences = 5;

  void add_slice(ParsedPicture& picture, int first) {
    auto parameters = std::make_shared<PictureParameters>();
    parameters->has_weighted_prediction = below(2) == 0;
    parameters->weighted_bi_prediction = below(3);
    parameters->has_constrained_intra_prediction = below(3) == 0;
    parameters->chroma_qp_offsets[0] = below(25) - 12;
    parameters->chroma_qp_offsets[1] = below(25) - 12;
    picture.picture_parameters.push_back(parameters);
    Slice slice;
    SliceHeader& header = slice.header;
    header.first_macroblock = first;
    header.type = static_cast<SliceType>(below(3));
    header.deblocking = below(4) % 3;
    header.alpha_offset = 2 * (below(13) - 6);
    header.beta_offset = 2 * (below(13) - 6);
    header.luma_weight_shift = below(8);
    header.chroma_weight_shift = below(8);
    for (int list = 0; list < 2; ++list) {
      if (header.type == SliceType::kI || (list == 1 && header.type == SliceType::kP)) continue;
      header.reference_counts[list] = 1 + below(4);
      for (int i = 0; i < header.reference_counts[list]; ++i) {
        slice.references[list].push_back({.picture = below(kReferences + 1) - 1,
                                          .picture_order = below(40) - 20,
                                          .is_long_term = below(5) == 0,
                                          .parsed = nullptr});
        for (int plane = 0; plane < 3; ++plane) {
          const int shift = plane == 0 ? header.luma_weight_shift : header.chroma_weight_shift;
          header.weights[list][i].weight[plane] =
              static_cast<std::int16_t>(below(2) == 0 ? 1 << shift : below(256) - 128);
          header.weights[list][i].offset[plane] =
              static_cast<std::int16_t>(below(2) == 0 ? 0 : below(256) - 128);
        }
      }
    }
    picture.slices.push_back(slice);
  }

  void make_macroblock(ParsedPicture& picture, std::size_t index, int slice) {
    Macroblock& macroblock = picture.macroblocks[index];
    const SliceHeader& header = picture.slices[static_cast<std::size_t>(slice)].header;
    const bool is_inter = header.type != SliceType::kI && below(4) > 0;
    macroblock.slice = static_cast<std::uint16_t>(slice);
    macroblock.type =
        below(12) == 0 ? MacroblockType::kLost
        : is_inter
            ? static_cast<MacroblockType>(static_cast<int>(MacroblockType::kInter16x16) + below(6))
            : static_cast<MacroblockType>(below(4));
    if (macroblock.type == MacroblockType::kLost) return;
    macroblock.has_8x8_transform =
        macroblock.type == MacroblockType::kIntra8x8 || (is_inter && below(2) == 0);
    macroblock.qp = static_cast<std::uint8_t>(below(52));
    for (auto& qp : macroblock.chroma_qp) qp = static_cast<std::uint8_t>(below(40));
    macroblock.intra_chroma_mode = static_cast<std::uint8_t>(below(4));
    make_intra_modes(macroblock);
    if (is_inter) make_motion(header, macroblock);
    MacroblockCoefficients coefficients;
    make_coefficients(macroblock, coefficients);
    picture.coefficients.set(index, coefficients);
  }

  void make_intra_modes(Macroblock& macroblock) {
    const int modes = macroblock.type == MacroblockType::kIntra16x16 ? 4 : 9;
    for (auto& mode : macroblock.intra_modes) mode = static_cast<std::uint8_t>(below(modes));
  }

  // Returns the first 4x4 block of the partition that has 4x4 block `block`. Partitions of other
  // types are 16x16 (grain 0), 8x8 or 4x4.
  static int leader(MacroblockType type, int grain, int block) {
    switch (type) {
      case MacroblockType::kInter16x16: return 0;
      case MacroblockType::kInter16x8: return block / 8 * 8;
      case MacroblockType::kInter8x16: return block % 4 / 2 * 2;
      default: return grain == 0 ? 0 : grain == 1 ? block / 8 * 8 + block % 4 / 2 * 2 : block;
    }
  }

  void make_motion(const SliceHeader& header, Macroblock& macroblock) {
    const int lists = header.type == SliceType::kB ? 1 + below(3) : 1;  // Bit 0: list 0.
    // A skipped macroblock of a P slice has one motion (clause 8.4.1.1).
    const bool is_whole = macroblock.type == MacroblockType::kSkip && header.type == SliceType::kP;
    const int grain = is_whole ? 0 : below(3);
    const int range = below(8) == 0 ? 65536 : 24;
    const auto component = [&] { return static_cast<std::int16_t>(below(range) - range / 2); };
    for (int list = 0; list < 2; ++list) {
      if ((lists >> list & 1) == 0) continue;
      for (int i = 0; i < 4; ++i) {
        const int first = leader(macroblock.type, grain, i / 2 * 8 + i % 2 * 2);
        const int quarter = first / 8 * 2 + first % 4 / 2;
        macroblock.references[list][i] =
            quarter < i ? macroblock.references[list][quarter]
                        : static_cast<std::int8_t>(below(header.reference_counts[list]));
      }
      for (int i = 0; i < 16; ++i) {
        const int first = leader(macroblock.type, grain, i);
        macroblock.vectors[list][i] =
            first < i ? macroblock.vectors[list][first] : MotionVector{component(), component()};
      }
    }
  }

  void make_coefficients(Macroblock& macroblock, MacroblockCoefficients& coefficients) {
    if (macroblock.type == MacroblockType::kPcm && below(3) == 0) return;  // Black.
    if (macroblock.type == MacroblockType::kPcm) {
      for (auto& sample : coefficients.luma) sample = static_cast<std::int16_t>(below(256));
      for (auto& chroma : coefficients.chroma) {
        for (auto& sample : chroma) sample = static_cast<std::int16_t>(below(256));
      }
      return;
    }
    if (macroblock.type == MacroblockType::kSkip) return;
    macroblock.coded_block_pattern = static_cast<std::uint8_t>(below(48));
    macroblock.coded_blocks = random_() & 0xffffff;
    if (macroblock.has_8x8_transform) {
      for (const int first : {0, 2, 8, 10}) {
        const std::uint32_t bits = 0x33u << first;
        macroblock.coded_blocks &= ~bits;
        if (below(2) == 0) macroblock.coded_blocks |= bits;
      }
    }
    for (int i = 0; i < 60; ++i) {
      coefficients.luma[below(256)] = static_cast<std::int16_t>(below(4000) - 2000);
      coefficients.chroma[i % 2][below(64)] = static_cast<std::int16_t>(below(4000) - 2000);
    }
  }

  const int columns_, rows_;
  std::mt19937 random_;
  std::vector<SamplePicture> references_;
  std::shared_ptr<const SequenceParameters> sequence_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RANDOM_PARSED_PICTURES_H_
