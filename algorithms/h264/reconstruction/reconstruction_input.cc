// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/implicit_weight.h>
#include <millrace/algorithms/h264/reconstruction/reconstruction_input.h>

#include <algorithm>
#include <cstdint>

namespace millrace::h264 {
namespace {

void set_planes(const SamplePicture& samples, const std::uint8_t* (&planes)[3]) {
  for (int plane = 0; plane < 3; ++plane) planes[plane] = samples.plane(plane);
}

Weighting weighting_of(const SliceHeader& header, const PictureParameters& parameters) {
  if (header.type == SliceType::kP && parameters.has_weighted_prediction) {
    return Weighting::kExplicit;
  }
  if (header.type == SliceType::kB && parameters.weighted_bi_prediction == 1) {
    return Weighting::kExplicit;
  }
  if (header.type == SliceType::kB && parameters.weighted_bi_prediction == 2) {
    return Weighting::kImplicit;
  }
  return Weighting::kNone;
}

int list_size(const Slice& slice, int list) {
  return static_cast<int>(std::min<std::size_t>(slice.references[list].size(), kMostReferences));
}

void set_implicit_weights(const Slice& slice, int picture_order, SliceView& view) {
  for (int i = 0; i < list_size(slice, 0); ++i) {
    for (int j = 0; j < list_size(slice, 1); ++j) {
      view.implicit_weights[i][j] = static_cast<std::int16_t>(
          implicit_weight(picture_order, slice.references[0][i], slice.references[1][j]));
    }
  }
}

}  // namespace

ReconstructionInput::ReconstructionInput(const ParsedPicture& picture, const FindPicture& find)
    : picture_(picture) {
  slices_.reserve(picture.slices.size());
  for (std::size_t i = 0; i < picture.slices.size(); ++i) slices_.push_back(make_slice(i, find));
  if (concealment_ == nullptr) concealment_ = find_of_same_size(find, picture.id - 1);
  if (concealment_ == nullptr) concealment_ = &grey();
  add_source(*concealment_);
  resolve_missing();
}

SliceView ReconstructionInput::make_slice(std::size_t index, const FindPicture& find) {
  const Slice& slice = picture_.slices[index];
  const SliceHeader& header = slice.header;
  const PictureParameters& parameters = *picture_.picture_parameters[index];
  SliceView view = {};
  for (int list = 0; list < 2; ++list) resolve_references(slice, list, find, view);
  std::copy(&header.weights[0][0], &header.weights[0][0] + 2 * kMostReferences,
            &view.weights[0][0]);
  view.weighting = weighting_of(header, parameters);
  if (view.weighting == Weighting::kImplicit) {
    set_implicit_weights(slice, picture_.picture_order, view);
  }
  view.weight_shifts[0] = static_cast<std::uint8_t>(header.luma_weight_shift);
  view.weight_shifts[1] = static_cast<std::uint8_t>(header.chroma_weight_shift);
  view.weight_shifts[2] = view.weight_shifts[1];
  view.deblocking = static_cast<std::uint8_t>(header.deblocking);
  view.alpha_offset = static_cast<std::int8_t>(header.alpha_offset);
  view.beta_offset = static_cast<std::int8_t>(header.beta_offset);
  for (int i = 0; i < 2; ++i) {
    view.chroma_qp_offsets[i] = static_cast<std::int8_t>(parameters.chroma_qp_offsets[i]);
  }
  view.has_constrained_intra_prediction = parameters.has_constrained_intra_prediction;
  return view;
}

void ReconstructionInput::resolve_references(const Slice& slice, int list, const FindPicture& find,
                                             SliceView& view) {
  const int size = list_size(slice, list);
  const SamplePicture* found[kMostReferences] = {};
  for (int i = 0; i < size; ++i) {
    found[i] = find_of_same_size(find, slice.references[list][i].picture);
  }
  for (int i = 0; i < kMostReferences; ++i) {
    if (i > 0 && i >= size) {
      view.references[list][i] = view.references[list][0];
      continue;
    }
    const SamplePicture* nearest = nullptr;
    for (int away = 0; away < size && nearest == nullptr; ++away) {
      if (i - away >= 0) nearest = found[i - away];
      if (nearest == nullptr && i + away < size) nearest = found[i + away];
    }
    ReferenceView& reference = view.references[list][i];
    reference.identity =
        i < size ? static_cast<std::int32_t>(slice.references[list][i].picture & INT32_MAX) : 0;
    if (nearest == nullptr) continue;
    if (concealment_ == nullptr) concealment_ = nearest;
    set_planes(*nearest, reference.planes);
    add_source(*nearest);
  }
}

void ReconstructionInput::resolve_missing() {
  for (SliceView& slice : slices_) {
    for (auto& list : slice.references) {
      for (ReferenceView& reference : list) {
        if (reference.planes[0] == nullptr) set_planes(*concealment_, reference.planes);
      }
    }
  }
}

const SamplePicture* ReconstructionInput::find_of_same_size(const FindPicture& find,
                                                            std::int64_t id) const {
  if (id < 0) return nullptr;
  const SamplePicture* const samples = find(id);
  if (samples == nullptr || samples->width(0) != 16 * picture_.sequence->width_in_macroblocks ||
      samples->height(0) != 16 * picture_.sequence->height_in_macroblocks) {
    return nullptr;
  }
  return samples;
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

void ReconstructionInput::add_source(const SamplePicture& source) {
  if (std::find(sources_.begin(), sources_.end(), &source) == sources_.end()) {
    sources_.push_back(&source);
  }
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
  set_planes(*concealment_, view.concealment);
  for (int plane = 0; plane < 3; ++plane) view.planes[plane] = output.plane(plane);
  return view;
}

}  // namespace millrace::h264
