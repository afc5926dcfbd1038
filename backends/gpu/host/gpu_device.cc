// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/host/gpu_device.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/host/streams/handle_cache.h>
#include <millrace/backends/gpu/host/streams/stream_clock.h>
#include <millrace/backends/gpu/host/streams/stream_watcher.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/process/process.h>

#include <unistd.h>

#include <new>
#include <utility>

namespace millrace::MILLRACE_GPU {
namespace {

DeviceInfo make_info(int index, const gpu::Properties& properties) {
  return {.backend = kBackend,
          .name = std::string(kBackend) + ":" + std::to_string(index),
          .target = kBackend,
          .description = properties.description,
          .compute_units = properties.multiprocessors,
          .warp_width = properties.warp_width,
          .memory_bytes = properties.memory_bytes,
          .shares_host_memory = false,
          .is_simulated = properties.is_simulated};
}

std::size_t host_bytes(int pages) {
  return static_cast<std::size_t>(sysconf(pages)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t all_memory(MemorySpace space, const DeviceInfo& info) {
  return space == MemorySpace::kDevice ? info.memory_bytes : host_bytes(_SC_PHYS_PAGES);
}

constexpr std::align_val_t kHostAlignment{Device::kAlignment};

}  // namespace

struct GpuDevice::Streams {
  HandleCache<Stream> spare_streams{64};
  HandleCache<StreamEvent> spare_events{256};
  StreamClock clock;
  StreamWatcher watcher;
};

GpuDevice::GpuDevice(int index)
    : index_(index),
      generation_(process_generation()),
      properties_(MILLRACE_GPU::properties(index)),
      info_(make_info(index, properties_)),
      streams_(std::make_unique<Streams>()) {}

GpuDevice::~GpuDevice() {
  close_pools();
  try_with([this] {
    while (const auto stream = streams_->spare_streams.take()) destroy_stream(*stream);
    while (const auto event = streams_->spare_events.take()) destroy_event(*event);
  });
}

Stream GpuDevice::take_stream() {
  if (const auto stream = streams_->spare_streams.take()) return *stream;
  return with([] { return create_stream(); });
}

void GpuDevice::give_back(Stream stream) noexcept {
  if (!is_lost() && streams_->spare_streams.keep(stream)) return;
  try_with([stream] { destroy_stream(stream); });
}

StreamEvent GpuDevice::take_event() {
  if (const auto event = streams_->spare_events.take()) return *event;
  return create_event();
}

void GpuDevice::give_back(StreamEvent event) noexcept {
  if (is_lost() || !streams_->spare_events.keep(event)) destroy_event(event);
}

StreamClock& GpuDevice::clock() { return streams_->clock; }

StreamWatcher& GpuDevice::watcher() { return streams_->watcher; }

DeviceInfo GpuDevice::describe(int index) {
  return make_info(index, MILLRACE_GPU::properties(index));
}

std::unique_ptr<Queue> GpuDevice::make_queue(const QueueOptions& options) {
  check_not_forked();
  check_not_lost();
  if (options.concurrency < 0) {
    reject("concurrency is " + std::to_string(options.concurrency) + "; it must be 0 or more");
  }
  return std::make_unique<GpuQueue>(std::static_pointer_cast<GpuDevice>(shared_from_this()),
                                    options);
}

void* GpuDevice::try_allocate(MemorySpace space, std::size_t bytes) {
  check_not_forked();
  check_not_lost();
  if (bytes == 0) return nullptr;
  void* const data = allocate_if_free(space, bytes);
  if (data == nullptr) {
    throw Error(ErrorCode::kOutOfMemory, "could not allocate " + std::to_string(bytes) +
                                             " bytes of " + to_string(space) + " memory on " +
                                             info_.name + ": " + describe_free_memory(space));
  }
  return data;
}

void* GpuDevice::allocate_if_free(MemorySpace space, std::size_t bytes) {
  // Vendors may report a size above all memory as an invalid argument, and not as out of memory.
  if (bytes > all_memory(space, info_)) return nullptr;
  switch (space) {
    case MemorySpace::kHost: return ::operator new(bytes, kHostAlignment, std::nothrow);
    case MemorySpace::kPinned: return with([bytes] { return allocate_pinned(bytes); });
    case MemorySpace::kDevice: return with([bytes] { return allocate_device(bytes); });
  }
  return nullptr;
}

std::string GpuDevice::describe_free_memory(MemorySpace space) {
  const bool is_on_device = space == MemorySpace::kDevice;
  const std::size_t free =
      is_on_device ? with([] { return free_memory(); }) : host_bytes(_SC_AVPHYS_PAGES);
  return std::to_string(free) + " of " + std::to_string(all_memory(space, info_)) +
         " bytes are free";
}

void GpuDevice::deallocate(MemorySpace space, void* data, std::size_t) noexcept {
  if (space == MemorySpace::kHost) {
    ::operator delete(data, kHostAlignment);
    return;
  }
  try_with(
      [space, data] { space == MemorySpace::kPinned ? free_pinned(data) : free_device(data); });
}

void GpuDevice::mark_lost(const std::string& reason) {
  std::call_once(lost_once_, [this, &reason] {
    lost_reason_ = info_.name + " is lost: " + reason;
    is_lost_.store(true, std::memory_order_release);
  });
}

void GpuDevice::check_not_forked() const {
  if (generation_ == process_generation()) return;
  throw Error(ErrorCode::kDeviceLost,
              info_.name +
                  " was opened before fork(), and a GPU stays with the parent; the child "
                  "can use CPUs, and GPUs after exec()");
}

void GpuDevice::check_not_lost() const {
  if (is_lost()) throw Error(ErrorCode::kDeviceLost, lost_reason_);
}

}  // namespace millrace::MILLRACE_GPU
