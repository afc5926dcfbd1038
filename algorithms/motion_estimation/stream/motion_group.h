// SPDX-License-Identifier: Apache-2.0

// A clip through the devices of a group: each searches a band of rows of macroblocks. A
// macroblock's predictor is of its own place, so bands need nothing of each other; every device has
// the whole references. What MotionEstimator is made of where there are several devices.
//
// Bands are by what was measured before. A clip goes in parts, behind each of which bands are by
// what was measured in it: the first is of two chunks where speeds are not known well, else, and
// then, of 64 and eight times as many each time. Where results do not come back, so that nobody can
// be told what another device has found, all of the clip is one part.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_GROUP_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_GROUP_H_

#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/algorithms/motion_estimation/stream/motion_stream.h>
#include <millrace/algorithms/motion_estimation/stream/picture_layout.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/work_sharing.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::motion {

template <class Sample>
class MotionGroup {
 public:
  // The arguments are valid; there are two devices or more. `options.search.rows` are none.
  MotionGroup(std::vector<std::shared_ptr<Device>> devices, int width, int height,
              const EstimatorOptions& options);

  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop);

  // Of the last run, in rows of macroblocks.
  const std::vector<DeviceShare>& shares() const { return shares_; }

 private:
  // A picture on its way, and what is known of it by now.
  struct Slot {
    Buffer<std::byte> input;  // As in PictureLayout.
    std::vector<std::byte> output;
    const Sample* source = nullptr;  // Where the caller has the picture.
    int references = 0;
    std::size_t bands_done = 0;
  };

  // What the threads of a run share.
  struct Run {
    const EstimatorStages<Sample>& stages;
    std::mutex mutex{};
    std::condition_variable_any changed{};
    std::uint64_t produced = 0;
    std::uint64_t part_end = 0;   // No picture is produced from there on until the others are done.
    std::uint64_t delivered = 0;  // To consume, and free but for what refers to it.
    bool is_producing = false;
    bool is_delivering = false;
    bool is_complete = false;
    std::exception_ptr produce_error{};
    std::exception_ptr consume_error{};
  };

  // Whether devices can go on with others' bands.
  bool can_change_bands(const EstimatorStages<Sample>& stages) const;
  // Which devices that would be left out are to have a row for once, as `speeds` then say.
  std::vector<bool> try_devices_again(std::vector<double>& speeds) const;
  void make_streams(const std::vector<double>& speeds);
  std::vector<PipelineReport> run_part(Run& run, const std::stop_token& stop);
  EstimatorOptions band_options(const MacroblockRows& band) const;
  Slot& slot(std::uint64_t picture) { return slots_[picture % slots_.size()]; }
  bool produce(Run& run, InputPicture<Sample>& room, const std::stop_token& stop);
  bool produce_shared(Run& run);
  void give(const Slot& from, InputPicture<Sample>& room) const;
  void consume(Run& run, std::size_t band, const PictureMotion& motion);
  void keep(std::size_t band, const PictureMotion& motion);
  void deliver(Run& run, std::unique_lock<std::mutex>& lock);
  PictureMotion motion_of(std::uint64_t picture);
  // Of pictures from `first` on.
  void note_shares(const Run& run, std::uint64_t first, const std::vector<PipelineReport>& reports);
  // And what was measured in them, where `expected` was; those that are tried are not doubted.
  void note_speeds(std::uint64_t pictures, const std::vector<double>& expected,
                   const std::vector<bool>& are_tried, const std::vector<PipelineReport>& reports);

  const std::vector<std::shared_ptr<Device>> devices_;
  const DeviceGroup group_;
  const int width_;
  const int height_;
  const EstimatorOptions options_;
  const PictureLayout<Sample> layout_;
  std::string operation_;  // That speeds are kept by.
  std::vector<MacroblockRows> bands_;
  std::vector<std::unique_ptr<MotionStream<Sample>>> streams_;  // Null where a band has no rows.
  std::vector<Slot> slots_;
  std::vector<DeviceShare> shares_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_GROUP_H_
