// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/internal/memory_pool.h>
#include <millrace/tests/conformance/pipeline/pipeline_stages.h>

#include <algorithm>
#include <random>
#include <thread>

namespace millrace::conformance {
namespace {

std::byte byte_of(std::uint64_t chunk, std::size_t index) {
  return std::byte((chunk + 1) * 89 + index * 7 + index / 256);
}

}  // namespace

void echo_chunk(Queue& compute, const PipelineChunk& chunk) {
  compute.copy(chunk.output.data(), chunk.input.data(), chunk.input.size());
  chunk.result->bytes = chunk.input.size();
}

void pause(unsigned seed, std::uint64_t index, unsigned stage) {
  std::mt19937 random(seed + 4 * static_cast<unsigned>(index) + stage);
  if (random() % 4 != 0) return;
  for (auto yields = random() % 500; yields > 0; --yields) std::this_thread::yield();
}

PipelineStages EchoStages::stages() {
  return {
      .produce = [this](const PipelineInputMemory& memory) -> std::optional<PipelineInput> {
        if (memory.index == chunks_) return std::nullopt;
        const auto data = memory.input.first(size_of_(memory.index));
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = byte_of(memory.index, i);
        return PipelineInput{.data = data};
      },
      .compute = echo_chunk,
      .consume =
          [this](const PipelineOutput& output) {
            EXPECT_EQ(output.index, consumed_++);
            ASSERT_EQ(output.data.size(), size_of_(output.index));
            for (std::size_t i = 0; i < output.data.size(); ++i) {
              ASSERT_EQ(output.data[i], byte_of(output.index, i)) << output.index << ", " << i;
            }
          },
  };
}

class SpyDevice::SpyQueue final : public Queue {
 public:
  SpyQueue(SpyDevice& device, std::unique_ptr<Queue> queue, int number)
      : device_(device), queue_(std::move(queue)), number_(number) {}

  Device& device() const override { return queue_->device(); }
  void copy(void* target, const void* source, std::size_t bytes, MemoryOwner target_owner,
            MemoryOwner source_owner) override {
    queue_->copy(target, source, bytes, std::move(target_owner), std::move(source_owner));
    if (device_.failing_ == std::pair(number_, copies_++)) {
      queue_->call([] { throw Error(ErrorCode::kIo, "this copy fails"); });
    }
  }
  void fill(void* target, std::byte value, std::size_t bytes, MemoryOwner owner) override {
    queue_->fill(target, value, bytes, std::move(owner));
  }
  void call(std::function<void()> function) override { queue_->call(std::move(function)); }
  Event record() override { return queue_->record(); }
  void wait_for(const Event& event) override { queue_->wait_for(event); }
  void wait() override { queue_->wait(); }
  bool has_failed() const override { return queue_->has_failed(); }

 private:
  SpyDevice& device_;
  const std::unique_ptr<Queue> queue_;
  const int number_;
  int copies_ = 0;
};

std::unique_ptr<Queue> SpyDevice::make_queue(const QueueOptions& options) {
  return std::make_unique<SpyQueue>(*this, device_->make_queue(options), queues_++);
}

std::uint64_t SpyDevice::allocations() {
  std::uint64_t sum = allocations_;
  for (const MemorySpace space : kMemorySpaces) sum += pool(space)->statistics().allocations;
  return sum;
}

}  // namespace millrace::conformance
