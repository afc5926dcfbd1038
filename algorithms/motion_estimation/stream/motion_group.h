// SPDX-License-Identifier: Apache-2.0

// A clip on the devices of a group: each searches a band of rows of macroblocks. A macroblock is
// predicted by the macroblock at the same position, so bands are independent; every device has the
// whole references. MotionEstimator uses this class if there are several devices.
//
// The bands follow the measured speeds. A clip is split into segments, after each of which bands
// are planned again by the speeds of that segment. The first segment has two chunks if speeds are
// not known well; otherwise, and after that, segments have 64 chunks and then eight times as many
// each time. If results are not downloaded, so that a device cannot receive another's results, all
// of the clip is one segment.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_GROUP_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_GROUP_H_

#include <millrace/algorithms/motion_estimation/picture_motion.h>
#include <millrace/algorithms/motion_estimation/stream/band_exchange.h>
#include <millrace/algorithms/motion_estimation/stream/motion_stream.h>
#include <millrace/algorithms/motion_estimation/stream/picture_layout.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::motion {

template <class Sample>
class MotionGroup {
 public:
  // The arguments are valid; there are two devices or more, and `options.search.rows` is empty.
  MotionGroup(std::vector<std::shared_ptr<Device>> devices, int width, int height,
              const EstimatorOptions& options);

  // The stages have a produce, and no after_search.
  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop);

  // Returns the rows of macroblocks that each device searched in the last run.
  const std::vector<DevicePortion>& portions() const { return portions_; }

 private:
  // Returns true if devices can continue with others' bands.
  bool can_change_bands(const EstimatorStages<Sample>& stages) const;
  // Chooses devices without a band that are to get a row for once, and changes `speeds`
  // accordingly.
  std::vector<bool> try_devices_again(std::vector<double>& speeds) const;
  void make_streams(const std::vector<double>& speeds);
  // Searches a segment of the clip by all bands.
  std::vector<PipelineReport> run_segment(const std::stop_token& stop);
  EstimatorOptions band_options(const MacroblockRows& band) const;
  // Adds the rows searched in pictures from `first` on to the portions.
  void add_portions(std::uint64_t first, const std::vector<PipelineReport>& reports);
  // Stores the speeds measured in that segment if `expected` is known; those of devices on trial
  // are not checked against it.
  void add_speeds(std::uint64_t pictures, const std::vector<double>& expected,
                  const std::vector<bool>& are_tried, const std::vector<PipelineReport>& reports);

  const std::vector<std::shared_ptr<Device>> devices_;
  const DeviceGroup group_;
  const int width_;
  const int height_;
  const EstimatorOptions options_;
  const PictureLayout<Sample> layout_;
  std::string operation_;  // Key under which speeds are stored.
  std::vector<MacroblockRows> bands_;
  std::vector<std::unique_ptr<MotionStream<Sample>>> streams_;  // Null if a band has no rows.
  BandExchange<Sample> exchange_;
  std::vector<DevicePortion> portions_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_GROUP_H_
