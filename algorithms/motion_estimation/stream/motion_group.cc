// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/stream/band_plan.h>
#include <millrace/algorithms/motion_estimation/stream/caller_stages.h>
#include <millrace/algorithms/motion_estimation/stream/motion_group.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/host/seconds_since.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace millrace::motion {
namespace {

// Returns the number of pictures per chunk if a device has a band of the picture, or 1 if no device
// copies. A chunk is half the work of one device's chunk (motion_stream.cc); larger ones were not
// measured on groups.
int pictures_per_chunk(const std::vector<std::shared_ptr<Device>>& devices, std::size_t macroblocks,
                       int wanted) {
  if (wanted != 0) return wanted;
  const bool copies = std::any_of(devices.begin(), devices.end(), [](const auto& device) {
    return !device->info().shares_host_memory;
  });
  const std::size_t of_band = macroblocks / devices.size() + 1;
  return copies ? static_cast<int>(std::clamp<std::size_t>(65536 / of_band, 1, 16)) : 1;
}

EstimatorOptions with_chunks(const std::vector<std::shared_ptr<Device>>& devices, int width,
                             int height, EstimatorOptions options) {
  const std::size_t macroblocks = static_cast<std::size_t>(width / kMacroblockWidth) *
                                  static_cast<std::size_t>(height / kMacroblockWidth);
  options.pictures_per_chunk = pictures_per_chunk(devices, macroblocks, options.pictures_per_chunk);
  return options;
}

// Returns memory of the host from which the devices copy fast: pinned for one that copies, if any.
std::shared_ptr<MemoryPool> pool_of_pictures(const std::vector<std::shared_ptr<Device>>& devices) {
  for (const auto& device : devices) {
    if (!device->info().shares_host_memory) return device->pool(MemorySpace::kPinned);
  }
  return devices.front()->pool(MemorySpace::kHost);
}

// Returns the pictures in flight: a chunk that is being filled, the chunks of the slowest device,
// and their references.
std::size_t pictures_in_flight(const EstimatorOptions& options) {
  return static_cast<std::size_t>((options.depth + 1) * options.pictures_per_chunk +
                                  options.references + 1);
}

// Adds the reports of a segment of a clip, device by device: counts are added, times are the
// maximum.
void add_segment(PipelineReport& report, const std::vector<PipelineReport>& devices) {
  for (const auto member :
       {&PipelineReport::chunks, &PipelineReport::bytes_up, &PipelineReport::bytes_down}) {
    for (const PipelineReport& device : devices) report.*member += device.*member;
  }
  for (const auto member : {&PipelineReport::produce_seconds, &PipelineReport::upload_seconds,
                            &PipelineReport::compute_seconds, &PipelineReport::download_seconds,
                            &PipelineReport::consume_seconds}) {
    double most = 0;
    for (const PipelineReport& device : devices) most = std::max(most, device.*member);
    report.*member += most;
  }
}

}  // namespace

template <class Sample>
MotionGroup<Sample>::MotionGroup(std::vector<std::shared_ptr<Device>> devices, int width,
                                 int height, const EstimatorOptions& options)
    : devices_(std::move(devices)),
      group_(devices_),
      width_(width),
      height_(height),
      options_(with_chunks(devices_, width, height, options)),
      layout_(width, height, options_),
      operation_("motion estimation " + std::to_string(options.search.range) + ' ' +
                 std::to_string(static_cast<int>(options.search.precision))),
      exchange_(pool_of_pictures(devices_), layout_, options_, pictures_in_flight(options_)) {}

template <class Sample>
EstimatorOptions MotionGroup<Sample>::band_options(const MacroblockRows& band) const {
  EstimatorOptions options = options_;
  options.search.rows = band;
  return options;
}

template <class Sample>
bool MotionGroup<Sample>::can_change_bands(const EstimatorStages<Sample>& stages) const {
  return options_.predictor != PredictorRule::kPrevious || (options_.downloads && stages.consume);
}

template <class Sample>
std::vector<bool> MotionGroup<Sample>::try_devices_again(std::vector<double>& speeds) const {
  const int rows = height_ / kMacroblockWidth;
  const std::vector<MacroblockRows> bands = plan_bands(rows, speeds);
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  std::vector<bool> are_tried(bands.size());
  if (bands.size() > static_cast<std::size_t>(rows)) return are_tried;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (bands[i].count > 0) continue;
    const std::string& device = devices_[i]->info().name;
    are_tried[i] = DeviceSpeeds::shared().should_retry(operation_, device);
    if (are_tried[i]) speeds[i] = all / rows;
  }
  return are_tried;
}

