// SPDX-License-Identifier: Apache-2.0

// Resolves the references and weights of a picture's slices once, before its reconstruction.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCTION_INPUT_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCTION_INPUT_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_prediction.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/algorithms/h264/sample_picture.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::h264 {

// Holds the slices of a picture as views. `picture` and the samples that `find` returns must
// outlive it.
class ReconstructionInput {
 public:
  ReconstructionInput(const ParsedPicture& picture, const FindPicture& find);

  // Returns the picture as it is reconstructed into `output`, which has its size. The view is valid
  // as long as this object.
  PictureView view(SamplePicture& output) const;

  const ParsedPicture& picture() const { return picture_; }
  const PicturePrediction& prediction() const { return prediction_; }

  // Returns the samples of a source of the prediction, kGreySource included.
  const SamplePicture& samples_of(std::int32_t source);

 private:
  void make_views();
  const SamplePicture& grey();

  const ParsedPicture& picture_;
  PicturePrediction prediction_;
  std::vector<const SamplePicture*> sources_;  // Pictures of the prediction.
  std::unique_ptr<SamplePicture> grey_;
  std::vector<SliceView> slices_;
  std::vector<ReferenceView> references_;
  std::vector<PredictionWeight> weights_;
  std::vector<std::int16_t> implicit_weights_;
  const SamplePicture* concealment_ = nullptr;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCTION_INPUT_H_
