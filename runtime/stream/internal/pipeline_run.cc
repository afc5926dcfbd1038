// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/stream/internal/pipeline_run.h>
#include <millrace/runtime/timeline/internal/queue_span.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace millrace::internal {
namespace {

using Clock = Timeline::Time::clock;

double seconds(Timeline::Time::duration time) {
  return std::chrono::duration<double>(time).count();
}

// Adds the time that a stage worked on a chunk to `stage`, and a span to the timeline.
void add_span(double& stage, const std::string& track, std::uint64_t index, Timeline::Time begin,
              Timeline::Time end, std::uint64_t bytes) {
  if (end > begin) stage += seconds(end - begin);
  if (Timeline* const timeline = Timeline::current()) {
    timeline->add({.track = track,
                   .name = "chunk " + std::to_string(index),
                   .begin = begin,
                   .end = end,
                   .bytes = bytes});
  }
}

void check_size(const char* data, std::uint64_t index, std::uint64_t bytes, std::size_t capacity) {
  if (bytes <= capacity) return;
  reject("chunk " + std::to_string(index) + " has " + std::to_string(bytes) + " bytes of " + data +
         "; at most " + std::to_string(capacity) + " fit");
}

}  // namespace

PipelineRun::PipelineRun(PipelineResources& resources, const PipelineStages& stages,
                         const std::stop_token& stop)
    : resources_(resources), stages_(stages), stop_(stop) {}

PipelineReport PipelineRun::go() {
  const Timeline::Time begin = Clock::now();
  {
    const std::stop_callback wake(stop_, [this] {
      const std::lock_guard lock(mutex_);
      changed_.notify_all();
    });
    const std::jthread consumer([this] { consume_all(); });
    produce_all();
  }
  throw_failure(drain());
  report_.chunks = consumed_;
  report_.seconds = seconds(Clock::now() - begin);
  return report_;
}

void PipelineRun::produce_all() {
  bool is_complete = false;
  for (std::uint64_t index = 0; !is_complete && wait_for_slot(index); ++index) {
    try {
      is_complete = !submit(index);
    } catch (...) {
      fail(index, std::current_exception());
      break;
    }
    const std::lock_guard lock(mutex_);
    submitted_ += is_complete ? 0 : 1;
    changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  is_complete_ = is_complete;
  is_ended_ = true;
  changed_.notify_all();
}

bool PipelineRun::wait_for_slot(std::uint64_t index) {
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return stop_.stop_requested() || failed_chunk_ != kNoChunk; };
  changed_.wait(lock, [&] { return is_over() || index - consumed_ < resources_.slots.size(); });
  return !is_over();
}

bool PipelineRun::submit(std::uint64_t index) {
  PipelineSlot& slot = slot_of(index);
  const auto number = static_cast<int>(index % resources_.slots.size());
  const std::optional<PipelineInput> input = produce(index, number);
  if (!input) return false;
  check_size("input", index, input->data.size(), resources_.options.input_bytes);
  slot.chunk = {
      .index = index, .slot = number, .result = slot.result.data(), .is_coded = input->is_coded};
  *slot.result.data() = {};
  slot.is_computed = false;
  set_memory(slot, *input);
  enqueue(slot, *input);
  report_.bytes_up += input->data.size();
  report_.coded_up += input->is_coded ? 1 : 0;
  return true;
}

std::optional<PipelineInput> PipelineRun::produce(std::uint64_t index, int slot) {
  const TimelineRange range("produce");
  const Timeline::Time begin = Clock::now();
  Buffer<std::byte>& memory =
      resources_.copies ? resources_.slots[slot].host_input : resources_.slots[slot].device_input;
  const auto input = stages_.produce({index, slot, {memory.data(), memory.size()}});
  const std::size_t bytes = input ? input->data.size() : 0;
  add_span(report_.produce_seconds, "host produce", index, begin, Clock::now(), bytes);
  return input;
}

void PipelineRun::set_memory(PipelineSlot& slot, const PipelineInput& input) {
  Buffer<std::byte>& own = resources_.copies ? slot.host_output : slot.device_output;
  slot.output = input.output.empty() ? std::span(own.data(), own.size()) : input.output;
  const std::size_t capacity = std::min(slot.output.size(), resources_.options.output_bytes);
  slot.output = slot.output.first(capacity);
  slot.chunk.output =
      resources_.copies ? std::span(slot.device_output.data(), capacity) : slot.output;
  slot.chunk.input = resources_.copies
                         ? std::span<const std::byte>(slot.device_input.data(), input.data.size())
                         : input.data;
}

void PipelineRun::enqueue(PipelineSlot& slot, const PipelineInput& input) {
  const QueueSpan::Mute as_chunk;
  Queue& compute = *resources_.compute;
  slot.uploaded = {};
  slot.upload_enqueued = Clock::now();
  if (resources_.copies && !input.data.empty()) {
    const TimelineRange range("upload");
    resources_.upload->copy(slot.device_input.data(), input.data.data(), input.data.size());
    slot.uploaded = resources_.upload->record();
    compute.wait_for(slot.uploaded);
  }
  slot.compute_enqueued = Clock::now();
  const TimelineRange range("compute");
  stages_.compute(compute, slot.chunk);
  const auto go_on = [this, &slot] { download(slot); };
  if (!resources_.copies) {
    compute.call(go_on);
    slot.computed = compute.record();
    return;
  }
  // A call in the computing queue would make the device wait for the host between chunks.
  *slot.mark.data() = std::byte{0};
  compute.fill(slot.mark.data(), std::byte{1}, 1);
  slot.compute_end = compute.record();
  resources_.control->wait_for(slot.compute_end);
  resources_.control->call(go_on);
  slot.computed = resources_.control->record();
}

