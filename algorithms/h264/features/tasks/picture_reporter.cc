// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/features/tasks/picture_reporter.h>
#include <millrace/algorithms/h264/stream/slice_faults.h>

#include <algorithm>
#include <string>
#include <utility>

namespace millrace::h264 {
namespace {

// Returns how the device parsed a slice.
SliceEnd end_of(const PendingSlice& pending, const ParsedSliceEnd& parsed) {
  if (pending.damage != nullptr) return {0, pending.damage, pending.slice.first_bit, 0};
  return {parsed.macroblocks, parsed.damage[0] == 0 ? nullptr : parsed.damage,
          static_cast<std::size_t>(parsed.bit), static_cast<std::size_t>(parsed.coefficients)};
}

StreamFault fault_of(const PendingPicture& picture, const PendingSlice& slice, std::string text) {
  StreamFault fault;
  fault.message = std::move(text);
  fault.nal_unit = slice.nal_unit;
  fault.byte = slice.byte;
  fault.picture = picture.id;
  return fault;
}

// Fills in the reference lists of a slice, as far as following losses reads them.
void set_references(const PendingPicture& picture, const PendingSlice& pending, Slice& slice) {
  const MeasuredReference* measured = picture.references.data() + pending.references;
  for (int list = 0; list < 2; ++list) {
    slice.references[list].resize(static_cast<std::size_t>(pending.reference_counts[list]));
    for (Reference& reference : slice.references[list]) {
      // A missing reference has no distance.
      const std::int64_t distance = (measured++)->decoding_distance;
      reference.picture = distance > 0 ? picture.id - distance : -1;
    }
  }
}

// Makes the picture that a parser on the host would have found, but for its macroblocks and what
// features do not read.
void set_parsed(const PendingPicture& picture, const FeatureRun::Result& result,
                ParsedPicture& parsed) {
  parsed.id = picture.id;
  parsed.sequence = picture.sequence;
  parsed.picture_order = picture.picture_order;
  parsed.frame_number = picture.frame_number;
  parsed.is_idr = picture.is_idr;
  parsed.is_reference = picture.is_kept;
  parsed.has_recovery_point = picture.has_recovery_point;
  parsed.bytes = picture.bytes;
  parsed.lost_macroblocks = static_cast<int>(picture.macroblocks());
  parsed.slices.resize(picture.slices.size());
  for (std::size_t s = 0; s < picture.slices.size(); ++s) {
    const PendingSlice& pending = picture.slices[s];
    const SliceEnd end = end_of(pending, result.ends[s]);
    Slice& slice = parsed.slices[s];
    slice.header.type = pending.slice.parameters.type;
    slice.header_bits = pending.header_bits;
    slice.macroblock_count = end.macroblocks;
    slice.is_damaged = end.damage != nullptr;
    set_references(picture, pending, slice);
    parsed.lost_macroblocks -= end.macroblocks;
  }
}

}  // namespace

void PictureReporter::report_slices(const PendingPicture& picture, const FeatureRun::Result& result,
                                    std::size_t first, std::size_t end) {
  for (std::size_t s = first; s < end; ++s) {
    const PendingSlice& pending = picture.slices[s];
    const SliceEnd parsed = end_of(pending, result.ends[s]);
    if (parsed.damage == nullptr) continue;
    StreamFault fault = fault_of(picture, pending, text_of_damaged_slice(s, parsed));
    const std::size_t byte = std::min(parsed.bit / 8, pending.slice.payload_bytes);
    if (byte > 0) {
      fault.byte +=
          static_cast<std::int64_t>(unit_byte_of(picture.emulation_prevention_of(s), byte));
    }
    sink_.fault(fault);
  }
}

void PictureReporter::report(const PendingPicture& picture, const FeatureRun::Result& result,
                             const SampleRun& samples, const Download& download) {
  // Its slices keep their memory. Sinks are not called as long as it is in use, as they may run
  // other streams.
  thread_local ParsedPicture parsed;
  parsed.macroblocks.clear();  // An earlier call may have thrown.
  set_parsed(picture, result, parsed);
  const bool is_damaged = std::any_of(parsed.slices.begin(), parsed.slices.end(),
                                      [](const Slice& slice) { return slice.is_damaged; });
  const int lost = parsed.lost_macroblocks;
  if (extractor_.needs_macroblocks(parsed, *result.sums)) {
    parsed.macroblocks.resize(picture.macroblocks());
    download(*picture.device, parsed.macroblocks);
  }
  const FrameFeatures features = extractor_.measure(parsed, *result.sums, result.rows);
  if (gives_samples_) store(parsed, &picture, &samples);
  parsed.macroblocks.clear();
  parsed.sequence.reset();

  if (lost > 0 && !is_damaged) {
    sink_.fault(fault_of(picture, picture.slices.back(),
                         text_of_lost_slices(lost, static_cast<int>(picture.macroblocks()))));
  }
  sink_.add(features);
}

void PictureReporter::report_inferred(const ParsedPicture& picture) {
  extractor_.skip(picture);
  if (gives_samples_) store(picture, nullptr, nullptr);
}

void PictureReporter::report_output(std::int64_t picture) {
  if (!gives_samples_) return;
  const DecodedFrame frame = frames_.frame(picture);
  if (frame.samples != nullptr) sink_.frame(frame);
}

void PictureReporter::report_release(std::int64_t picture) {
  extractor_.release(picture);
  if (gives_samples_) frames_.release(picture);
  sink_.release(picture);
}

// Stores the samples of a picture until it is output. Those of an inferred picture are copies of
// the picture before.
void PictureReporter::store(const ParsedPicture& picture, const PendingPicture* pending,
                            const SampleRun* samples) {
  StoredFrame frame;
  frame.sequence = picture.sequence;
  frame.samples = frames_.take_samples(*picture.sequence);
  const SamplePicture* const before = frames_.find(picture.id - 1);
  if (pending != nullptr) {
    frame.concealed_macroblocks = picture.lost_macroblocks;
    const std::uint8_t* from = samples->samples(*pending->samples).data();
    for (int plane = 0; plane < 3; ++plane) {
      const auto size = static_cast<std::size_t>(frame.samples->width(plane)) *
                        static_cast<std::size_t>(frame.samples->height(plane));
      std::copy_n(from, size, frame.samples->plane(plane));
      from += size;
    }
  } else if (before != nullptr && before->width(0) == frame.samples->width(0) &&
             before->height(0) == frame.samples->height(0)) {
    *frame.samples = *before;
  } else {
    frame.samples->fill(128);
  }
  frames_.store(picture.id, std::move(frame));
}

}  // namespace millrace::h264
