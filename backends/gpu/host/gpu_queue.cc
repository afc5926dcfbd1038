// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/host/gpu_event.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/host/owners_in_flight.h>
#include <millrace/backends/gpu/host/side_streams.h>
#include <millrace/backends/gpu/host/staged_copies.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/runtime/timeline/internal/queue_span.h>

#include <cstring>
#include <exception>
#include <utility>

namespace millrace::MILLRACE_GPU {

GpuQueue::GpuQueue(std::shared_ptr<GpuDevice> device, const QueueOptions& options)
    : device_(std::move(device)),
      options_(options),
      executor_(std::make_shared<SerialExecutor>(
          [](const std::function<void()>& operations) { operations(); })),
      stream_(options.stream ? static_cast<Stream>(*options.stream) : device_->take_stream()),
      is_stream_shared_(options.stream.has_value()),
      owners_(std::make_unique<OwnersInFlight>(device_)) {
  if (options_.stream) device_->with([this] { check_stream(stream_); });
}

GpuQueue::~GpuQueue() {
  finish();
  executor_->close();
  device_->try_with([this] {
    runner_state_.reset();
    staged_copies_.reset();
    side_streams_.reset();
  });
  if (!options_.stream) device_->give_back(stream_);
}

void GpuQueue::copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
                    MemoryOwner source_owner) {
  if (bytes == 0) return;
  const QueueSpan span(*this, QueueSpan::is_wanted() ? stage_of(target, source) : "", "copy",
                       bytes);
  std::function<void()> operation = host_copy(target, source, bytes);
  const Start start = operation ? Start::kNow : Start::kInline;
  if (!operation) {
    operation = [=, this] { MILLRACE_GPU::copy(target, source, bytes, stream_); };
  }
  issue(std::move(operation), std::move(target_owner), std::move(source_owner), start);
}

void GpuQueue::fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) {
  if (bytes == 0) return;
  const QueueSpan span(*this, "compute", "fill", bytes);
  issue([=, this] { fill_anywhere(target, value, bytes); }, std::move(owner), {}, Start::kInline);
}

void GpuQueue::call(std::function<void()> function) {
  executor_->push({.work =
                       [this, function = std::move(function)] {
                         settle();
                         function();
                       },
                   .after_failure = false,
                   .gate = {}},
                  Start::kNow);
}

Event GpuQueue::record() {
  const auto point = std::make_shared<StreamPoint>(device_);
  Event recorded = executor_->record(
      [this, point] {
        is_settled_ = false;
        point->record(stream_);
      },
      Start::kInline);
  return Event(std::make_shared<GpuEvent>(std::move(recorded), point));
}

void GpuQueue::wait_for(const Event& event) {
  if (event.ready()) return;
  const auto* const own = dynamic_cast<const GpuEvent*>(event.state().get());
  if (own == nullptr) {
    executor_->push({.work = {}, .after_failure = true, .gate = event}, Start::kNow);
    return;
  }
  executor_->push({.work =
                       [this, point = own->point()] {
                         is_settled_ = false;
                         device_->with([&] { point->hold_up(stream_); });
                       },
                   .after_failure = true,
                   .gate = own->recorded()},
                  Start::kInline);
}

void GpuQueue::wait() {
  finish();
  if (const std::exception_ptr error = executor_->take_error()) std::rethrow_exception(error);
}

void GpuQueue::enqueue(std::function<void()> operation, Start start, const char* name) {
  const QueueSpan span(*this, "compute", name);
  executor_->push({.work =
                       [this, operation = std::move(operation)] {
                         is_settled_ = false;
                         try {
                           device_->with(operation);
                         } catch (...) {
                           if (side_streams_) side_streams_->abandon();
                           throw;
                         }
                         owners_->release();
                       },
                   .after_failure = false,
                   .gate = {}},
                  start);
}

const char* GpuQueue::stage_of(const void* target, const void* source) {
  return device_->with([=] {
    if (space_of(source) != MemorySpace::kDevice) return "upload";
    return space_of(target) == MemorySpace::kDevice ? "compute" : "download";
  });
}

std::function<void()> GpuQueue::host_copy(void* target, const void* source, std::size_t bytes) {
  // Below this size the driver's own copy is faster than waking threads. On an H200's hosts of 16
  // and 32 cores, copies of 16 MiB run at 0.7 to 1.4 of its rate, and copies of 32 MiB at 1.3 to
  // 2.5 (docs/experiments/how_host_memory_is_copied.md). Simulated devices have a lower bound,
  // which keeps tests short.
  const std::size_t least =
      device_->info().is_simulated ? std::size_t{1} << 19 : std::size_t{24} << 20;
  if (bytes < least || !options_.stages_pageable_copies) return {};
  MemorySpace to = MemorySpace::kDevice;
  MemorySpace from = MemorySpace::kDevice;
  device_->with([&] {
    to = space_of(target);
    from = space_of(source);
  });
  if (to != MemorySpace::kHost && from != MemorySpace::kHost) return {};
  if (to == MemorySpace::kDevice) {
    return [=, this] { staged_copies().upload(target, source, bytes); };
  }
  if (from == MemorySpace::kDevice) {
    return [=, this] { staged_copies().download(target, source, bytes); };
  }
  return [=, this] {
    synchronize(stream_);
    copy_host_memory(target, source, bytes);
  };
}

SideStreams& GpuQueue::side_streams() {
  if (!side_streams_) side_streams_ = std::make_unique<SideStreams>(*device_, stream_);
  return *side_streams_;
}

StagedCopies& GpuQueue::staged_copies() {
  if (!staged_copies_) staged_copies_ = std::make_unique<StagedCopies>(*device_, stream_);
  return *staged_copies_;
}

void GpuQueue::issue(std::function<void()> operation, MemoryOwner first, MemoryOwner second,
                     Start start) {
  executor_->push({.work =
                       [this, operation = std::move(operation), first = std::move(first),
                        second = std::move(second)] {
                         is_settled_ = false;
                         device_->with(operation);
                         owners_->keep(first, second, stream_);
                         owners_->release();
                       },
                   .after_failure = false,
                   .gate = {}},
                  start);
}

void GpuQueue::fill_anywhere(void* target, std::byte value, std::size_t bytes) {
  if (space_of(target) != MemorySpace::kHost) {
    return MILLRACE_GPU::fill(target, value, bytes, stream_);
  }
  synchronize(stream_);
  std::memset(target, std::to_integer<int>(value), bytes);
}

void GpuQueue::settle() {
  if (!is_settled_ || is_stream_shared_ || device_->is_lost()) {
    try {
      // If there is nothing to wait for, a query is faster than a wait.
      device_->with([this] {
        if (!is_idle(stream_)) synchronize(stream_);
      });
    } catch (const Error&) {
      owners_->release();
      throw;
    }
    is_settled_ = true;
  }
  owners_->release();
}

void GpuQueue::finish() {
  executor_->push({.work = [this] { settle(); }, .after_failure = true, .gate = {}},
                  Start::kAtWait);
  executor_->finish();
}

}  // namespace millrace::MILLRACE_GPU
