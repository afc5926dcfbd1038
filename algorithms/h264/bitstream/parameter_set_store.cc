// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/parameter_set_store.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace millrace::h264 {
namespace {

bool is_equal(std::span<const std::uint8_t> payload, const std::vector<std::uint8_t>& stored) {
  return std::equal(payload.begin(), payload.end(), stored.begin(), stored.end());
}

}  // namespace

SyntaxCheck ParameterSetStore::add_sequence(std::span<const std::uint8_t> payload) {
  BitReader reader(payload.data(), payload.size());
  auto parameters = std::make_shared<SequenceParameters>();
  SyntaxCheck fault = parse_sequence_parameters(reader, *parameters);
  if (fault && !fault->is_unsupported) {
    return damaged("a damaged sequence parameter set: " + fault->message);
  }
  SequenceEntry& entry = sequences_[static_cast<std::size_t>(parameters->id)];
  if (!entry.payload.empty() && is_equal(payload, entry.payload)) return std::nullopt;
  found_id_ = kNone;
  entry.payload.assign(payload.begin(), payload.end());
  entry.parameters = fault ? nullptr : std::move(parameters);
  entry.fault = std::move(fault);
  return std::nullopt;
}

SyntaxCheck ParameterSetStore::add_picture(std::span<const std::uint8_t> payload) {
  BitReader reader(payload.data(), payload.size());
  CodedPictureParameters coded;
  SyntaxCheck fault = parse_picture_parameters(reader, coded);
  if (fault && !fault->is_unsupported) {
    return damaged("a damaged picture parameter set: " + fault->message);
  }
  std::unique_ptr<PictureEntry>& entry = pictures_[static_cast<std::size_t>(coded.parameters.id)];
  if (entry == nullptr) entry = std::make_unique<PictureEntry>();
  if (!entry->payload.empty() && is_equal(payload, entry->payload)) return std::nullopt;
  found_id_ = kNone;
  *entry = {.payload = {payload.begin(), payload.end()},
            .coded = coded,
            .parameters = nullptr,
            .sequence = nullptr,
            .fault = std::move(fault)};
  return std::nullopt;
}

SyntaxCheck ParameterSetStore::find(int id, ParameterSets& sets) {
  if (id < 0 || id > 255)
    return damaged("a slice names no picture parameter set; its id must be in 0..255");
  PictureEntry* const picture = pictures_[static_cast<std::size_t>(id)].get();
  if (picture == nullptr) {
    return damaged("picture parameter set " + std::to_string(id) +
                   " has not arrived; it must be sent before its slices");
  }
  const int sequence_id = picture->coded.parameters.sequence_id;
  const SequenceEntry& sequence = sequences_[static_cast<std::size_t>(sequence_id)];
  if (sequence.fault) return sequence.fault;
  if (sequence.parameters == nullptr) {
    return damaged("sequence parameter set " + std::to_string(sequence_id) +
                   " has not arrived; it must be sent before its slices");
  }
  if (picture->fault) return picture->fault;
  if (picture->sequence != sequence.parameters) {
    picture->sequence = sequence.parameters;
    picture->parameters =
        std::make_shared<const PictureParameters>(resolve(picture->coded, *sequence.parameters));
  }
  sets = {picture->sequence, picture->parameters};
  found_id_ = id;
  found_ = sets;
  return std::nullopt;
}

}  // namespace millrace::h264
