// SPDX-License-Identifier: Apache-2.0

// Writes the slices of a picture as reconstruction reads them, in memory of a host or for a device.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_SLICE_VIEWS_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_SLICE_VIEWS_H_

#include <millrace/algorithms/h264/reconstruction/views/picture_prediction.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace millrace::h264 {

// Numbers of elements that the views of a picture take.
struct SliceViewCounts {
  std::size_t slices = 0;
  std::size_t references = 0;
  std::size_t weights = 0;
  std::size_t implicit_weights = 0;
};
SliceViewCounts count_slice_views(const PicturePrediction& prediction);

// An array that is written at `host` and read at `reader`, the same memory for a host.
template <class T>
struct WrittenArray {
  T* host = nullptr;
  const T* reader = nullptr;

  WrittenArray from(std::size_t first) const { return {host + first, reader + first}; }
};

struct SliceViewArrays {
  WrittenArray<SliceView> slices;
  WrittenArray<ReferenceView> references;
  WrittenArray<PredictionWeight> weights;
  WrittenArray<std::int16_t> implicit_weights;
};

struct SourcePlanes {
  const std::uint8_t* planes[3];
};

// Writes the views of a picture, in arrays of as many elements as count_slice_views() says.
// `planes_of` returns the planes of a source, kGreySource among them, where the reader has them.
void write_slice_views(const PicturePrediction& prediction,
                       const std::function<SourcePlanes(std::int32_t)>& planes_of,
                       const SliceViewArrays& to);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_SLICE_VIEWS_H_