void PipelineRun::download(PipelineSlot& slot) {
  slot.computed_at = resources_.copies ? slot.compute_end.reached_at() : Clock::now();
  if (resources_.copies && *slot.mark.data() == std::byte{0}) return;
  const std::uint64_t bytes = slot.result.data()->bytes;
  check_size("output", slot.chunk.index, bytes, slot.output.size());
  slot.downloaded = {};
  if (resources_.copies && bytes > 0) {
    const QueueSpan::Mute as_chunk;
    const TimelineRange range("download");
    resources_.download->copy(slot.output.data(), slot.device_output.data(), bytes);
    slot.downloaded = resources_.download->record();
  }
  slot.is_computed = true;
}

void PipelineRun::consume_all() {
  for (std::uint64_t index = 0; wait_for_chunk(index); ++index) {
    PipelineSlot& slot = slot_of(index);
    if (!wait_for_output(slot)) return fail(index, nullptr);
    if (stop_.stop_requested()) return;
    try {
      consume(slot);
    } catch (...) {
      return fail(index, std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    consumed_ = index + 1;
    changed_.notify_all();
  }
}

bool PipelineRun::wait_for_chunk(std::uint64_t index) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stop_.stop_requested() || is_ended_ || submitted_ > index; });
  return !stop_.stop_requested() && submitted_ > index;
}

bool PipelineRun::wait_for_output(const PipelineSlot& slot) {
  slot.computed.wait();
  if (!slot.is_computed) return false;
  slot.downloaded.wait();
  return !resources_.copies ||
         !(resources_.upload->has_failed() || resources_.download->has_failed());
}

void PipelineRun::consume(const PipelineSlot& slot) {
  const PipelineResult& result = *slot.result.data();
  account(slot);
  report_.bytes_down += result.bytes;
  report_.coded_down += result.is_coded != 0 ? 1 : 0;
  if (!stages_.consume) return;
  const TimelineRange range("consume");
  const Timeline::Time begin = Clock::now();
  stages_.consume({.index = slot.chunk.index,
                   .slot = slot.chunk.slot,
                   .data = slot.output.first(result.bytes),
                   .is_coded = result.is_coded != 0});
  add_span(report_.consume_seconds, "host consume", slot.chunk.index, begin, Clock::now(),
           result.bytes);
}

void PipelineRun::account(const PipelineSlot& slot) {
  const std::uint64_t bytes_up = slot.chunk.input.size();
  const std::uint64_t bytes_down = slot.result.data()->bytes;
  Timeline::Time compute_begin = std::max(slot.compute_enqueued, compute_end_);
  compute_end_ = slot.computed_at;
  if (resources_.copies && bytes_up > 0) {
    const Timeline::Time begin = std::max(slot.upload_enqueued, upload_end_);
    upload_end_ = slot.uploaded.reached_at();
    add_span(report_.upload_seconds, resources_.upload_track, slot.chunk.index, begin, upload_end_,
             bytes_up);
    compute_begin = std::max(compute_begin, upload_end_);
  }
  add_span(report_.compute_seconds, resources_.compute_track, slot.chunk.index, compute_begin,
           compute_end_, bytes_up);
  if (resources_.copies && bytes_down > 0) {
    const Timeline::Time begin = std::max(compute_end_, download_end_);
    download_end_ = slot.downloaded.reached_at();
    add_span(report_.download_seconds, resources_.download_track, slot.chunk.index, begin,
             download_end_, bytes_down);
  }
}

void PipelineRun::fail(std::uint64_t index, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (index < failed_chunk_) {
    failed_chunk_ = index;
    std::swap(error_, error);
  }
  if (!other_error_) other_error_ = error;
  changed_.notify_all();
}

std::exception_ptr PipelineRun::drain() {
  std::exception_ptr first;
  // The download queue is the last, because computed chunks enqueue their downloads.
  for (Queue* const queue : {resources_.upload.get(), resources_.compute.get(),
                             resources_.control.get(), resources_.download.get()}) {
    if (queue == nullptr) continue;
    try {
      queue->wait();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  return first;
}

void PipelineRun::throw_failure(const std::exception_ptr& of_queues) {
  if (error_) std::rethrow_exception(error_);
  if (of_queues) std::rethrow_exception(of_queues);
  if (other_error_) std::rethrow_exception(other_error_);
  if (failed_chunk_ != kNoChunk) {
    throw Error(ErrorCode::kInternal,
                "chunk " + std::to_string(failed_chunk_) +
                    " was not computed or not copied, but no queue reports an error; report it as "
                    "a defect of Millrace");
  }
  if (is_complete_ && consumed_ == submitted_) return;
  throw Error(ErrorCode::kCancelled,
              "the pipeline was stopped after " + std::to_string(consumed_) + " chunks");
}

}  // namespace millrace::internal
