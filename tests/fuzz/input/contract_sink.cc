// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/bitstream/sequence_parameters.h>
#include <millrace/tests/fuzz/input/contract_sink.h>
#include <millrace/tests/fuzz/input/input_file.h>

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <optional>

namespace millrace::fuzz {
namespace {

// max_dec_frame_buffering is at most 16; the current picture is one more.
constexpr std::size_t kMostPictures = 17;

bool is_large_sequence(std::span<const std::uint8_t> unit) {
  constexpr int kSequenceParameters = 7;
  if ((unit[0] & 31) != kSequenceParameters) return false;
  h264::NalPayload payload;
  h264::extract_payload(unit, payload);
  h264::BitReader reader(payload.bytes.data(), payload.bytes.size());
  h264::SequenceParameters parameters;
  return !h264::parse_sequence_parameters(reader, parameters) &&
         parameters.macroblock_count() > kMostMacroblocks;
}

bool can_have_coefficients(const h264::Macroblock& macroblock) {
  return macroblock.type == h264::MacroblockType::kPcm ||
         macroblock.type == h264::MacroblockType::kIntra16x16 ||
         macroblock.coded_block_pattern != 0;
}

void check_coefficients(const h264::ParsedPicture& picture) {
  const h264::PictureCoefficients& coefficients = picture.coefficients;
  if (!coefficients.are_wanted()) return;
  require(coefficients.size() == picture.macroblocks.size(),
          "a picture has coefficients of another number of macroblocks");
  std::size_t sum = 0;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const h264::CoefficientView coded = coefficients.of(i);
    require(coded.count == 0 || can_have_coefficients(picture.macroblocks[i]),
            "a macroblock has coefficients that it does not code");
    require(coefficients.ranges()[i].first + static_cast<std::size_t>(coded.count) <=
                coefficients.list().size(),
            "a macroblock's coefficients are outside of the picture's");
    std::bitset<h264::kMacroblockCoefficients> indices;
    for (const h264::CodedCoefficient each : coded) {
      require(each.index < h264::kMacroblockCoefficients && !indices[each.index],
              "a coefficient's index is above 383 or there twice");
      require(each.value != 0, "a coefficient in a list is 0");
      indices.set(each.index);
    }
    sum += static_cast<std::size_t>(coded.count);
  }
  require(sum == coefficients.list().size(), "coefficients are no macroblock's, or of several");
}

}  // namespace

void for_each_small_unit(
    std::span<const std::uint8_t> stream,
    const std::function<void(std::span<const std::uint8_t>, std::int64_t, int)>& take) {
  h264::AnnexBSplitter splitter;
  const auto take_whole = [&] {
    while (const std::optional<h264::NalUnit> unit = splitter.next()) {
      require(!unit->bytes.empty(), "a NAL unit of a byte stream is empty");
      require(unit->byte >= 3 &&
                  static_cast<std::size_t>(unit->byte) + unit->bytes.size() <= stream.size(),
              "a NAL unit is outside of its stream");
      require(std::equal(unit->bytes.begin(), unit->bytes.end(),
                         stream.begin() + static_cast<std::ptrdiff_t>(unit->byte)),
              "a NAL unit is not the bytes at its position");
      if (!is_large_sequence(unit->bytes)) take(unit->bytes, unit->byte, unit->start_code_bytes);
    }
  };
  // Two pieces: units and start codes may be in both.
  const std::size_t half = stream.size() / 2;
  splitter.push(stream.first(half));
  take_whole();
  splitter.push(stream.subspan(half));
  take_whole();
  splitter.finish();
  take_whole();
}

void ContractSink::decode(const std::shared_ptr<const h264::ParsedPicture>& picture) {
  require(picture != nullptr && picture->sequence != nullptr, "a picture has no sequence");
  require(picture->id > last_, "a picture's id is not above the last one's");
  last_ = picture->id;
  require(picture->is_inferred != !picture->slices.empty() || !picture->is_inferred,
          "a picture that is inferred has slices");
  const auto count = static_cast<std::size_t>(picture->sequence->macroblock_count());
  if (!picture->is_inferred) {
    require(picture->macroblocks.size() == count, "a picture has another size than its sequence");
    require(picture->picture_parameters.size() == picture->slices.size(),
            "a slice has no picture parameters");
    std::size_t parsed = 0;
    for (const h264::Slice& slice : picture->slices) {
      parsed += static_cast<std::size_t>(slice.macroblock_count);
    }
    std::size_t lost = 0;
    for (const h264::Macroblock& macroblock : picture->macroblocks) {
      lost += macroblock.type == h264::MacroblockType::kLost ? 1 : 0;
      require(macroblock.qp <= 51, "a QP is above 51");
      require(macroblock.type == h264::MacroblockType::kLost ||
                  macroblock.slice < picture->slices.size(),
              "a macroblock's slice is not there");
    }
    check_coefficients(*picture);
    require(lost == static_cast<std::size_t>(picture->lost_macroblocks),
            "lost macroblocks are counted wrong");
    require(parsed + lost == count, "a macroblock is in two slices, or in none and not lost");
  }
  held_.emplace(picture->id, false);
  require(held_.size() <= kMostPictures, "more pictures are held than a buffer has");
}

void ContractSink::output(std::int64_t picture) {
  const auto found = held_.find(picture);
  require(found != held_.end(), "a picture is output that is not held");
  require(!found->second, "a picture is output twice");
  found->second = true;
}

void ContractSink::release(std::int64_t picture) {
  require(held_.erase(picture) == 1, "a picture is released that is not held");
}

void ContractSink::fault(const h264::StreamFault& fault) {
  require(!fault.message.empty() && fault.message.find('\n') == std::string::npos,
          "a fault's message is not one line");
  require(fault.nal_unit >= 0 && fault.nal_unit <= units_, "a fault is in no NAL unit");
  require(fault.byte >= 0 && static_cast<std::size_t>(fault.byte) <= stream_bytes_,
          "a fault is outside of the stream");
  require(fault.picture >= 0, "a fault names no picture");
}

void ContractSink::check_end() const {
  require(held_.empty(), "a picture is held after the end of the stream");
}

}  // namespace millrace::fuzz
