// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/features/choice/stream_speed_store.h>
#include <millrace/tools/command/features/pool_choice.h>
#include <millrace/tools/command/features/sample_streams.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

namespace millrace::tools {
namespace {

// Opening a GPU's driver takes so long; streams that the cores parse meanwhile do not wait for it.
constexpr double kDriverSeconds = 0.3;

// Streams of fewer bytes are not sampled: a core parses as many of CABAC in 0.4 s (Zen 5,
// docs/performance.md).
constexpr std::uintmax_t kLeastBytes = std::uintmax_t{4} << 20;

// Returns a CPU's device, of a backend of one device if there is such a one; null if there is none.
std::shared_ptr<Device> open_cpu() {
  std::string name;
  for (const DeviceInfo& device : list_devices()) {
    if (device.warp_width > 1 || device.is_simulated) continue;
    if (name.empty() || device.name == device.backend) name = device.name;
  }
  return name.empty() ? nullptr : open_named_device(name);
}

std::string text_of(const StreamPoolOptions& pool) {
  std::string text;
  for (const std::shared_ptr<Device>& device : pool.devices) {
    text += (text.empty() ? "" : ", ") + device->info().name;
  }
  if (pool.threads == 0) return text;
  return text + (text.empty() ? "" : " and ") + std::to_string(pool.threads) +
         (pool.threads == 1 ? " thread" : " threads");
}

}  // namespace

void use_named_devices(const std::string& device, const Communicator& world,
                       StreamPoolOptions& pool) {
  if (world.size() > 1) {
    pool.devices = {open_rank_device(world, device)};
    pool.run.queue = rank_queue_options(world, *pool.devices.front());
  } else {
    pool.devices = open_named_group(device).devices();
  }
  pool.threads = 0;
}

std::vector<std::shared_ptr<Device>> open_gpus() {
  std::vector<std::shared_ptr<Device>> gpus;
  for (const DeviceInfo& device : list_devices()) {
    if (device.warp_width > 1 && !device.is_simulated) {
      gpus.push_back(open_named_device(device.name));
    }
  }
  return gpus;
}

PoolChoice::PoolChoice(const std::string& device, bool follows, const Communicator& world,
                       std::vector<StreamName>& names, StreamPoolOptions& pool,
                       OpenDevices open_gpus)
    : open_gpus_(std::move(open_gpus)) {
  const bool is_automatic = device == kAutoDevice;
  if (!device.empty() && !is_automatic) {
    use_named_devices(device, world, pool);
    return;
  }
  // Consumers are of one stream, and read its macroblocks.
  const bool has_consumers = !pool.run.consumers.empty();
  if (follows && !has_consumers) {
    choose_followers(is_automatic, names, pool);
  } else if (is_automatic && !follows && !pool.run.decodes && !has_consumers) {
    choose_readers(names, pool);
  }
  if (is_automatic) text_ = text_of(pool);
}

void PoolChoice::choose_followers(bool is_automatic, const std::vector<StreamName>& names,
                                  StreamPoolOptions& pool) {
  const auto streams = static_cast<int>(names.size());
  const bool has_threads =
      tools::choose_followers(streams, pool.threads, false) == Followers::kThreads;
  if (has_threads && !pool.jobs.may_grow) return;
  if (is_automatic && tools::choose_followers(streams, pool.threads, true) == Followers::kGpus) {
    pool.devices = open_gpus_();
  }
  if (pool.devices.empty()) {
    if (std::shared_ptr<Device> cpu = open_cpu()) pool.devices.push_back(std::move(cpu));
  }
  // Without any device each stream has a thread of its own.
  pool.threads = pool.devices.empty() ? streams : 0;
}

void PoolChoice::choose_readers(std::vector<StreamName>& names, StreamPoolOptions& pool) {
  const std::vector<std::uintmax_t> bytes = bytes_of_streams(names);
  if (std::accumulate(bytes.begin(), bytes.end(), std::uintmax_t{0}) < kLeastBytes) return;
  load_ = sample_streams(names, bytes, pool.jobs.input);
  if (tools::choose_devices(load_, pool.threads, {}).seconds <= kDriverSeconds) return;
  std::vector<std::shared_ptr<Device>> gpus = open_gpus_();
  for (const std::shared_ptr<Device>& gpu : gpus) speeds_.push_back(stream_speed_of(gpu->info()));
  const DeviceChoice choice = tools::choose_devices(load_, pool.threads, speeds_);
  gpus.resize(static_cast<std::size_t>(choice.devices));
  speeds_.resize(gpus.size());
  if (!gpus.empty()) sort_by_bytes(names, bytes);
  pool.devices = std::move(gpus);
  pool.threads = choice.threads;
}

void PoolChoice::learn(const StreamPoolOptions& pool, const StreamPoolReport& report) const {
  constexpr double kLeastSeconds = 0.5;
  const auto devices = static_cast<int>(speeds_.size());
  for (std::size_t i = 0; i < speeds_.size(); ++i) {
    const DeviceSpeed& speed = speeds_[i];
    const DeviceReading& reading = report.devices[i];
    const double seconds = reading.seconds - speed.start_seconds;
    if (seconds < kLeastSeconds) continue;
    const double fraction = cores_of(load_, speed, devices) / speed.cores;
    const double core_seconds = static_cast<double>(reading.bytes) * load_.core_seconds_a_byte;
    store_stream_speed(pool.devices[i]->info(),
                       updated_stream_speed(speed, core_seconds, seconds, fraction));
  }
}

}  // namespace millrace::tools
