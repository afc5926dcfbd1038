// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/stream/internal/pipeline_run.h>
#include <millrace/runtime/stream/pipeline.h>

#include <atomic>
#include <string>
#include <utility>

namespace millrace {
namespace internal {
namespace {

PipelineOptions checked(const PipelineOptions& options) {
  constexpr int kMostDepth = 64;
  check_range("depth", options.depth, 1, kMostDepth);
  return options;
}

PipelineSlot make_slot(const std::shared_ptr<Device>& device, const PipelineOptions& options,
                       bool copies) {
  PipelineSlot slot;
  const std::size_t host_input = options.has_host_input ? options.input_bytes : 0;
  const std::size_t host_output = options.has_host_output ? options.output_bytes : 0;
  const auto make = [&device](MemorySpace space, std::size_t bytes) {
    return Buffer<std::byte>(device->pool(space), bytes);
  };
  if (copies) {
    slot.host_input = make(MemorySpace::kPinned, host_input);
    slot.host_output = make(MemorySpace::kPinned, host_output);
    slot.mark = make(MemorySpace::kPinned, 1);
  }
  slot.device_input = make(MemorySpace::kDevice, copies ? options.input_bytes : host_input);
  slot.device_output = make(MemorySpace::kDevice, copies ? options.output_bytes : host_output);
  slot.result = Buffer<PipelineResult>(device->pool(MemorySpace::kPinned), 1);
  return slot;
}

std::vector<PipelineSlot> make_slots(const std::shared_ptr<Device>& device,
                                     const PipelineOptions& options, bool copies) {
  std::vector<PipelineSlot> slots;
  for (int i = 0; i < options.depth; ++i) slots.push_back(make_slot(device, options, copies));
  return slots;
}

}  // namespace

PipelineResources::PipelineResources(std::shared_ptr<Device> on, const PipelineOptions& wanted)
    : device(std::move(on)),
      options(checked(wanted)),
      copies(!device->info().shares_host_memory),
      slots(make_slots(device, options, copies)),
      upload_track(device->info().name + " upload"),
      compute_track(device->info().name + " compute"),
      download_track(device->info().name + " download"),
      upload(copies ? device->make_queue() : nullptr),
      compute(device->make_queue(options.queue)),
      download(copies ? device->make_queue() : nullptr),
      control(copies ? device->make_queue() : nullptr) {}

}  // namespace internal

class Pipeline::Body {
 public:
  Body(std::shared_ptr<Device> device, const PipelineOptions& options)
      : resources(std::move(device), options) {}

  internal::PipelineResources resources;
  std::atomic<bool> is_running = false;
};

Pipeline::Pipeline(std::shared_ptr<Device> device, const PipelineOptions& options)
    : body_(std::make_unique<Body>(std::move(device), options)) {}

Pipeline::~Pipeline() = default;

PipelineReport Pipeline::run(const PipelineStages& stages, const std::stop_token& stop) {
  if (!stages.produce) reject("produce is empty; a pipeline needs this stage");
  if (!stages.compute) reject("compute is empty; a pipeline needs this stage");
  if (body_->is_running.exchange(true)) {
    reject("the pipeline is running already; wait for that run or use another pipeline");
  }
  const std::shared_ptr<void> end(nullptr, [this](void*) { body_->is_running = false; });
  return internal::PipelineRun(body_->resources, stages, stop).go();
}

const PipelineOptions& Pipeline::options() const { return body_->resources.options; }

Device& Pipeline::device() const { return *body_->resources.device; }

}  // namespace millrace
