// SPDX-License-Identifier: Apache-2.0

// Resolves the references and weights of a picture's slices once, before its reconstruction.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCTION_INPUT_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCTION_INPUT_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/reconstruction/picture_view.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/sample_picture.h>

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
  const std::vector<SliceView>& slices() const { return slices_; }

  // The pictures that the views point into, each once, and the one that conceals what is lost.
  const std::vector<const SamplePicture*>& sources() const { return sources_; }
  const SamplePicture& concealment() const { return *concealment_; }

 private:
  SliceView make_slice(std::size_t index, const FindPicture& find);
  void resolve_references(const Slice& slice, int list, const FindPicture& find, SliceView& view);
  const SamplePicture* find_of_same_size(const FindPicture& find, std::int64_t id) const;
  void resolve_missing();
  const SamplePicture& grey();
  void add_source(const SamplePicture& source);

  const ParsedPicture& picture_;
  std::unique_ptr<SamplePicture> grey_;
  std::vector<const SamplePicture*> sources_;
  std::vector<SliceView> slices_;
  const SamplePicture* concealment_ = nullptr;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_RECONSTRUCTION_INPUT_H_
