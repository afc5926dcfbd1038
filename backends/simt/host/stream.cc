// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/host/devices.h>
#include <millrace/backends/simt/host/simulated_memory.h>
#include <millrace/backends/simt/host/stream.h>
#include <millrace/backends/simt/launch/settings.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::simt {
namespace {

void check_shape(const gpu::LaunchShape& shape, int device) {
  const int resident = device_resident_blocks(shape.threads, shape.shared_bytes);
  std::string why;
  if (shape.blocks < 1) {
    why = "it has no blocks";
  } else if (shape.threads < 1 || shape.threads % warp_width(device) != 0) {
    why = "threads must be a multiple of the warp width, " + std::to_string(warp_width(device));
  } else if (resident == 0) {
    why = "a block may have " + std::to_string(kMaxThreadsPerBlock) + " threads and " +
          std::to_string(kSharedBytes) + " bytes of shared memory";
  } else if (shape.cooperative && shape.blocks > resident) {
    why = "a cooperative launch may have " + std::to_string(resident) + " blocks";
  } else if (shape.cooperative && !features().has_cooperative_launch) {
    why = "cooperative launches are turned off";
  }
  if (why.empty()) return;
  throw Error(ErrorCode::kInternal,
              std::to_string(shape.blocks) + " blocks of " + std::to_string(shape.threads) +
                  " threads with " + std::to_string(shape.shared_bytes) +
                  " bytes of shared memory cannot be launched on simt:" + std::to_string(device) +
                  ": " + why);
}

}  // namespace

Stream::Stream(int device)
    : device_(device), number_(next_stream_number()), thread_([this] { run(); }) {}

Stream::~Stream() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Stream::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !work_.empty() || is_ending_; });
    if (work_.empty()) return;
    const std::function<void()> work = std::move(work_.front());
    lock.unlock();
    work();
    lock.lock();
    work_.pop_front();
    if (work_.empty()) changed_.notify_all();
  }
}

void Stream::add(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
  }
  changed_.notify_all();
}

void Stream::enqueue(std::function<void()> work) {
  add([this, work = std::move(work)] { do_unless_failed(work); });
}

void Stream::enqueue_always(std::function<void()> work) { add(std::move(work)); }

void Stream::do_unless_failed(const std::function<void()>& work) {
  {
    const std::lock_guard lock(mutex_);
    if (error_ != nullptr) return;
  }
  try {
    work();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
}

void Stream::launch(std::function<void()> body, const gpu::LaunchShape& shape) {
  check_shape(shape, device_);
  if (does_launch_fail()) {
    throw Error(ErrorCode::kOutOfMemory, "simt:" + std::to_string(device_) +
                                             " could not launch a kernel: a test lets it fail");
  }
  enqueue([this, body = std::move(body), shape] {
    KernelRun(body, shape, {device_, number_, launches_++}, warp_width(device_),
              device_resident_blocks(shape.threads, shape.shared_bytes))
        .execute();
  });
}

void Stream::synchronize() {
  begin_to_wait();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return work_.empty(); });
  throw_error(lock);
}

bool Stream::is_idle() {
  std::unique_lock lock(mutex_);
  if (!work_.empty()) return false;
  throw_error(lock);
  return true;
}

void Stream::throw_error(std::unique_lock<std::mutex>& lock) {
  const std::exception_ptr error = std::exchange(error_, nullptr);
  lock.unlock();
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace millrace::simt

namespace millrace::simt_backend {
namespace {

bool is_pageable(const void* memory) { return space_of(memory) == MemorySpace::kHost; }

}  // namespace

Stream create_stream() { return new simt::Stream(simt::current_device()); }

void destroy_stream(Stream stream) noexcept { delete stream; }

void check_stream(Stream stream) {
  if (stream->device() == simt::current_device()) return;
  reject("the stream is one of simt:" + std::to_string(stream->device()) +
         ", not of simt:" + std::to_string(simt::current_device()));
}

void synchronize(Stream stream) { stream->synchronize(); }

bool is_idle(Stream stream) { return stream->is_idle(); }

void copy(void* target, const void* source, std::size_t bytes, Stream stream) {
  if (bytes == 0) return;
  if (is_pageable(target)) {
    stream->enqueue([=] { std::memcpy(target, source, bytes); });
    const auto written = std::make_shared<simt::Milestone>();
    stream->enqueue_always([written] { written->reach(); });
    written->wait();
  } else if (is_pageable(source)) {
    const auto* const bytes_read = static_cast<const char*>(source);
    stream->enqueue([target, read = std::vector<char>(bytes_read, bytes_read + bytes)] {
      std::memcpy(target, read.data(), read.size());
    });
  } else {
    stream->enqueue([=] { std::memcpy(target, source, bytes); });
  }
}

void fill(void* target, std::byte value, std::size_t bytes, Stream stream) {
  if (!simt::SimulatedMemory::get().holds(target, bytes)) {
    throw Error(ErrorCode::kInternal,
                "fill() takes device or pinned memory, and this memory is neither");
  }
  if (bytes == 0) return;
  stream->enqueue(
      [target, value, bytes] { std::memset(target, std::to_integer<int>(value), bytes); });
}

}  // namespace millrace::simt_backend
