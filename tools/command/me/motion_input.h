// SPDX-License-Identifier: Apache-2.0

// Input of `millrace me`: the pictures of a clip, their predictors and reconstruction.
#ifndef MILLRACE_TOOLS_COMMAND_ME_MOTION_INPUT_H_
#define MILLRACE_TOOLS_COMMAND_ME_MOTION_INPUT_H_

#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/tools/command/me/me_options.h>
#include <millrace/tools/command/me/vectors/motion_file.h>
#include <millrace/tools/command/me/vectors/motion_view.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/video_reader.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Keeps each picture from read() to view(), which are called on two threads, in the same order.
class MotionInput {
 public:
  // Opens the files of the options. Throws Error(kIo) for one that cannot be read,
  // Error(kInvalidArgument) for one of another size than the clip.
  explicit MotionInput(const MeOptions& options);

  const VideoReader& clip() const { return clip_; }

  // Describes how the reconstruction's samples were converted; empty if they were not.
  std::string reconstruction_converted() const;

  // Size in samples, rounded up to whole macroblocks.
  int padded_width() const { return rounded_up(clip_.width()); }
  int padded_height() const { return rounded_up(clip_.height()); }

  // Reads the next picture; false at the end of the clip. Throws Error(kIo).
  bool read(const motion::InputPicture<std::uint8_t>& target);

  // Returns the oldest picture that was not returned, which `motion` belongs to. Valid until the
  // next call.
  MotionView view(const motion::PictureMotion& motion);

  // Releases that picture without using it.
  void drop();

 private:
  struct InFlight {
    Picture picture;
    std::vector<motion::MotionVector> predictors;  // Empty, or in the first reference.
  };

  static int rounded_up(int size);
  std::size_t macroblocks() const;
  InFlight take_unused();
  void read_reconstruction(std::uint64_t index, std::span<std::uint8_t> samples);
  void read_predictors(std::uint64_t index, std::span<motion::MotionVector> predictors);

  const MeOptions& options_;
  VideoReader clip_;
  std::optional<VideoReader> reconstructed_;
  Picture reconstruction_;
  std::optional<MotionFileReader> given_;
  MotionFilePicture given_picture_;

  std::mutex mutex_;  // Guards the next two.
  std::deque<InFlight> in_flight_;
  std::vector<InFlight> unused_;

  InFlight searched_;
  std::vector<motion::MotionVector>
      next_predictors_;  // Predictors of the next picture, by the paper's rule.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_MOTION_INPUT_H_
