// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/cabac/cabac_reader.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_reader.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_tables.h>
#include <millrace/algorithms/h264/entropy/coefficient_bound.h>
#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/algorithms/h264/entropy/slice_parser.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr ScanOffsets kScanOffsets = scan_offsets();

// Memory that a thread keeps from slice to slice.
struct Scratch {
  std::vector<CodedEdge> edges;
  std::vector<ColocatedReferences> colocated_references;
  ScalingLists lists = {};  // That scales are made from; the standard has no weight of 0.
  LevelScales scales;
};

Scratch& scratch() {
  thread_local Scratch memory;
  return memory;
}

const LevelScales* level_scales(const ScalingLists& lists, Scratch& memory) {
  if (std::memcmp(&lists, &memory.lists, sizeof(lists)) != 0) {
    set_level_scales(lists, memory.scales);
    memory.lists = lists;
  }
  return &memory.scales;
}

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

// Fills what direct prediction reads of the first picture of list 1.
void set_direct(const ParsedPicture& picture, const Slice& slice, Scratch& memory,
                SliceParameters& parameters) {
  parameters.is_direct_spatial = slice.header.is_direct_spatial;
  if (slice.references[1].empty()) {
    return;
  }
  const Reference& second = slice.references[1][0];
  const std::vector<Reference>& firsts = slice.references[0];
  parameters.colocated_is_long_term = second.is_long_term;
  const ParsedPicture* const colocated = second.parsed;
  if (colocated != nullptr && colocated->macroblocks.size() == picture.macroblocks.size()) {
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
  if (parameters.colocated == nullptr) {
    return;
  }
  memory.colocated_references.resize(colocated->slices.size());
  for (std::size_t s = 0; s < colocated->slices.size(); ++s) {
    for (int list = 0; list < 2; ++list) {
      const std::vector<Reference>& references = colocated->slices[s].references[list];
      std::int8_t(&indices)[32] = memory.colocated_references[s].indices[list];
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
  parameters.colocated_references = memory.colocated_references.data();
  parameters.colocated_slices = static_cast<int>(colocated->slices.size());
}

SliceEnd parse_coded(const SliceParameters& parameters, bool is_cabac, int cabac_table,
                     std::span<const std::uint8_t> payload, std::size_t first_bit,
                     std::size_t end) {
  if (is_cabac) {
    CabacReader reader(kCabacTables, payload.data(), payload.size(), first_bit, parameters.type,
                       cabac_table, parameters.qp);
    return SliceParser<CabacReader>(parameters, reader, first_bit, end).parse();
  }
  CavlcReader reader(kCavlcTables, payload.data(), payload.size(), first_bit);
  return SliceParser<CavlcReader>(parameters, reader, first_bit, end).parse();
}

}  // namespace

SliceEnd parse_slice_data(ParsedPicture& picture, int slice, std::span<const std::uint8_t> payload,
                          std::size_t first_bit) {
  const Slice& current = picture.slices[static_cast<std::size_t>(slice)];
  const SliceHeader& header = current.header;
  const SequenceParameters& sequence = *picture.sequence;
  const PictureParameters& pps = *picture.picture_parameters[static_cast<std::size_t>(slice)];
  Scratch& memory = scratch();

  SliceParameters parameters;
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
  if (picture.macroblocks.size() != count ||
      (!picture.coefficients.empty() && picture.coefficients.size() != count)) {
    return {0, "picture without memory for its macroblocks", first_bit};
  }
  if (header.first_macroblock < 0 || header.first_macroblock >= sequence.macroblock_count()) {
    return {0, "first_mb_in_slice past the last macroblock of the picture", first_bit};
  }
  if (header.qp < 0 || header.qp > 51) {
    return {0, "slice_qp_delta that makes a QP outside of 0 to 51", first_bit};
  }
  if (header.cabac_table < 0 || header.cabac_table > 2) {
    return {0, "cabac_init_idc above 2", first_bit};
  }
  for (const int references : header.reference_counts) {
    if (references < 0 || references > 32) {
      return {0, "num_ref_idx_active above 32", first_bit};
    }
  }
  const std::size_t end = stop_bit(payload);
  if (end <= first_bit) {
    return {0, "slice without data", first_bit};
  }
  parameters.scales = level_scales(pps.scaling, memory);
  parameters.scans = &kScanOffsets;
  if (memory.edges.size() < static_cast<std::size_t>(parameters.width)) {
    memory.edges.resize(static_cast<std::size_t>(parameters.width));
  }
  parameters.edges_above = memory.edges.data();
  if (header.type == SliceType::kB) {
    set_direct(picture, current, memory, parameters);
  }

  const auto left = count - static_cast<std::size_t>(header.first_macroblock);
  const std::size_t coefficients_before = picture.coefficients.list_size();
  if (!picture.coefficients.empty()) {
    parameters.coefficient_capacity = most_coefficients(8 * payload.size(), left);
    parameters.coefficients = picture.coefficients.extend(parameters.coefficient_capacity);
    parameters.coefficient_ranges = picture.coefficients.ranges();
    parameters.first_coefficient = static_cast<std::uint32_t>(coefficients_before);
  }
  const SliceEnd parsed =
      parse_coded(parameters, pps.is_cabac, header.cabac_table, payload, first_bit, end);
  picture.coefficients.shorten(coefficients_before + parsed.coefficients);
  return parsed;
}

}  // namespace millrace::h264
