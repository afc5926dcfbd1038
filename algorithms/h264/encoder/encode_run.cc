// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/encode_run.h>
#include <millrace/algorithms/h264/encoder/rate/picture_complexity.h>
#include <millrace/algorithms/h264/encoder/settings/parameter_choice.h>
#include <millrace/algorithms/h264/encoder/syntax/coded_border.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/timeline/timeline.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

namespace millrace::h264 {
namespace {

// Most bytes that the groups encoded at once may take.
constexpr std::size_t kMostGroupBytes = std::size_t{300} << 20;

}  // namespace

EncodeRun::EncodeRun(const std::shared_ptr<Device>& device, const EncoderOptions& options,
                     const EncoderStages& stages)
    : options_(options),
      stages_(stages),
      sequence_(sequence_parameters_for(options)),
      picture_(picture_parameters_for(options)),
      reader_(options, stages.produce) {
  if (work_of(*device, options_) == DeviceWork::kPictures) {
    make_device_batches(device);
  } else {
    make_batches(device);
  }
}

// A group that the host cannot hold as a whole has QPs by another rule (GroupRate). The stream must
// be the same on every device, so a device does not encode such groups.
DeviceWork EncodeRun::work_of(const Device& device, const EncoderOptions& options) {
  const bool encodes = options.device_work == DeviceWork::kPictures &&
                       !device.info().shares_host_memory &&
                       kMostGroupBytes / group_bytes(options) >= kBatches;
  return encodes ? DeviceWork::kPictures : DeviceWork::kSearch;
}

void EncodeRun::make_device_batches(const std::shared_ptr<Device>& device) {
  for (std::size_t groups = DeviceBatch::group_count(*device, options_, sequence_);; groups /= 2) {
    try {
      for (Batch& batch : batches_) {
        batch.device = std::make_unique<DeviceBatch>(device, options_, sequence_, picture_, groups);
      }
      // A batch must also leave memory for its tasks.
      if (groups > 1) {
        const std::size_t bytes = kBatches * DeviceBatch::task_bytes(*device);
        const Buffer<std::byte> of_tasks(device, MemorySpace::kDevice, bytes);
      }
      return;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kOutOfMemory || groups == 1) throw;
    }
    for (Batch& batch : batches_) batch.device.reset();
  }
}

void EncodeRun::make_batches(const std::shared_ptr<Device>& device) {
  const std::size_t groups = group_count();
  for (Batch& batch : batches_) {
    batch.groups.resize(std::max<std::size_t>(groups / kBatches, 1));
    for (Group& group : batch.groups) {
      group.encoder = std::make_unique<GroupEncoder>(options_, sequence_, picture_);
      group.rate = std::make_unique<GroupRate>(rate_options(options_));
    }
    batch.search =
        std::make_unique<GroupSearch>(device, options_, static_cast<int>(batch.groups.size()));
    batch.track = "host encode " + std::to_string(&batch - batches_);
    if (groups == 1) break;
  }
}

std::size_t EncodeRun::group_bytes(const EncoderOptions& options) {
  constexpr std::size_t kPicture = 384;  // Samples of a macroblock.
  constexpr std::size_t kField = motion::kPartitions * (sizeof(MotionVector) + 4);
  const auto references = static_cast<std::size_t>(options.references);
  const std::size_t of_macroblock =
      kPicture * (static_cast<std::size_t>(options.pictures_a_group) + 1) +
      2 * kField * references + sizeof(Macroblock) + sizeof(MacroblockLevels) + sizeof(CodedBorder);
  const auto columns = static_cast<std::size_t>((options.width + 15) / 16);
  const auto rows = static_cast<std::size_t>((options.height + 15) / 16);
  return columns * rows * of_macroblock;
}

std::size_t EncodeRun::group_count() const {
  const auto threads = static_cast<std::size_t>(HostThreads::shared().count());
  const std::size_t most = std::max<std::size_t>(threads, kBatches);
  return std::clamp<std::size_t>(kMostGroupBytes / group_bytes(options_), 1, most);
}

void EncodeRun::operator()(const std::stop_token& stop) {
  if (batches_[1].device == nullptr && batches_[1].groups.empty()) {
    encode_picture_by_picture(stop);
    return;
  }
  {
    const std::jthread second([&] { work(batches_[1], stop); });
    work(batches_[0], stop);
  }
  if (error_ != nullptr) std::rethrow_exception(error_);
}

