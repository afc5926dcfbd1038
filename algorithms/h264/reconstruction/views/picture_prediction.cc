// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/views/implicit_weight.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_prediction.h>

#include <algorithm>

namespace millrace::h264 {
namespace {

constexpr std::int32_t kMissing = -2;

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

// Finds the sources of one picture.
class PredictionMaker {
 public:
  PredictionMaker(const ParsedPicture& picture, const std::function<bool(std::int64_t)>& has)
      : picture_(picture), has_(has) {}

  PicturePrediction make() {
    for (std::size_t i = 0; i < picture_.slices.size(); ++i) add_slice(i);
    std::int32_t& concealment = prediction_.concealment;
    if (!prediction_.sources.empty()) {
      concealment = 0;
    } else if (picture_.id > 0 && has_(picture_.id - 1)) {
      concealment = source_of(picture_.id - 1);
    }
    for (SlicePrediction& slice : prediction_.slices) {
      for (auto& sources : slice.sources) std::ranges::replace(sources, kMissing, concealment);
    }
    return std::move(prediction_);
  }

 private:
  void add_slice(std::size_t index) {
    const Slice& slice = picture_.slices[index];
    const SliceHeader& header = slice.header;
    const PictureParameters& parameters = *picture_.picture_parameters[index];
    SlicePrediction& prediction = prediction_.slices.emplace_back();
    SliceView& view = prediction.view;
    view.weighting = weighting_of(header, parameters);
    for (int list = 0; list < 2; ++list) add_references(slice, list, prediction);
    if (view.weighting == Weighting::kImplicit) add_implicit_weights(slice, prediction);
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
    view.is_b = header.type == SliceType::kB;
  }

  // Sets the entries of a list; an empty one has one entry, which is missing.
  void add_references(const Slice& slice, int list, SlicePrediction& prediction) {
    const std::vector<Reference>& references = slice.references[list];
    const int size = static_cast<int>(std::min<std::size_t>(references.size(), kMostReferences));
    const int count = std::max(size, 1);
    prediction.view.counts[list] = static_cast<std::uint8_t>(count);
    if (prediction.view.weighting == Weighting::kExplicit) {
      prediction.weights[list].assign(slice.header.weights[list],
                                      slice.header.weights[list] + count);
    }
    std::vector<std::int32_t>& sources = prediction.sources[list];
    sources.assign(static_cast<std::size_t>(count), kMissing);
    prediction.identities[list].assign(static_cast<std::size_t>(count), 0);
    const auto is_there = [&](int i) {
      return i >= 0 && i < size && has_(references[static_cast<std::size_t>(i)].picture);
    };
    for (int i = 0; i < size; ++i) {
      const auto entry = static_cast<std::size_t>(i);
      prediction.identities[list][entry] =
          static_cast<std::int32_t>(references[entry].picture & INT32_MAX);
      for (int away = 0; away < size && sources[entry] == kMissing; ++away) {
        const int nearest = is_there(i - away) ? i - away : i + away;
        if (!is_there(nearest)) continue;
        sources[entry] = source_of(references[static_cast<std::size_t>(nearest)].picture);
      }
    }
  }

  void add_implicit_weights(const Slice& slice, SlicePrediction& prediction) {
    constexpr std::int16_t kEven = 32;
    const std::size_t count = prediction.view.counts[1];
    prediction.implicit_weights.assign(prediction.view.counts[0] * count, kEven);
    const std::size_t first_size =
        std::min<std::size_t>(slice.references[0].size(), kMostReferences);
    const std::size_t second_size = std::min(slice.references[1].size(), count);
    for (std::size_t i = 0; i < first_size; ++i) {
      for (std::size_t j = 0; j < second_size; ++j) {
        prediction.implicit_weights[count * i + j] = static_cast<std::int16_t>(implicit_weight(
            picture_.picture_order, slice.references[0][i], slice.references[1][j]));
      }
    }
  }

  // Returns the index of a source, which is added if it is new.
  std::int32_t source_of(std::int64_t picture) {
    std::vector<std::int64_t>& sources = prediction_.sources;
    const auto found = std::ranges::find(sources, picture);
    const auto index = static_cast<std::int32_t>(found - sources.begin());
    if (found == sources.end()) sources.push_back(picture);
    return index;
  }

  const ParsedPicture& picture_;
  const std::function<bool(std::int64_t)>& has_;
  PicturePrediction prediction_;
};

}  // namespace

PicturePrediction prediction_of(const ParsedPicture& picture,
                                const std::function<bool(std::int64_t)>& has) {
  return PredictionMaker(picture, has).make();
}

}  // namespace millrace::h264
