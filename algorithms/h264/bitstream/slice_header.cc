// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/slice_header.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kIdr = 5;             // nal_unit_type
constexpr int kMaxReferences = 16;  // References of a list (num_ref_idx_l0_active_minus1).

int list_count(SliceType type) { return type == SliceType::kI ? 0 : type == SliceType::kP ? 1 : 2; }

SyntaxCheck parse_type(BitReader& reader, SliceHeader& header) {
  const std::uint32_t type = reader.ue();
  if (type > 9) return out_of_range("slice_type", type, 0, 9);
  switch (type % 5) {
    case 0: header.type = SliceType::kP; break;
    case 1: header.type = SliceType::kB; break;
    case 2: header.type = SliceType::kI; break;
    case 3: return unsupported("SP slices are not supported; encode with I, P and B slices");
    default: return unsupported("SI slices are not supported; encode with I, P and B slices");
  }
  if (header.is_idr() && header.type != SliceType::kI) {
    return damaged("a slice of an IDR picture is not an I slice; all of them must be");
  }
  return std::nullopt;
}

void parse_picture_order(BitReader& reader, const SequenceParameters& sequence,
                         const PictureParameters& picture, SliceHeader& header) {
  if (sequence.picture_order_type == 0) {
    header.picture_order_lsb = static_cast<int>(reader.bits(sequence.log2_max_picture_order));
    if (picture.has_picture_order_in_slices) header.delta_picture_order_bottom = reader.se();
  } else if (sequence.picture_order_type == 1 && !sequence.delta_picture_order_always_zero) {
    header.delta_picture_order[0] = reader.se();
    if (picture.has_picture_order_in_slices) header.delta_picture_order[1] = reader.se();
  }
}

SyntaxCheck parse_reference_counts(BitReader& reader, const PictureParameters& picture,
                                   SliceHeader& header) {
  const int lists = list_count(header.type);
  if (lists == 0) return std::nullopt;
  const bool has_counts = reader.flag();
  for (int list = 0; list < lists; ++list) {
    const std::int64_t count =
        has_counts ? std::int64_t{reader.ue()} + 1 : picture.default_references[list];
    if (count > kMaxReferences) {
      return out_of_range("the length of a reference list", count, 1, kMaxReferences);
    }
    header.reference_counts[list] = static_cast<int>(count);
  }
  return std::nullopt;
}

// ref_pic_list_modification()
SyntaxCheck parse_list_operations(BitReader& reader, SliceHeader& header) {
  constexpr std::uint32_t kEnd = 3;
  for (int list = 0; list < list_count(header.type); ++list) {
    if (!reader.flag()) continue;
    for (;;) {
      const std::uint32_t operation = reader.ue();
      if (operation == kEnd) break;
      if (operation > kEnd) {
        return out_of_range("modification_of_pic_nums_idc", operation, 0, kEnd);
      }
      // Each operation sets one entry.
      if (header.list_operations[list].size() ==
          static_cast<std::size_t>(header.reference_counts[list])) {
        return damaged("more operations on a reference list than its " +
                       std::to_string(header.reference_counts[list]) + " entries");
      }
      header.list_operations[list].push_back(
          {.operation = static_cast<int>(operation), .operand = reader.ue()});
      if (reader.failed()) return damaged("the header ends in operations on a reference list");
    }
  }
  return std::nullopt;
}

SyntaxCheck parse_weight(BitReader& reader, int component, PredictionWeight& weight) {
  const std::int32_t factor = reader.se();
  const std::int32_t offset = reader.se();
  if (factor < -128 || factor > 127) return out_of_range("a weight", factor, -128, 127);
  if (offset < -128 || offset > 127) return out_of_range("a weight's offset", offset, -128, 127);
  weight.weight[component] = static_cast<std::int16_t>(factor);
  weight.offset[component] = static_cast<std::int16_t>(offset);
  return std::nullopt;
}

