// SPDX-License-Identifier: Apache-2.0

// The parameter sets of a stream, by id, as they arrive (ITU-T H.264 clause 7.4.1.2.1).
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_PARAMETER_SET_STORE_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_PARAMETER_SET_STORE_H_

#include <millrace/algorithms/h264/bitstream/picture_parameters.h>
#include <millrace/algorithms/h264/bitstream/sequence_parameters.h>
#include <millrace/algorithms/h264/bitstream/syntax_fault.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/prefetch_object.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::h264 {

// A picture parameter set and the sequence's that it names.
struct ParameterSets {
  std::shared_ptr<const SequenceParameters> sequence;
  std::shared_ptr<const PictureParameters> picture;
};

// Holds at most 32 sequence and 256 picture parameter sets. A set that arrives again with the same
// bytes is the same object.
class ParameterSetStore {
 public:
  // Parses a set and stores it by its id. Returns a fault for a damaged set, and keeps the earlier
  // set of that id. A set that needs unsupported tools is stored without a fault; find() returns
  // the fault.
  SyntaxCheck add_sequence(std::span<const std::uint8_t> payload);
  SyntaxCheck add_picture(std::span<const std::uint8_t> payload);

  // Finds the sets of a slice that refers to picture parameter set `id`.
  SyntaxCheck find(int id, ParameterSets& sets);
  // Returns the result of the last find() without a search, if that was for `id` and no set has
  // arrived since; else null. Valid until the next call.
  const ParameterSets* last_found(int id) const { return id == found_id_ ? &found_ : nullptr; }
  // Fetches the sets that were found last into the caches.
  void prefetch() const {
    constexpr std::size_t kScalars = 128;  // Slices do not use what follows them.
    prefetch_bytes(found_.sequence.get(), kScalars);
    prefetch_bytes(found_.picture.get(), kScalars);
  }

 private:
  struct SequenceEntry {
    std::vector<std::uint8_t> payload;
    std::shared_ptr<const SequenceParameters> parameters;  // Null: none, or not supported.
    SyntaxCheck fault;
  };
  struct PictureEntry {
    std::vector<std::uint8_t> payload;
    CodedPictureParameters coded;
    std::shared_ptr<const PictureParameters> parameters;  // Resolved against `sequence`.
    std::shared_ptr<const SequenceParameters> sequence;
    SyntaxCheck fault;
  };

  static constexpr int kNone = -2;  // No slice names it.

  int found_id_ = kNone;
  ParameterSets found_;
  std::array<SequenceEntry, 32> sequences_;
  std::array<std::unique_ptr<PictureEntry>, 256> pictures_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_PARAMETER_SET_STORE_H_
