// SPDX-License-Identifier: Apache-2.0

// Searches motion for the next pictures of several groups at once.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_GROUP_SEARCH_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_GROUP_SEARCH_H_

#include <millrace/algorithms/h264/encoder/group_encoder.h>
#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::h264 {

// A group's next picture.
struct GroupPicture {
  GroupEncoder* group = nullptr;  // The search fills its fields.
  const SamplePicture* source = nullptr;
  int qp = 0;  // Determines the weight of the bits of vectors.
};

// Keeps its memory of the device. One thread at a time may call it.
class GroupSearch {
 public:
  // `groups` is the largest number of pictures of a call.
  GroupSearch(std::shared_ptr<Device> device, const EncoderOptions& options, int groups);

  // Pictures without references are left out. Returns when the fields are in host memory.
  void search(std::span<const GroupPicture> pictures);

 private:
  // Memory of one picture on a device that does not share the host's.
  struct DevicePicture {
    Buffer<std::uint8_t> source;
    std::vector<Buffer<std::uint8_t>> references;
    std::vector<Buffer<MotionVector>> predictors;
    std::vector<Buffer<MotionVector>> vectors;
    std::vector<Buffer<std::uint32_t>> costs;
  };
  // Searches of pictures of one QP.
  struct SearchesOfQp {
    int qp = 0;
    std::vector<motion::SearchFrame<std::uint8_t>> frames;
    std::vector<motion::MotionField> fields;
  };

  void add(int qp, const motion::SearchFrame<std::uint8_t>& frame,
           const motion::MotionField& field);
  void enqueue_searches();
  void search_on_host(std::span<const GroupPicture> pictures);
  void search_on_device(std::span<const GroupPicture> pictures);

  const std::shared_ptr<Device> device_;
  const EncoderOptions options_;
  motion::SearchOptions search_options_;
  const std::unique_ptr<Queue> queue_;
  std::vector<DevicePicture> memory_;
  std::vector<SearchesOfQp> searches_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_GROUP_SEARCH_H_
