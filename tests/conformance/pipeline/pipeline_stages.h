// SPDX-License-Identifier: Apache-2.0

// Stages of pipelines, and a device that counts and fails, for their tests.
#ifndef MILLRACE_TESTS_CONFORMANCE_PIPELINE_PIPELINE_STAGES_H_
#define MILLRACE_TESTS_CONFORMANCE_PIPELINE_PIPELINE_STAGES_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/pipeline.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace millrace::conformance {

// Enqueues that a chunk's input becomes its output.
void echo_chunk(Queue& compute, const PipelineChunk& chunk);

// Yields now and then, as `seed` says of this stage of this chunk, so that stages overtake each
// other. Their results are the same however long that takes.
void pause(unsigned seed, std::uint64_t index, unsigned stage);

// Stages that send `chunks` chunks, all different, through a device unchanged, and check what
// comes back.
class EchoStages {
 public:
  // `size_of` an index, in bytes.
  EchoStages(std::uint64_t chunks, std::function<std::size_t(std::uint64_t)> size_of)
      : chunks_(chunks), size_of_(std::move(size_of)) {}

  // They refer to this.
  PipelineStages stages();

  std::uint64_t consumed() const { return consumed_; }
  void expect_all_consumed() const { EXPECT_EQ(consumed_, chunks_); }

 private:
  const std::uint64_t chunks_;
  const std::function<std::size_t(std::uint64_t)> size_of_;
  std::uint64_t consumed_ = 0;
};

template <class Call>
void expect_error(ErrorCode code, const Call& call) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
  }
}

// Another device, with its allocations counted, and some of its copies failing.
class SpyDevice final : public Device {
 public:
  explicit SpyDevice(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  ~SpyDevice() override { close_pools(); }

  const DeviceInfo& info() const override { return device_->info(); }
  std::unique_ptr<Queue> make_queue(const QueueOptions& options) override;
  void deallocate(MemorySpace space, void* data, std::size_t bytes) noexcept override {
    device_->deallocate(space, data, bytes);
  }

  // Number of allocations made by the device and by its pools.
  std::uint64_t allocations();

  // The copy of that number, from 0, of the queue of that number fails with kIo.
  void fail_copy(int queue, int copy) { failing_ = {queue, copy}; }

 private:
  class SpyQueue;

  void* try_allocate(MemorySpace space, std::size_t bytes) override {
    ++allocations_;
    return device_->allocate(space, bytes);
  }

  const std::shared_ptr<Device> device_;
  std::atomic<std::uint64_t> allocations_ = 0;
  int queues_ = 0;
  std::pair<int, int> failing_{-1, -1};
};

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_PIPELINE_PIPELINE_STAGES_H_
