// SPDX-License-Identifier: Apache-2.0

// One run of an Encoder: batches of groups are read, searched, encoded and given out.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_ENCODE_RUN_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_ENCODE_RUN_H_

#include <millrace/algorithms/h264/encoder/device_batch.h>
#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/algorithms/h264/encoder/group_encoder.h>
#include <millrace/algorithms/h264/encoder/group_reader.h>
#include <millrace/algorithms/h264/encoder/group_search.h>
#include <millrace/algorithms/h264/encoder/rate/group_rate.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/runtime/core/device.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::h264 {

// Two threads take batches in turn. While one encodes on the host's threads, the other one reads,
// waits for a search on the device, or gives pictures out. Where two groups take too much memory,
// one thread gives each picture of a group out before it reads the next one.
class EncodeRun {
 public:
  // The options and stages must outlive it.
  EncodeRun(const std::shared_ptr<Device>& device, const EncoderOptions& options,
            const EncoderStages& stages);

  // Returns the work that the device does in a run.
  static DeviceWork work_of(const Device& device, const EncoderOptions& options);

  // Throws the error of the earliest batch that failed; those before are complete.
  void operator()(const std::stop_token& stop);

 private:
  // A group that is being encoded.
  struct Group {
    GroupPictures source;  // Replaced by reconstructions as they are encoded.
    std::vector<CodedPicture> coded;
    std::unique_ptr<GroupEncoder> encoder;
    std::unique_ptr<GroupRate> rate;
    std::int64_t number = 0;  // Index in the clip.
    int qp = 0;               // The next picture's.
  };
  // The memory of a batch.
  struct Batch {
    std::int64_t number = 0;
    std::vector<Group> groups;
    std::unique_ptr<GroupSearch> search;
    // Replaces groups and search where a device encodes.
    std::unique_ptr<DeviceBatch> device;
    std::string track;  // Track of the timeline.
  };
  static constexpr int kBatches = 2;

  void make_batches(const std::shared_ptr<Device>& device);
  // Makes the batches, and halves their number of groups until they fit in device memory. Throws
  // kOutOfMemory if one group does not fit.
  void make_device_batches(const std::shared_ptr<Device>& device);
  static std::size_t group_bytes(const EncoderOptions& options);
  // Returns the number of groups that are encoded at once. If it is 1, a group is not held as a
  // whole.
  std::size_t group_count() const;
  void encode_picture_by_picture(const std::stop_token& stop);
  void work(Batch& batch, const std::stop_token& stop);
  // Reads the next groups. Returns false if there are none.
  bool read(Batch& batch, const std::stop_token& stop);
  void encode(Batch& batch);
  // Adds the complexities of all pictures.
  void begin_rates(Batch& batch);
  void encode_step(Batch& batch, std::size_t step);
  // Encodes first pictures again if their bits are far from the number expected.
  void encode_again(const Batch& batch, const std::vector<Group*>& active);
  void encode_rows(const std::vector<Group*>& active);
  void end_pictures(const std::vector<Group*>& active, std::size_t step);
  void give_out(const Batch& batch);
  void emit(const CodedPicture& coded, const SamplePicture* reconstruction, bool is_idr);
  void fail(std::int64_t batch);

  const EncoderOptions& options_;
  const EncoderStages& stages_;
  const SequenceParameters sequence_;
  const PictureParameters picture_;
  Batch batches_[kBatches];

  std::mutex reading_;  // Guards the members up to the next empty line.
  GroupReader reader_;
  GroupPictures staging_;  // Between the clip and devices.
  std::int64_t batches_read_ = 0;
  std::int64_t groups_read_ = 0;
  bool is_ended_ = false;

  std::mutex order_;  // Guards the members below.
  std::condition_variable is_turn_;
  std::int64_t batches_out_ = 0;
  std::int64_t pictures_out_ = 0;
  std::int64_t failed_ = INT64_MAX;  // The earliest batch that failed.
  std::exception_ptr error_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_ENCODE_RUN_H_