// pred_weight_table()
SyntaxCheck parse_weights(BitReader& reader, SliceHeader& header) {
  const std::uint32_t luma_shift = reader.ue();
  const std::uint32_t chroma_shift = reader.ue();
  if (luma_shift > 7) return out_of_range("luma_log2_weight_denom", luma_shift, 0, 7);
  if (chroma_shift > 7) return out_of_range("chroma_log2_weight_denom", chroma_shift, 0, 7);
  header.luma_weight_shift = static_cast<int>(luma_shift);
  header.chroma_weight_shift = static_cast<int>(chroma_shift);
  for (int list = 0; list < list_count(header.type); ++list) {
    for (int i = 0; i < header.reference_counts[list]; ++i) {
      PredictionWeight& weight = header.weights[list][i];
      const auto luma = static_cast<std::int16_t>(1 << luma_shift);
      const auto chroma = static_cast<std::int16_t>(1 << chroma_shift);
      weight = {.weight = {luma, chroma, chroma}, .offset = {0, 0, 0}};
      if (reader.flag()) {
        if (SyntaxCheck fault = parse_weight(reader, 0, weight)) return fault;
      }
      if (reader.flag()) {
        for (int component = 1; component <= 2; ++component) {
          if (SyntaxCheck fault = parse_weight(reader, component, weight)) return fault;
        }
      }
    }
  }
  return std::nullopt;
}

// dec_ref_pic_marking()
SyntaxCheck parse_marking(BitReader& reader, SliceHeader& header) {
  // Marks each of 16 pictures twice, and three operations for all.
  constexpr std::size_t kMaxOperations = 35;
  if (header.is_idr()) {
    header.keeps_no_prior_pictures = reader.flag();
    header.is_long_term = reader.flag();
    return std::nullopt;
  }
  header.has_marking_operations = reader.flag();
  if (!header.has_marking_operations) return std::nullopt;
  for (;;) {
    const std::uint32_t operation = reader.ue();
    if (operation == 0) break;
    if (operation > 6) return out_of_range("memory_management_control_operation", operation, 0, 6);
    if (header.marking_operations.size() == kMaxOperations) {
      return damaged("more than 35 operations on the marking of pictures; 35 are the most");
    }
    ReferenceOperation marking{.operation = static_cast<int>(operation)};
    if (operation != 5) marking.operand = reader.ue();
    if (operation == 3) marking.second_operand = reader.ue();
    if (reader.failed()) return damaged("the header ends in operations on the marking of pictures");
    header.marking_operations.push_back(marking);
  }
  return std::nullopt;
}

SyntaxCheck parse_deblocking(BitReader& reader, SliceHeader& header) {
  const std::uint32_t mode = reader.ue();
  if (mode > 2) return out_of_range("disable_deblocking_filter_idc", mode, 0, 2);
  header.deblocking = static_cast<int>(mode);
  if (mode == 1) return std::nullopt;
  for (int* const offset : {&header.alpha_offset, &header.beta_offset}) {
    const std::int32_t half = reader.se();
    if (half < -6 || half > 6) return out_of_range("a deblocking offset", half, -6, 6);
    *offset = 2 * half;
  }
  return std::nullopt;
}

bool has_weights(const PictureParameters& picture, SliceType type) {
  return (picture.has_weighted_prediction && type == SliceType::kP) ||
         (picture.weighted_bi_prediction == 1 && type == SliceType::kB);
}

// Parses what comes before the reference lists.
SyntaxCheck parse_identity(BitReader& reader, const SequenceParameters& sequence,
                           const PictureParameters& picture, SliceHeader& header) {
  const std::uint32_t first = reader.ue();
  if (reader.failed()) return damaged("the NAL unit ends before the slice's first macroblock");
  if (first >= static_cast<std::uint32_t>(sequence.macroblock_count())) {
    return out_of_range("first_mb_in_slice", first, 0, sequence.macroblock_count() - 1);
  }
  header.first_macroblock = static_cast<int>(first);
  if (SyntaxCheck fault = parse_type(reader, header)) return fault;
  header.picture_parameters = static_cast<int>(reader.ue());
  header.frame_number = static_cast<int>(reader.bits(sequence.log2_max_frame_number));
  if (header.is_idr()) {
    const std::uint32_t idr_id = reader.ue();
    if (idr_id > 65535) return out_of_range("idr_pic_id", idr_id, 0, 65535);
    header.idr_id = static_cast<int>(idr_id);
    if (header.frame_number != 0) {
      return damaged("frame_num of an IDR picture is " + std::to_string(header.frame_number) +
                     "; it must be 0");
    }
  }
  parse_picture_order(reader, sequence, picture, header);
  if (picture.has_redundant_slices) {
    const std::uint32_t redundant = reader.ue();
    if (redundant > 127) return out_of_range("redundant_pic_cnt", redundant, 0, 127);
    if (redundant != 0)
      return unsupported("redundant slices are not supported; encode without them");
  }
  return std::nullopt;
}

