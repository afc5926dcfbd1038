// SPDX-License-Identifier: Apache-2.0

// A picture's headers say which pictures it is predicted from and how they are weighed. Prediction
// and deblocking read that besides macroblocks. It is found without the samples of any picture.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_PICTURE_PREDICTION_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_PICTURE_PREDICTION_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace millrace::h264 {

// Stands for a picture whose samples are all 128.
inline constexpr std::int32_t kGreySource = -1;

struct SlicePrediction {
  SliceView view = {};  // Its pointers are not set.
  // By list, of view.counts entries: an index into PicturePrediction::sources, or kGreySource.
  std::vector<std::int32_t> sources[2];
  std::vector<std::int32_t> identities[2];     // ReferenceView::identity
  std::vector<PredictionWeight> weights[2];    // Empty unless there are explicit ones.
  std::vector<std::int16_t> implicit_weights;  // Empty unless there are implicit ones.
};

struct PicturePrediction {
  std::vector<std::int64_t> sources;       // ParsedPicture::id of each picture that is read, once.
  std::int32_t concealment = kGreySource;  // The source that lost macroblocks are copied from.
  std::vector<SlicePrediction> slices;
};

// Returns the prediction of a picture. `has` returns true for the id of a picture whose samples are
// there, in the size of this one. A reference that is missing is replaced by the one nearest to it
// in its list, or by the concealment: the first reference there is, else the picture before, else
// grey. Reads no macroblocks.
PicturePrediction prediction_of(const ParsedPicture& picture,
                                const std::function<bool(std::int64_t)>& has);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_VIEWS_PICTURE_PREDICTION_H_
