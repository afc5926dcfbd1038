// SPDX-License-Identifier: Apache-2.0

// Parses any bytes as parameter sets, slice headers and SEI messages of an H.264 byte stream.
#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/bitstream/parameter_set_store.h>
#include <millrace/algorithms/h264/bitstream/recovery_point.h>
#include <millrace/algorithms/h264/bitstream/slice_header.h>
#include <millrace/tests/fuzz/input/input_file.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace {

using namespace millrace;
using fuzz::require;

void check(const h264::SequenceParameters& parameters) {
  require(parameters.id >= 0 && parameters.id < 32, "an id of sequence parameters is none");
  require(parameters.macroblock_count() > 0 && parameters.macroblock_count() <= 139264,
          "a picture is larger than that of any level");
  require(parameters.width() > 0 && parameters.height() > 0, "cropping leaves nothing");
  require(parameters.crop_left >= 0 && parameters.crop_top >= 0, "cropping is negative");
  const int frames = h264::decoded_frame_capacity(parameters);
  require(frames >= 1 && frames <= 16, "a decoded picture buffer has no size");
}

void check(const h264::PictureParameters& parameters) {
  require(parameters.initial_qp >= 0 && parameters.initial_qp <= 51, "an initial QP is none");
  for (int i = 0; i < 2; ++i) {
    require(parameters.default_references[i] >= 1 && parameters.default_references[i] <= 32,
            "a list's default length is none");
    require(parameters.chroma_qp_offsets[i] >= -12 && parameters.chroma_qp_offsets[i] <= 12,
            "an offset of chroma's QP is none");
  }
  for (const auto& list : parameters.scaling.lists_4x4) {
    for (const std::uint8_t weight : list) require(weight != 0, "a weight of scaling is 0");
  }
  for (const auto& list : parameters.scaling.lists_8x8) {
    for (const std::uint8_t weight : list) require(weight != 0, "a weight of scaling is 0");
  }
}

void check(const h264::SliceHeader& header, const h264::SequenceParameters& sequence) {
  require(header.first_macroblock >= 0 && header.first_macroblock < sequence.macroblock_count(),
          "a slice begins outside of its picture");
  require(header.qp >= 0 && header.qp <= 51, "a slice's QP is none");
  for (int list = 0; list < 2; ++list) {
    require(header.reference_counts[list] >= 0 && header.reference_counts[list] <= 32,
            "a reference list is longer than 32");
    require(header.list_operations[list].size() <= 32, "operations on a list are endless");
  }
  require(header.marking_operations.size() <= 64, "operations on the marking are endless");
}

void take(std::span<const std::uint8_t> unit, h264::ParameterSetStore& sets) {
  h264::NalPayload payload;
  h264::extract_payload(unit, payload);
  require(payload.bytes.size() + payload.emulation_prevention.size() + 1 == unit.size(),
          "a payload has other bytes than its NAL unit");
  for (std::size_t i = 0; i < payload.bytes.size(); ++i) {
    require(payload.bytes[i] == unit[payload.unit_byte(i)], "a byte of a payload is elsewhere");
  }
  const int type = unit[0] & 31;
  switch (type) {
    case 7: sets.add_sequence(payload.bytes); break;
    case 8: sets.add_picture(payload.bytes); break;
    case 6: {
      std::optional<h264::RecoveryPoint> point;
      h264::find_recovery_point(payload.bytes, point);
      break;
    }
    case 1:
    case 5: {
      h264::BitReader reader(payload.bytes.data(), payload.bytes.size());
      h264::ParameterSets found;
      if (sets.find(h264::picture_parameters_of_slice(reader), found)) break;
      require(found.sequence != nullptr && found.picture != nullptr, "a set is found as nothing");
      check(*found.sequence);
      check(*found.picture);
      h264::SliceHeader header;
      if (!h264::parse_slice_header(reader, unit[0] >> 5 & 3, type, *found.sequence, *found.picture,
                                    header)) {
        check(header, *found.sequence);
        require(reader.position() <= reader.size(), "a header ends behind its NAL unit");
      }
      break;
    }
    default: break;
  }
}

}  // namespace

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  h264::AnnexBSplitter splitter;
  splitter.push({data, size});
  splitter.finish();
  h264::ParameterSetStore sets;
  while (const std::optional<h264::NalUnit> unit = splitter.next()) take(unit->bytes, sets);
  return 0;
}