void EncodeRun::encode_picture_by_picture(const std::stop_token& stop) {
  Batch& batch = batches_[0];
  Group& group = batch.groups.front();
  // A picture must not overwrite one of its references.
  std::vector<std::shared_ptr<SamplePicture>> memory(static_cast<std::size_t>(options_.references) +
                                                     1);
  group.source.pictures.resize(1);
  group.source.count = 1;
  const auto most = static_cast<std::size_t>(options_.pictures_a_group);
  std::optional<SamplePicture> before;  // The source of the picture before.
  for (; !reader_.is_at_end() && !stop.stop_requested(); ++group.number) {
    group.encoder->begin_group();
    group.rate->begin_group(group.number, options_.pictures_a_group, false);
    for (std::size_t i = 0; i < most; ++i) {
      std::shared_ptr<SamplePicture>& picture = memory[i % memory.size()];
      if (!reader_.read_picture(picture, i == 0)) break;
      if (group.rate->needs_complexity()) {
        group.rate->add(picture_complexity(*picture, i == 0 ? nullptr : &*before));
        before = *picture;
      }
      group.source.pictures[0] = std::move(picture);
      group.coded.clear();
      encode_step(batch, 0);
      picture = std::move(group.source.pictures[0]);
      emit(group.coded[0], picture.get(), i == 0);
    }
  }
}

void EncodeRun::work(Batch& batch, const std::stop_token& stop) {
  while (true) {
    try {
      if (!read(batch, stop)) return;
      encode(batch);
      give_out(batch);
    } catch (...) {
      fail(batch.number);
      return;
    }
  }
}

bool EncodeRun::read(Batch& batch, const std::stop_token& stop) {
  const std::lock_guard lock(reading_);
  if (is_ended_) return false;
  batch.number = batches_read_++;
  is_ended_ = true;  // Unless all groups are read.
  if (batch.device != nullptr) {
    const bool is_any = batch.device->read(reader_, staging_, groups_read_, stop);
    is_ended_ = reader_.is_at_end() || stop.stop_requested();
    return is_any;
  }
  for (Group& group : batch.groups) {
    group.number = groups_read_++;
    group.source.count = 0;
    group.coded.clear();
    if (!stop.stop_requested()) reader_.read(group.source);
  }
  is_ended_ = reader_.is_at_end() || stop.stop_requested();
  return batch.groups.front().source.count > 0;
}

void EncodeRun::encode(Batch& batch) {
  if (batch.device != nullptr) {
    batch.device->encode();
    return;
  }
  for (Group& group : batch.groups) group.encoder->begin_group();
  begin_rates(batch);
  std::size_t longest = 0;
  for (const Group& group : batch.groups) longest = std::max(longest, group.source.count);
  for (std::size_t step = 0; step < longest; ++step) encode_step(batch, step);
}

void EncodeRun::begin_rates(Batch& batch) {
  struct Analysed {
    const SamplePicture* picture = nullptr;
    const SamplePicture* before = nullptr;
    PictureComplexity complexity;
  };
  std::vector<Analysed> analysed;
  for (Group& group : batch.groups) {
    group.rate->begin_group(group.number, static_cast<int>(group.source.count), true);
    if (!group.rate->needs_complexity()) continue;
    const SamplePicture* before = nullptr;
    for (std::size_t i = 0; i < group.source.count; ++i) {
      const SamplePicture* const picture = group.source.pictures[i].get();
      analysed.push_back({.picture = picture, .before = before, .complexity = {}});
      before = picture;
    }
  }
  if (analysed.empty()) return;
  const TimelineScope scope(batch.track, "analyse");
  HostThreads::shared().for_each(analysed.size(), [&](std::size_t i) {
    analysed[i].complexity = picture_complexity(*analysed[i].picture, analysed[i].before);
  });
  auto next = analysed.begin();
  for (Group& group : batch.groups) {
    for (std::size_t i = 0; i < group.source.count; ++i) group.rate->add((next++)->complexity);
  }
}

