// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/stream/decoded_measurement.h>
#include <millrace/tools/video/picture/quality.h>
#include <millrace/tools/video/picture/spatial_temporal_information.h>
#include <millrace/tools/video/picture/structural_similarity.h>

#include <algorithm>
#include <cstddef>

namespace millrace::tools {
namespace {

// The samples of a frame that are shown.
ConstPicturePlane shown_plane(const h264::DecodedFrame& frame, int plane) {
  const int width = frame.width(plane);
  const int height = frame.height(plane);
  return {frame.first_sample(plane), frame.samples->width(plane), width, height, width, height};
}

// Blocks are those of the coded picture, also where cropping cuts some.
double blockiness_of(const h264::DecodedFrame& frame) {
  const int left = (kEdgeBlock - frame.sequence->crop_left % kEdgeBlock) % kEdgeBlock;
  const int top = (kEdgeBlock - frame.sequence->crop_top % kEdgeBlock) % kEdgeBlock;
  ConstPicturePlane luma = shown_plane(frame, 0);
  luma.data = luma.row(top) + left;
  luma.width -= left;
  luma.height -= top;
  return luma.width > 0 && luma.height > 0 ? block_edge_step_ratio(luma, kEdgeBlock) : kNoValue;
}

std::string size_text(int width, int height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

}  // namespace

DecodedFeatures DecodedMeasurement::measure(const h264::DecodedFrame& frame) {
  const ConstPicturePlane luma = shown_plane(frame, 0);
  DecodedFeatures features;
  features.output_frame = frames_;
  features.concealed_fraction =
      static_cast<double>(frame.concealed_macroblocks) / frame.sequence->macroblock_count();
  features.blockiness = blockiness_of(frame);
  features.spatial_information = spatial_information(luma);
  if (before_.width() == luma.width && before_.height() == luma.height) {
    features.temporal_information =
        temporal_information(luma, static_cast<const Picture&>(before_).plane(0));
  }
  keep_luma(luma);
  if (!reference_.empty() && problem_.empty()) compare(frame, features);
  ++frames_;
  return features;
}

void DecodedMeasurement::compare(const h264::DecodedFrame& frame, DecodedFeatures& features) {
  try {
    compare_with_next(frame, features);
  } catch (const Error& error) {
    problem_ = std::string("the reference cannot be read on: ") + error.what();
  }
}

void DecodedMeasurement::compare_with_next(const h264::DecodedFrame& frame,
                                           DecodedFeatures& features) {
  if (reader_ == nullptr) {
    // Streams are measured side by side.
    reader_ = std::make_unique<VideoReader>(reference_, VideoReaderOptions{.threads = 1});
  }
  if (reader_->width() != frame.width(0) || reader_->height() != frame.height(0)) {
    problem_ = "frame " + std::to_string(frames_) + " in output order is " +
               size_text(frame.width(0), frame.height(0)) + " and the reference " + reference_ +
               " " + size_text(reader_->width(), reader_->height()) +
               "; give a reference of the same size";
    return;
  }
  if (!reader_->next(expected_)) {
    problem_ = "the reference " + reference_ + " ends after " + std::to_string(frames_) +
               " frames, and the stream has more; give a longer reference";
    return;
  }
  const Picture& expected = expected_;
  for (int plane = 0; plane < Picture::kPlanes; ++plane) {
    features.mean_squared_errors[static_cast<std::size_t>(plane)] =
        mean_squared_difference(shown_plane(frame, plane), expected.plane(plane));
  }
  features.structural_similarity = structural_similarity(shown_plane(frame, 0), expected.plane(0));
}

void DecodedMeasurement::keep_luma(const ConstPicturePlane& luma) {
  before_.resize(luma.width, luma.height);
  for (int y = 0; y < luma.height; ++y) {
    std::copy_n(luma.row(y), luma.width, before_.plane(0).row(y));
  }
}

std::string DecodedMeasurement::notes(bool has_ended) {
  if (reader_ == nullptr) return "";
  std::string notes = reader_->converted();
  if (!notes.empty()) notes = "frames of the reference: " + notes;
  bool has_more = false;
  try {
    has_more = has_ended && problem_.empty() && reader_->next(expected_);
  } catch (const Error&) {
    has_more = false;  // The rest of the reference is not needed.
  }
  if (has_more) {
    if (!notes.empty()) notes += "; ";
    notes += "the reference " + reference_ + " has more frames than the stream";
  }
  return notes;
}

}  // namespace millrace::tools
