// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/device_batch.h>
#include <millrace/algorithms/h264/encoder/rate/picture_complexity.h>
#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/scratch_memory.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace millrace::h264 {
namespace {

// Mean number of tasks of a wave for each compute unit: half of those that the unit runs at a time.
// With more, a wave takes longer in proportion, and so does the reading of the first batch.
constexpr std::size_t kWarpsAUnit = 8;
// A batch takes at most 1 / kMemoryDivisor of the device's memory: a clip has two batches, programs
// encode several clips at a time, and half is for others.
constexpr std::size_t kMemoryDivisor = 16;
constexpr std::size_t kMostGroups = 64;
// A queue takes 1/64 of the device's memory for spawned tasks, and little for others; a batch
// leaves 1 / kTaskDivisor for all of them.
constexpr std::size_t kTaskDivisor = 60;

}  // namespace

std::size_t DeviceBatch::group_count(const Device& device, const EncoderOptions& options,
                                     const SequenceParameters& sequence) {
  const DeviceInfo& info = device.info();
  // A macroblock waits for its upper right neighbour, so a picture takes two steps a row and one a
  // column. `at_once` is the mean number of macroblocks at work in a step.
  const auto columns = static_cast<std::size_t>(sequence.width_in_macroblocks);
  const auto rows = static_cast<std::size_t>(sequence.height_in_macroblocks);
  const std::size_t steps = columns + 2 * (rows - 1);
  const std::size_t at_once = std::max<std::size_t>(columns * rows / steps, 1);
  const std::size_t busy = kWarpsAUnit * static_cast<std::size_t>(info.compute_units) / at_once;
  const std::size_t bytes = DeviceGroupEncoder::bytes(
      options, static_cast<std::size_t>(sequence.macroblock_count()), static_cast<int>(rows));
  const std::size_t fitting = info.memory_bytes / kMemoryDivisor / bytes;
  return std::clamp<std::size_t>(std::min(busy, fitting), 1, kMostGroups);
}

std::size_t DeviceBatch::task_bytes(const Device& device) {
  return device.info().memory_bytes / kTaskDivisor;
}

DeviceBatch::DeviceBatch(const std::shared_ptr<Device>& device, const EncoderOptions& options,
                         const SequenceParameters& sequence, const PictureParameters& picture,
                         std::size_t groups)
    : options_(options),
      writer_(options, sequence, picture),
      queue_(device->make_queue()),
      memory_(*queue_),
      shared_(memory_, options, sequence, picture),
      written_(std::clamp<std::size_t>(static_cast<std::size_t>(HostThreads::shared().count()) / 2,
                                       1, groups)),
      reconstruction_(sequence.width_in_macroblocks, sequence.height_in_macroblocks) {
  const QueueGuard guard(*queue_);
  for (std::size_t i = 0; i < groups; ++i) {
    groups_.push_back(std::make_unique<Group>(memory_, shared_));
  }
  for (Written& written : written_) {
    const std::size_t count = shared_.macroblock_count();
    written.macroblocks = Buffer<Macroblock>(device, MemorySpace::kPinned, count);
    written.levels = Buffer<MacroblockLevels>(device, MemorySpace::kPinned, count);
  }
  queue_->wait();
}

bool DeviceBatch::read(GroupReader& reader, GroupPictures& staging, std::int64_t& groups_read,
                       const std::stop_token& stop) {
  const QueueGuard guard(*queue_);
  for (const auto& group : groups_) {
    group->count = 0;
    group->coded.clear();
    if (stop.stop_requested()) continue;
    reader.read(staging);
    group->number = groups_read++;
    group->count = staging.count;
    // Only uploads are enqueued here. They go on while another batch's kernels have the whole
    // device; a kernel, or a copy on the device, would wait for these.
    for (std::size_t i = 0; i < staging.count; ++i) group->device.upload(i, *staging.pictures[i]);
    begin_rate(*group, staging);
    queue_->wait();
  }
  return groups_.front()->count > 0;
}