void EncodeRun::encode_step(Batch& batch, std::size_t step) {
  std::vector<GroupPicture> searched;
  std::vector<Group*> active;
  for (Group& group : batch.groups) {
    if (step >= group.source.count) continue;
    active.push_back(&group);
    group.qp = group.rate->qp();
    searched.push_back({group.encoder.get(), group.source.pictures[step].get(), group.qp});
  }
  {
    const TimelineScope scope(batch.track, "search");
    batch.search->search(searched);
  }
  {
    const TimelineScope scope(batch.track, "encode rows");
    for (Group* const group : active) {
      group->encoder->begin_picture(std::move(group->source.pictures[step]), group->qp);
    }
    encode_rows(active);
  }
  {
    const TimelineScope scope(batch.track, "write slices");
    end_pictures(active, step);
  }
  for (int i = 0; i < GroupRate::kMostEncodedAgain; ++i) encode_again(batch, active);
  for (Group* const group : active) {
    const CodedPicture& coded = group->coded.back();
    group->rate->spend(coded.qp, 8 * coded.bytes.size());
  }
}

void EncodeRun::encode_again(const Batch& batch, const std::vector<Group*>& active) {
  std::vector<Group*> again;
  for (Group* const group : active) {
    const CodedPicture& coded = group->coded.back();
    const std::optional<int> qp = group->rate->qp_again(coded.qp, 8 * coded.bytes.size());
    if (!qp) continue;
    group->encoder->begin_again(std::move(group->source.pictures[0]), *qp);
    group->coded.pop_back();
    again.push_back(group);
  }
  if (again.empty()) return;
  const TimelineScope scope(batch.track, "encode again");
  encode_rows(again);
  end_pictures(again, 0);
}

void EncodeRun::end_pictures(const std::vector<Group*>& active, std::size_t step) {
  HostThreads::shared().for_each(active.size(), [&](std::size_t i) {
    Group& group = *active[i];
    // IDR pictures that follow each other differ in it.
    const auto idr_id = static_cast<int>(group.number % 2);
    group.coded.push_back(group.encoder->end_picture(idr_id, group.source.pictures[step]));
  });
}

// Threads take rows of all pictures in order, so that a row never waits for one that no thread has
// begun.
void EncodeRun::encode_rows(const std::vector<Group*>& active) {
  const auto rows = static_cast<std::size_t>(sequence_.height_in_macroblocks);
  std::atomic<std::size_t> next = 0;
  HostThreads::shared().for_each(rows * active.size(), [&](std::size_t) {
    const std::size_t taken = next.fetch_add(1, std::memory_order_relaxed);
    active[taken % active.size()]->encoder->encode_row(static_cast<int>(taken / active.size()));
  });
}

void EncodeRun::give_out(const Batch& batch) {
  {
    std::unique_lock lock(order_);
    is_turn_.wait(lock, [&] { return batches_out_ == batch.number || failed_ < batch.number; });
    if (failed_ < batch.number) return;
  }
  if (batch.device != nullptr) {
    batch.device->give_out(stages_.takes_reconstructions,
                           [this](const CodedPicture& coded, const SamplePicture* reconstruction,
                                  bool is_idr) { emit(coded, reconstruction, is_idr); });
  }
  for (const Group& group : batch.groups) {
    for (std::size_t i = 0; i < group.source.count; ++i) {
      emit(group.coded[i], group.source.pictures[i].get(), i == 0);
    }
  }
  const std::lock_guard lock(order_);
  ++batches_out_;
  is_turn_.notify_all();
}

// Called only by the thread whose turn it is.
void EncodeRun::emit(const CodedPicture& coded, const SamplePicture* reconstruction, bool is_idr) {
  EncodedPicture picture;
  picture.index = pictures_out_++;
  picture.type = coded.type;
  picture.is_idr = is_idr;
  picture.qp = coded.qp;
  picture.bytes = coded.bytes;
  picture.reconstruction = reconstruction;
  std::ranges::copy(coded.squared_errors, picture.squared_errors);
  stages_.consume(picture);
}

void EncodeRun::fail(std::int64_t batch) {
  {
    const std::lock_guard lock(order_);
    if (batch < failed_) {
      failed_ = batch;
      error_ = std::current_exception();
    }
    is_turn_.notify_all();
  }
  const std::lock_guard lock(reading_);
  is_ended_ = true;
}

}  // namespace millrace::h264
