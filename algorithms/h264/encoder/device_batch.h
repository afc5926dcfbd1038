// SPDX-License-Identifier: Apache-2.0

// Encodes several groups of pictures at once on a device: search, decisions, transforms,
// reconstruction and deblocking. The host's threads write the slices.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_DEVICE_BATCH_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_DEVICE_BATCH_H_

#include <millrace/algorithms/h264/device_memory.h>
#include <millrace/algorithms/h264/encoder/coded_picture.h>
#include <millrace/algorithms/h264/encoder/device_group_encoder.h>
#include <millrace/algorithms/h264/encoder/group_reader.h>
#include <millrace/algorithms/h264/encoder/picture_writer.h>
#include <millrace/algorithms/h264/encoder/rate/group_rate.h>
#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace millrace::h264 {

// Keeps its memory from batch to batch. One thread at a time may call it.
class DeviceBatch {
 public:
  // Receives a coded picture, its reconstruction or null, and whether it begins a group.
  using Emit = std::function<void(const CodedPicture&, const SamplePicture*, bool is_idr)>;

  // Returns the number of groups of a batch, at least 1. Two such batches keep the device busy, and
  // each fits in a fraction of its memory.
  static std::size_t group_count(const Device& device, const EncoderOptions& options,
                                 const SequenceParameters& sequence);

  // Returns the bytes of device memory that the tasks of a batch take in addition to its groups.
  static std::size_t task_bytes(const Device& device);

  // The options must outlive it. Throws kOutOfMemory.
  DeviceBatch(const std::shared_ptr<Device>& device, const EncoderOptions& options,
              const SequenceParameters& sequence, const PictureParameters& picture,
              std::size_t groups);

  // Reads the next groups and copies them to the device, through `staging`. Adds their number to
  // `groups_read`. Returns false if there is none.
  bool read(GroupReader& reader, GroupPictures& staging, std::int64_t& groups_read,
            const std::stop_token& stop);
  void encode();
  // Calls emit() for each picture, in order, with its reconstruction if that is wanted.
  void give_out(bool with_reconstructions, const Emit& emit);

 private:
  struct Group {
    Group(DeviceMemory& memory, const SharedCoding& shared)
        : device(memory, shared), rate(rate_options(shared.options())) {}

    DeviceGroupEncoder device;
    GroupRate rate;
    std::int64_t number = 0;  // Index in the clip.
    std::size_t count = 0;    // Its pictures.
    int qp = 0;               // The next picture's.
    std::vector<CodedPicture> coded;
  };
  // Holds the decisions and levels that a picture is written from. They are most of the bytes that
  // cross the link, so they are in pinned memory.
  struct Written {
    Buffer<Macroblock> macroblocks;
    Buffer<MacroblockLevels> levels;
    std::uint64_t squared_errors[3] = {};
  };

  void begin_rate(Group& group, const GroupPictures& pictures);
  void encode_step(std::size_t step);
  // Encodes and writes the next pictures of groups by their QPs.
  void encode_pictures(const std::vector<Group*>& active, std::size_t step);
  void write(const std::vector<Group*>& active, std::size_t step);

  const EncoderOptions& options_;
  const PictureWriter writer_;
  const std::unique_ptr<Queue> queue_;
  DeviceMemory memory_;
  const SharedCoding shared_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<Written> written_;  // Pictures that are written at once.
  SamplePicture reconstruction_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_DEVICE_BATCH_H_
