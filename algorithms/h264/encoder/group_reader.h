// SPDX-License-Identifier: Apache-2.0

// Reads the pictures of a clip by groups.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_GROUP_READER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_GROUP_READER_H_

#include <millrace/algorithms/h264/encoder/scene_cut_finder.h>
#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/algorithms/h264/sample_picture.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace millrace::h264 {

// The pictures of a group, in order. Those from `count` on are memory for later groups, or null.
struct GroupPictures {
  std::vector<std::shared_ptr<SamplePicture>> pictures;
  std::size_t count = 0;
};

// One thread at a time may call it.
class GroupReader {
 public:
  // Both arguments must outlive it. `produce` is that of EncoderStages.
  GroupReader(const EncoderOptions& options, const std::function<bool(SamplePicture&)>& produce);

  // Reads the next group into `group`, which is empty at the end of the clip. A group ends at its
  // full length or before a scene cut. Samples beyond the cropping rectangle repeat its edge.
  void read(GroupPictures& group);

  // Reads the next picture of a group, and allocates it where the pointer is null. Returns false if
  // the group has ended, at a cut or with the clip.
  bool read_picture(std::shared_ptr<SamplePicture>& picture, bool is_first);

  // True if the clip has no more groups.
  bool is_at_end() const { return is_ended_ && next_ == nullptr; }

 private:
  bool produce(std::shared_ptr<SamplePicture>& picture) const;
  bool begins_scene(const SamplePicture& picture);

  const EncoderOptions& options_;
  const std::function<bool(SamplePicture&)>& produce_;
  const int columns_, rows_;  // A picture's size in macroblocks.
  SceneCutFinder cuts_;
  std::shared_ptr<SamplePicture> next_;  // The first of the next group, where a cut ended one.
  bool is_ended_ = false;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_GROUP_READER_H_