template <class Sample>
void MotionGroup<Sample>::make_streams(const std::vector<double>& speeds) {
  const int rows = height_ / kMacroblockWidth;
  const auto bands = plan_bands(rows, speeds);
  if (!bands_.empty() && are_alike(bands, bands_, rows)) return;
  const std::vector<MacroblockRows> before =
      std::exchange(bands_, {});  // Unknown until all are constructed.
  streams_.resize(devices_.size());
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    if (streams_[i] != nullptr && !before.empty() && before[i] == bands[i]) continue;
    streams_[i].reset();
    if (bands[i].count == 0) continue;
    streams_[i] = std::make_unique<MotionStream<Sample>>(devices_[i], width_, height_,
                                                         band_options(bands[i]));
  }
  bands_ = bands;
}

template <class Sample>
PipelineReport MotionGroup<Sample>::run(const EstimatorStages<Sample>& stages,
                                        const std::stop_token& stop) {
  constexpr double kLargeSpeedError = 0.125;
  constexpr std::uint64_t kTrialChunks = 2;
  constexpr std::uint64_t kFirstChunks = 64;
  constexpr std::uint64_t kLonger = 8;
  DeviceSpeeds& known = DeviceSpeeds::shared();
  std::vector<double> speeds = known.of(operation_, group_.infos());
  std::vector<bool> are_tried(devices_.size());
  const bool may_change = can_change_bands(stages);
  if (may_change) are_tried = try_devices_again(speeds);
  const bool is_trial = known.speed_error(operation_, group_.infos()) > kLargeSpeedError ||
                        std::ranges::count(are_tried, true) > 0;
  std::uint64_t chunks = is_trial ? kTrialChunks : kFirstChunks;
  CallerStages<Sample> caller(stages);
  exchange_.begin(caller);
  PipelineReport report;
  portions_.assign(devices_.size(), {});
  const auto start = std::chrono::steady_clock::now();
  while (!exchange_.is_complete()) {
    make_streams(speeds);
    const std::uint64_t first = exchange_.produced();
    const auto pictures = chunks * static_cast<std::uint64_t>(options_.pictures_per_chunk);
    exchange_.begin_segment(
        bands_, may_change ? first + pictures : std::numeric_limits<std::uint64_t>::max());
    const std::vector<PipelineReport> reports = run_segment(stop);
    add_segment(report, reports);
    add_portions(first, reports);
    // The clip's first picture is not searched.
    const std::uint64_t end = exchange_.produced();
    add_speeds(end - first - (first == 0 && end > 0 ? 1 : 0), speeds, are_tried, reports);
    speeds = known.of(operation_, group_.infos());
    are_tried.assign(devices_.size(), false);
    chunks = std::max(chunks, kFirstChunks / kLonger) * kLonger;
  }
  exchange_.throw_produce_error();
  report.seconds = seconds_since(start);
  return report;
}

template <class Sample>
std::vector<PipelineReport> MotionGroup<Sample>::run_segment(const std::stop_token& stop) {
  typename MotionStream<Sample>::Start start{.picture = exchange_.produced()};
  if (options_.predictor == PredictorRule::kPrevious) start.vectors = exchange_.last_vectors();
  std::vector<PipelineReport> reports(devices_.size());
  try {
    group_.run([&](std::size_t i, const std::stop_token& failed) {
      if (streams_[i] == nullptr) return;
      std::stop_source either;
      const auto request = [&either] { either.request_stop(); };
      const std::stop_callback on_failure(failed, request);
      const std::stop_callback on_stop(stop, request);
      ExchangeEnd<Sample> end(exchange_, i, either.get_token());
      reports[i] = streams_[i]->run({.source = end, .sink = &end}, either.get_token(), start);
    });
  } catch (...) {
    exchange_.throw_consume_error();  // The error of no device.
    throw;
  }
  return reports;
}

template <class Sample>
void MotionGroup<Sample>::add_portions(std::uint64_t first,
                                       const std::vector<PipelineReport>& reports) {
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    DevicePortion& portion = portions_[i];
    portion.device = devices_[i]->info().name;
    const auto band = static_cast<std::uint64_t>(bands_[i].count);
    portion.items += band * (exchange_.produced() - first);
    portion.pieces += portion.items > 0 && band > 0 ? 1 : 0;
    portion.seconds += reports[i].compute_seconds;
    portion.bytes_up += reports[i].bytes_up;
    portion.bytes_down += reports[i].bytes_down;
  }
}

template <class Sample>
void MotionGroup<Sample>::add_speeds(std::uint64_t pictures, const std::vector<double>& expected,
                                     const std::vector<bool>& are_tried,
                                     const std::vector<PipelineReport>& reports) {
  if (pictures == 0) return;
  std::vector<double> measured(devices_.size());
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const auto rows = static_cast<double>(pictures * static_cast<std::uint64_t>(bands_[i].count));
    const double seconds = reports[i].compute_seconds;
    DeviceSpeeds::shared().add(operation_, devices_[i]->info().name, rows, seconds);
    if (seconds > 0 && !are_tried[i]) measured[i] = rows / seconds;
  }
  DeviceSpeeds::shared().add_speed_error(operation_, group_.infos(), expected, measured);
}

template class MotionGroup<std::uint8_t>;
template class MotionGroup<std::uint16_t>;

}  // namespace millrace::motion