SyntaxCheck parse_references(BitReader& reader, const PictureParameters& picture,
                             SliceHeader& header) {
  if (header.type == SliceType::kB) header.is_direct_spatial = reader.flag();
  if (SyntaxCheck fault = parse_reference_counts(reader, picture, header)) return fault;
  if (SyntaxCheck fault = parse_list_operations(reader, header)) return fault;
  if (has_weights(picture, header.type)) {
    if (SyntaxCheck fault = parse_weights(reader, header)) return fault;
  }
  return header.nal_reference != 0 ? parse_marking(reader, header) : std::nullopt;
}

// Sets all members to their defaults; lists keep their memory.
void reset(SliceHeader& header) {
  std::vector<ReferenceOperation> first = std::move(header.list_operations[0]);
  std::vector<ReferenceOperation> second = std::move(header.list_operations[1]);
  std::vector<ReferenceOperation> marking = std::move(header.marking_operations);
  header = {};
  first.clear();
  second.clear();
  marking.clear();
  header.list_operations[0] = std::move(first);
  header.list_operations[1] = std::move(second);
  header.marking_operations = std::move(marking);
}

}  // namespace

int picture_parameters_of_slice(BitReader reader) {
  reader.ue();  // first_mb_in_slice
  reader.ue();  // slice_type
  const std::uint32_t id = reader.ue();
  return reader.failed() || id > 255 ? -1 : static_cast<int>(id);
}

SyntaxCheck parse_slice_header(BitReader& reader, int nal_reference, int nal_unit_type,
                               const SequenceParameters& sequence, const PictureParameters& picture,
                               SliceHeader& header) {
  reset(header);
  header.nal_reference = nal_reference;
  header.nal_unit_type = nal_unit_type;
  if (nal_unit_type == kIdr && nal_reference == 0)
    return damaged("nal_ref_idc of an IDR slice is 0; it must be in 1..3");
  if (SyntaxCheck fault = parse_identity(reader, sequence, picture, header)) return fault;
  if (SyntaxCheck fault = parse_references(reader, picture, header)) return fault;
  if (picture.is_cabac && header.type != SliceType::kI) {
    const std::uint32_t table = reader.ue();
    if (table > 2) return out_of_range("cabac_init_idc", table, 0, 2);
    header.cabac_table = static_cast<int>(table);
  }
  const std::int64_t qp = std::int64_t{picture.initial_qp} + reader.se();
  if (qp < 0 || qp > 51) return out_of_range("the slice's QP", qp, 0, 51);
  header.qp = static_cast<int>(qp);
  if (picture.has_deblocking_control) {
    if (SyntaxCheck fault = parse_deblocking(reader, header)) return fault;
  }
  if (reader.failed()) return damaged("the NAL unit ends in the slice's header");
  return std::nullopt;
}

bool begins_picture(const SliceHeader& previous, const SliceHeader& next) {
  const bool was_idr = previous.is_idr();
  const bool is_idr = next.is_idr();
  return previous.frame_number != next.frame_number ||
         previous.picture_parameters != next.picture_parameters ||
         (previous.nal_reference == 0) != (next.nal_reference == 0) ||
         previous.picture_order_lsb != next.picture_order_lsb ||
         previous.delta_picture_order_bottom != next.delta_picture_order_bottom ||
         previous.delta_picture_order[0] != next.delta_picture_order[0] ||
         previous.delta_picture_order[1] != next.delta_picture_order[1] || was_idr != is_idr ||
         (is_idr && previous.idr_id != next.idr_id);
}

}  // namespace millrace::h264
