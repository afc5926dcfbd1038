// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/views/slice_views.h>

#include <algorithm>
#include <vector>

namespace millrace::h264 {
namespace {

// Copies the values to the array from `first` on, which moves behind them, and returns where they
// are read; null without any.
template <class T>
const T* append(const std::vector<T>& values, const WrittenArray<T>& array, std::size_t& first) {
  if (values.empty()) return nullptr;
  std::ranges::copy(values, array.host + first);
  const T* const reader = array.reader + first;
  first += values.size();
  return reader;
}

}  // namespace

SliceViewCounts count_slice_views(const PicturePrediction& prediction) {
  SliceViewCounts counts;
  for (const SlicePrediction& slice : prediction.slices) {
    ++counts.slices;
    for (int list = 0; list < 2; ++list) {
      counts.references += slice.sources[list].size();
      counts.weights += slice.weights[list].size();
    }
    counts.implicit_weights += slice.implicit_weights.size();
  }
  return counts;
}

void write_slice_views(const PicturePrediction& prediction,
                       const std::function<SourcePlanes(std::int32_t)>& planes_of,
                       const SliceViewArrays& to) {
  SliceViewCounts first;
  for (const SlicePrediction& slice : prediction.slices) {
    SliceView& view = to.slices.host[first.slices++];
    view = slice.view;
    for (int list = 0; list < 2; ++list) {
      view.references[list] = to.references.reader + first.references;
      for (std::size_t i = 0; i < slice.sources[list].size(); ++i) {
        const SourcePlanes source = planes_of(slice.sources[list][i]);
        ReferenceView& reference = to.references.host[first.references++];
        std::ranges::copy(source.planes, reference.planes);
        reference.identity = slice.identities[list][i];
      }
      view.weights[list] = append(slice.weights[list], to.weights, first.weights);
    }
    view.implicit_weights =
        append(slice.implicit_weights, to.implicit_weights, first.implicit_weights);
  }
}

}  // namespace millrace::h264
