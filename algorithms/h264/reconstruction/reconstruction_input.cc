// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>
#include <millrace/algorithms/h264/reconstruction/views/slice_views.h>

#include <algorithm>
#include <cstdint>

namespace millrace::h264 {
namespace {

bool has_size(const SamplePicture& samples, const SequenceParameters& sequence) {
  return samples.width(0) == 16 * sequence.width_in_macroblocks &&
         samples.height(0) == 16 * sequence.height_in_macroblocks;
}

}  // namespace

ReconstructionInput::ReconstructionInput(const ParsedPicture& picture, const FindPicture& find)
    : picture_(picture) {
  const auto find_of_same_size = [&](std::int64_t id) -> const SamplePicture* {
    const SamplePicture* const samples = id < 0 ? nullptr : find(id);
    return samples != nullptr && has_size(*samples, *picture.sequence) ? samples : nullptr;
  };
  prediction_ =
      prediction_of(picture, [&](std::int64_t id) { return find_of_same_size(id) != nullptr; });
  for (const std::int64_t id : prediction_.sources) sources_.push_back(find_of_same_size(id));
  concealment_ = &samples_of(prediction_.concealment);
  make_views();
}

void ReconstructionInput::make_views() {
  const SliceViewCounts counts = count_slice_views(prediction_);
  slices_.resize(counts.slices);
  references_.resize(counts.references);
  weights_.resize(counts.weights);
  implicit_weights_.resize(counts.implicit_weights);
  const auto planes_of = [this](std::int32_t source) {
    const SamplePicture& samples = samples_of(source);
    return SourcePlanes{{samples.plane(0), samples.plane(1), samples.plane(2)}};
  };
  write_slice_views(prediction_, planes_of,
                    {.slices = {slices_.data(), slices_.data()},
                     .references = {references_.data(), references_.data()},
                     .weights = {weights_.data(), weights_.data()},
                     .implicit_weights = {implicit_weights_.data(), implicit_weights_.data()}});
}

const SamplePicture& ReconstructionInput::samples_of(std::int32_t source) {
  return source == kGreySource ? grey() : *sources_[static_cast<std::size_t>(source)];
}

const SamplePicture& ReconstructionInput::grey() {
  if (grey_ == nullptr) {
    const SequenceParameters& sequence = *picture_.sequence;
    grey_ = std::make_unique<SamplePicture>(sequence.width_in_macroblocks,
                                            sequence.height_in_macroblocks);
    for (int plane = 0; plane < 3; ++plane) {
      std::fill_n(grey_->plane(plane), grey_->width(plane) * grey_->height(plane),
                  std::uint8_t{128});
    }
  }
  return *grey_;
}

PictureView ReconstructionInput::view(SamplePicture& output) const {
  PictureView view = {};
  view.columns = picture_.sequence->width_in_macroblocks;
  view.rows = picture_.sequence->height_in_macroblocks;
  view.macroblocks = picture_.macroblocks.data();
  if (picture_.coefficients.are_wanted()) {
    view.coefficients = picture_.coefficients.list().data();
    view.coefficient_ranges = picture_.coefficients.ranges().data();
  }
  view.slices = slices_.data();
  for (int plane = 0; plane < 3; ++plane) {
    view.concealment[plane] = concealment_->plane(plane);
    view.planes[plane] = output.plane(plane);
  }
  return view;
}

}  // namespace millrace::h264