void DeviceBatch::begin_rate(Group& group, const GroupPictures& pictures) {
  group.rate.begin_group(group.number, static_cast<int>(group.count), true);
  if (!group.rate.needs_complexity()) return;
  std::vector<PictureComplexity> complexities(group.count);
  HostThreads::shared().for_each(group.count, [&](std::size_t i) {
    const SamplePicture* const before = i > 0 ? pictures.pictures[i - 1].get() : nullptr;
    complexities[i] = picture_complexity(*pictures.pictures[i], before);
  });
  for (const PictureComplexity& complexity : complexities) group.rate.add(complexity);
}

void DeviceBatch::encode() {
  const QueueGuard guard(*queue_);
  std::size_t longest = 0;
  for (const auto& group : groups_) {
    longest = std::max(longest, group->count);
    group->device.begin();
  }
  for (std::size_t step = 0; step < longest; ++step) encode_step(step);
}

void DeviceBatch::encode_step(std::size_t step) {
  std::vector<Group*> active;
  for (const auto& group : groups_) {
    if (step >= group->count) continue;
    active.push_back(group.get());
    group->qp = group->rate.qp();
  }
  encode_pictures(active, step);
  for (int i = 0; i < GroupRate::kMostEncodedAgain; ++i) {
    std::vector<Group*> again;
    for (Group* const group : active) {
      const CodedPicture& coded = group->coded.back();
      const std::optional<int> qp = group->rate.qp_again(coded.qp, 8 * coded.bytes.size());
      if (!qp) continue;
      group->qp = *qp;
      group->coded.pop_back();
      group->device.begin();
      again.push_back(group);
    }
    if (again.empty()) break;
    encode_pictures(again, step);
  }
  for (Group* const group : active) {
    const CodedPicture& coded = group->coded.back();
    group->rate.spend(coded.qp, 8 * coded.bytes.size());
  }
}

void DeviceBatch::encode_pictures(const std::vector<Group*>& active, std::size_t step) {
  std::vector<SearchesOfQp> searches;
  TaskList<EncodingTasks> roots;
  const QueueGuard guard(*queue_);
  for (Group* const group : active) {
    group->device.begin_picture(group->qp, searches);
    roots.push(CodeMacroblock{group->device.work(), 0, 0});
  }
  motion::SearchOptions search;
  search.range = options_.range;
  search.precision = motion::Precision::kQuarter;
  for (const SearchesOfQp& of_qp : searches) {
    search.lambda = motion::motion_lambda(of_qp.qp);
    motion::search_motion<std::uint8_t>(*queue_, of_qp.frames, of_qp.fields, search);
  }
  run_tasks(*queue_, roots, {.policy = options_.policy});
  write(active, step);
}

void DeviceBatch::write(const std::vector<Group*>& active, std::size_t step) {
  for (std::size_t first = 0; first < active.size(); first += written_.size()) {
    const std::size_t count = std::min(written_.size(), active.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      Written& written = written_[i];
      active[first + i]->device.end_picture(
          {written.macroblocks.data(), written.macroblocks.size()},
          {written.levels.data(), written.levels.size()}, written.squared_errors);
    }
    queue_->wait();
    HostThreads::shared().for_each(count, [&](std::size_t i) {
      Group& group = *active[first + i];
      const Written& written = written_[i];
      WrittenPicture picture;
      picture.number = static_cast<int>(step);
      picture.idr_id = static_cast<int>(group.number % 2);
      picture.references = std::min(picture.number, options_.references);
      picture.qp = group.qp;
      picture.macroblocks = written.macroblocks.data();
      picture.levels = written.levels.data();
      CodedPicture coded = writer_.write(picture);
      std::ranges::copy(written.squared_errors, coded.squared_errors);
      group.coded.push_back(std::move(coded));
    });
  }
}

void DeviceBatch::give_out(bool with_reconstructions, const Emit& emit) {
  for (const auto& group : groups_) {
    for (std::size_t i = 0; i < group->count; ++i) {
      if (!with_reconstructions) {
        emit(group->coded[i], nullptr, i == 0);
        continue;
      }
      const QueueGuard guard(*queue_);
      group->device.download(i, reconstruction_);
      queue_->wait();
      emit(group->coded[i], &reconstruction_, i == 0);
    }
  }
}

}  // namespace millrace::h264
