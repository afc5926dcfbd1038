// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/stream/motion_group.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <millrace/algorithms/motion_estimation/stream/band_plan.h>
#include <millrace/runtime/core/error.h>

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

// Returns a device that pictures are pinned for, or any.
Device& owner_of_pictures(const std::vector<std::shared_ptr<Device>>& devices) {
  for (const auto& device : devices) {
    if (!device->info().shares_host_memory) return *device;
  }
  return *devices.front();
}

template <class T>
void copy_all(std::span<const T> from, std::span<T> to) {
  std::copy(from.begin(), from.end(), to.begin());
}

// Adds the reports of a part of a clip, device by device: counts are added, times are the maximum.
void add_part(PipelineReport& report, const std::vector<PipelineReport>& devices) {
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
      // Slots for a chunk that is being filled, for the chunks in flight of the slowest device, and
      // for their references.
      slots_((options_.depth + 1) * options_.pictures_per_chunk + options_.references + 1) {
  Device& owner = owner_of_pictures(devices_);
  const MemorySpace space =
      owner.info().shares_host_memory ? MemorySpace::kHost : MemorySpace::kPinned;
  for (Slot& slot : slots_) {
    slot.input = Buffer<std::byte>(owner.pool(space), layout_.input_bytes);
    if (options_.downloads) slot.output.resize(layout_.output_bytes);
  }
}

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
  if (!stages.produce)
    throw Error(ErrorCode::kInvalidArgument, "stages.produce is empty; it must write the pictures");
  if (stages.after_search) {
    throw Error(
        ErrorCode::kUnsupported,
        "stages.after_search is set, but no device of a group has all results of a picture; leave "
        "it empty");
  }
  DeviceSpeeds& known = DeviceSpeeds::shared();
  std::vector<double> speeds = known.of(operation_, group_.infos());
  std::vector<bool> are_tried(devices_.size());
  const bool may_change = can_change_bands(stages);
  if (may_change) are_tried = try_devices_again(speeds);
  const bool is_trial = known.speed_error(operation_, group_.infos()) > kLargeSpeedError ||
                        std::ranges::count(are_tried, true) > 0;
  std::uint64_t chunks = is_trial ? kTrialChunks : kFirstChunks;
  Run run{.stages = stages};
  PipelineReport report;
  shares_.assign(devices_.size(), {});
  const auto start = std::chrono::steady_clock::now();
  while (!run.is_complete) {
    make_streams(speeds);
    const std::uint64_t first = run.produced;
    const auto pictures = chunks * static_cast<std::uint64_t>(options_.pictures_per_chunk);
    run.part_end = may_change ? first + pictures : std::numeric_limits<std::uint64_t>::max();
    const std::vector<PipelineReport> reports = run_part(run, stop);
    add_part(report, reports);
    add_shares(run, first, reports);
    // The clip's first picture is not searched.
    const std::uint64_t searched = run.produced - first - (first == 0 && run.produced > 0 ? 1 : 0);
    add_speeds(searched, speeds, are_tried, reports);
    speeds = known.of(operation_, group_.infos());
    are_tried.assign(devices_.size(), false);
    chunks = std::max(chunks, kFirstChunks / kLonger) * kLonger;
  }
  if (run.produce_error) std::rethrow_exception(run.produce_error);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

template <class Sample>
std::vector<PipelineReport> MotionGroup<Sample>::run_part(Run& run, const std::stop_token& stop) {
  typename MotionStream<Sample>::Start start{.picture = run.produced};
  if (run.produced > 0 && options_.predictor == PredictorRule::kPrevious) {
    const PictureMotion before = motion_of(run.produced - 1);
    start.vectors.assign(before.vectors.begin(), before.vectors.begin() + before.references);
  }
  std::vector<PipelineReport> reports(devices_.size());
  try {
    group_.run([&](std::size_t i, const std::stop_token& failed) {
      if (streams_[i] == nullptr) return;
      std::stop_source either;
      const auto request = [&either] { either.request_stop(); };
      const std::stop_callback on_failure(failed, request);
      const std::stop_callback on_stop(stop, request);
      reports[i] = streams_[i]->run(
          {.produce = [&, token = either.get_token()](
                          InputPicture<Sample>& target) { return produce(run, target, token); },
           .consume = [&](const PictureMotion& motion) { consume(run, i, motion); }},
          either.get_token(), start);
    });
  } catch (...) {
    if (run.consume_error) std::rethrow_exception(run.consume_error);  // The error of no device.
    throw;
  }
  return reports;
}

// Produces the next picture; the first device that needs a picture calls it.
template <class Sample>
bool MotionGroup<Sample>::produce(Run& run, InputPicture<Sample>& target,
                                  const std::stop_token& stop) {
  std::unique_lock lock(run.mutex);
  while (target.index == run.produced) {
    if (run.is_complete || target.index == run.part_end) return false;
    if (stop.stop_requested()) throw Error(ErrorCode::kCancelled, "stopped by its owner");
    // A picture in the slot before this one may refer to this slot's picture.
    const bool has_free_slot = run.produced < run.delivered + slots_.size() - options_.references;
    if (run.is_producing || !has_free_slot) {
      run.changed.wait(lock, stop, [&, wanted = run.produced, was = run.is_producing] {
        return run.produced != wanted || run.is_complete || (was && !run.is_producing) ||
               (!run.is_producing &&
                run.produced < run.delivered + slots_.size() - options_.references);
      });
      continue;
    }
    run.is_producing = true;
    lock.unlock();
    bool is_there = false;
    std::exception_ptr error;
    try {
      is_there = produce_into_slot(run);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    run.is_producing = false;
    run.produce_error = error;
    run.is_complete = !is_there;  // Also set after an error: the pictures before are consumed.
    if (is_there) ++run.produced;
    run.changed.notify_all();
  }
  lock.unlock();
  give(slot(target.index), target);
  return true;
}

template <class Sample>
bool MotionGroup<Sample>::produce_into_slot(Run& run) {
  Slot& next = slot(run.produced);
  std::byte* const memory = next.input.data();
  InputPicture<Sample> picture{.index = run.produced,
                               .current = layout_.current.in(memory),
                               .reconstruction = layout_.reconstruction.in(memory),
                               .predictors = layout_.predictors.in(memory)};
  if (!run.stages.produce(picture)) return false;
  next.source = picture.source != nullptr ? picture.source : picture.current.data();
  next.bands_done = 0;
  return true;
}

template <class Sample>
void MotionGroup<Sample>::give(const Slot& from, InputPicture<Sample>& target) const {
  target.source = from.source;
  const std::byte* const memory = from.input.data();
  copy_all(layout_.reconstruction.in(memory), target.reconstruction);
  copy_all(layout_.predictors.in(memory), target.predictors);
}

template <class Sample>
void MotionGroup<Sample>::consume(Run& run, std::size_t band, const PictureMotion& motion) {
  if (run.stages.consume && options_.downloads) keep(band, motion);
  std::unique_lock lock(run.mutex);
  Slot& of = slot(motion.index);
  of.references = motion.references;
  ++of.bands_done;
  deliver(run, lock);
}

template <class Sample>
void MotionGroup<Sample>::keep(std::size_t band, const PictureMotion& motion) {
  std::byte* const output = slot(motion.index).output.data();
  const auto first = static_cast<std::size_t>(bands_[band].first) *
                     static_cast<std::size_t>(width_ / kMacroblockWidth);
  const std::size_t offset = MotionField::index(first, 0);
  for (int i = 0; i < motion.references; ++i) {
    std::copy(motion.vectors[i].begin(), motion.vectors[i].end(),
              layout_.vectors[i].in(output).data() + offset);
    std::copy(motion.costs[i].begin(), motion.costs[i].end(),
              layout_.costs[i].in(output).data() + offset);
  }
  std::copy(motion.modes.begin(), motion.modes.end(), layout_.modes.in(output).data() + first);
}

template <class Sample>
PictureMotion MotionGroup<Sample>::motion_of(std::uint64_t picture) {
  const Slot& of = slot(picture);
  PictureMotion motion{.index = picture, .references = of.references};
  if (!options_.downloads || of.references == 0) return motion;
  const std::byte* const output = of.output.data();
  for (int i = 0; i < of.references; ++i) {
    motion.vectors[i] = layout_.vectors[i].in(output);
    motion.costs[i] = layout_.costs[i].in(output);
  }
  motion.modes = layout_.modes.in(output);
  return motion;
}

// Delivers pictures in order, on one thread at a time: the one that has brought the last band of
// the next picture.
template <class Sample>
void MotionGroup<Sample>::deliver(Run& run, std::unique_lock<std::mutex>& lock) {
  const auto bands = static_cast<std::size_t>(std::count_if(
      streams_.begin(), streams_.end(), [](const auto& each) { return each != nullptr; }));
  if (run.is_delivering) return;
  run.is_delivering = true;
  while (run.delivered < run.produced && slot(run.delivered).bands_done == bands &&
         !run.consume_error) {
    const PictureMotion motion = motion_of(run.delivered);
    lock.unlock();
    std::exception_ptr error;
    try {
      if (run.stages.consume) run.stages.consume(motion);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) {
      run.consume_error = error;
    } else {
      ++run.delivered;
    }
    run.changed.notify_all();
  }
  run.is_delivering = false;
  if (run.consume_error) std::rethrow_exception(run.consume_error);
}

template <class Sample>
void MotionGroup<Sample>::add_shares(const Run& run, std::uint64_t first,
                                     const std::vector<PipelineReport>& reports) {
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    DeviceShare& share = shares_[i];
    share.device = devices_[i]->info().name;
    const auto band = static_cast<std::uint64_t>(bands_[i].count);
    share.items += band * (run.produced - first);
    share.pieces += share.items > 0 && band > 0 ? 1 : 0;
    share.seconds += reports[i].compute_seconds;
    share.bytes_up += reports[i].bytes_up;
    share.bytes_down += reports[i].bytes_down;
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
