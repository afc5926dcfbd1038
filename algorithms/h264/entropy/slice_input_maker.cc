// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/slice_input_maker.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace millrace::h264 {
namespace {

// Returns the bit of rbsp_stop_one_bit, or 0 where there is none.
std::size_t stop_bit(std::span<const std::uint8_t> payload) {
  std::size_t size = payload.size();
  while (size > 0 && payload[size - 1] == 0) {
    --size;
  }
  if (size == 0) {
    return 0;
  }
  return 8 * size - 1 - static_cast<std::size_t>(std::countr_zero(payload[size - 1]));
}

// Equations 8-197 to 8-202.
int distance_scale(int current, const Reference& first, const Reference& second) {
  const int td = std::clamp(second.picture_order - first.picture_order, -128, 127);
  if (first.is_long_term || td == 0) {
    return 256;
  }
  const int tb = std::clamp(current - first.picture_order, -128, 127);
  const int tx = (16384 + std::abs(td / 2)) / td;
  return std::clamp((tb * tx + 32) >> 6, -1024, 1023);
}

// Returns the number of macroblocks of a picture, which may have no memory for them.
std::size_t macroblocks_of(const ParsedPicture& picture) {
  if (!picture.macroblocks.empty() || picture.sequence == nullptr) {
    return picture.macroblocks.size();
  }
  return static_cast<std::size_t>(picture.sequence->macroblock_count());
}

}  // namespace

const LevelScales* SliceInputMaker::scales_of(const ScalingLists& lists) {
  if (std::memcmp(&lists, &lists_, sizeof(lists)) != 0) {
    set_level_scales(lists, scales_);
    lists_ = lists;
  }
  return &scales_;
}

// Fills what direct prediction reads of the first picture of list 1.
void SliceInputMaker::set_direct(const ParsedPicture& picture, const Slice& slice, Input& input) {
  SliceParameters& parameters = input.slice.parameters;
  parameters.is_direct_spatial = slice.header.is_direct_spatial;
  if (slice.references[1].empty()) {
    return;
  }
  const Reference& second = slice.references[1][0];
  const std::vector<Reference>& firsts = slice.references[0];
  parameters.colocated_is_long_term = second.is_long_term;
  const ParsedPicture* const colocated = second.parsed;
  if (colocated != nullptr && macroblocks_of(*colocated) == macroblocks_of(picture)) {
    input.colocated = colocated;
    parameters.colocated = colocated->macroblocks.data();
  }
  if (parameters.is_direct_spatial) {
    return;
  }
  const std::size_t count = std::min<std::size_t>(firsts.size(), 32);
  for (std::size_t k = 0; k < count; ++k) {
    parameters.distance_scales[k] =
        static_cast<std::int16_t>(distance_scale(picture.picture_order, firsts[k], second));
  }
  if (input.colocated == nullptr) {
    return;
  }
  colocated_references_.resize(colocated->slices.size());
  for (std::size_t s = 0; s < colocated->slices.size(); ++s) {
    for (int list = 0; list < 2; ++list) {
      const std::vector<Reference>& references = colocated->slices[s].references[list];
      std::int8_t(&indices)[32] = colocated_references_[s].indices[list];
      for (std::size_t k = 0; k < 32; ++k) {
        std::size_t found = 0;
        while (k < references.size() && found < count &&
               firsts[found].picture != references[k].picture) {
          ++found;
        }
        indices[k] = static_cast<std::int8_t>(found < count ? found : 0);
      }
    }
  }
  parameters.colocated_references = colocated_references_.data();
  parameters.colocated_slices = static_cast<int>(colocated->slices.size());
}

SliceInputMaker::Input SliceInputMaker::make(ParsedPicture& picture, int slice,
                                             std::span<const std::uint8_t> payload,
                                             std::size_t first_bit) {
  const Slice& current = picture.slices[static_cast<std::size_t>(slice)];
  const SliceHeader& header = current.header;
  const SequenceParameters& sequence = *picture.sequence;
  const PictureParameters& pps = *picture.picture_parameters[static_cast<std::size_t>(slice)];
  Input input;
  SliceParameters& parameters = input.slice.parameters;
  parameters.macroblocks = picture.macroblocks.data();
  parameters.width = sequence.width_in_macroblocks;
  parameters.height = sequence.height_in_macroblocks;
  parameters.first_macroblock = header.first_macroblock;
  parameters.slice = static_cast<std::uint16_t>(slice);
  parameters.type = header.type;
  parameters.qp = header.qp;
  for (int k = 0; k < 2; ++k) {
    parameters.chroma_qp_offsets[k] = pps.chroma_qp_offsets[k];
    parameters.reference_counts[k] = header.reference_counts[k];
  }
  parameters.has_8x8_transform = pps.has_8x8_transform;
  parameters.has_direct_8x8_inference = sequence.direct_8x8_inference;
  parameters.has_constrained_intra_prediction = pps.has_constrained_intra_prediction;
  const auto count = static_cast<std::size_t>(sequence.macroblock_count());
  if ((!picture.macroblocks.empty() && picture.macroblocks.size() != count) ||
      (picture.coefficients.are_wanted() && picture.coefficients.size() != count)) {
    return {{}, kNoMacroblocks};
  }
  if (header.first_macroblock < 0 || header.first_macroblock >= sequence.macroblock_count()) {
    return {{}, "first_mb_in_slice past the last macroblock of the picture"};
  }
  if (header.qp < 0 || header.qp > 51) {
    return {{}, "slice_qp_delta that makes a QP outside of 0 to 51"};
  }
  if (header.cabac_table < 0 || header.cabac_table > 2) {
    return {{}, "cabac_init_idc above 2"};
  }
  for (const int references : header.reference_counts) {
    if (references < 0 || references > 32) {
      return {{}, "num_ref_idx_active above 32"};
    }
  }
  const std::size_t end = stop_bit(payload);
  if (end <= first_bit) {
    return {{}, "slice without data"};
  }
  // A picture without macroblocks is parsed by a device, which has scales of its own.
  if (!picture.macroblocks.empty()) {
    parameters.scales = scales_of(pps.scaling);
  }
  parameters.scans = &kScanOffsets;
  if (edges_.size() < static_cast<std::size_t>(parameters.width)) {
    edges_.resize(static_cast<std::size_t>(parameters.width));
  }
  parameters.edges_above = edges_.data();
  if (header.type == SliceType::kB) {
    set_direct(picture, current, input);
  }
  input.slice.payload = payload.data();
  input.slice.payload_bytes = payload.size();
  input.slice.first_bit = first_bit;
  input.slice.end = end;
  input.slice.is_cabac = pps.is_cabac;
  input.slice.cabac_table = header.cabac_table;
  return input;
}

}  // namespace millrace::h264
