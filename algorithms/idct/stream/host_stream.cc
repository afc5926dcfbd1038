// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/stream/host_stream.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <utility>

#include <millrace/algorithms/codecs/codecs.h>

namespace millrace::idct {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

bool may_code(const HostTransformOptions& options, bool copies) {
  return options.codec == CodecUse::kCoded || (options.codec == CodecUse::kMeasured && copies);
}

PipelineOptions pipeline_options(const HostTransformOptions& options, bool copies) {
  const std::size_t most = options.chunk_macroblocks * kCoefficientBytes;
  return {.input_bytes = most,
          .output_bytes = most,
          .depth = options.depth,
          .has_host_input = may_code(options, copies),
          .has_host_output = false};
}

}  // namespace

HostStream::HostStream(std::shared_ptr<Device> device, const HostTransformOptions& options)
    : device_(std::move(device)),
      options_(options),
      copies_(!device_->info().shares_host_memory),
      decoded_(device_->pool(MemorySpace::kDevice), options.chunk_macroblocks * kCoefficientBytes),
      pipeline_(device_, pipeline_options(options, copies_)),
      side_(device_->make_queue()) {
  if (may_code(options, copies_)) coder_.emplace(options.chunk_macroblocks);
  slots_ = make_slots();
  if (copies_ && options.codec == CodecUse::kMeasured) measure_link();
}

std::vector<HostStream::Slot> HostStream::make_slots() const {
  std::vector<Slot> slots(options_.depth);
  const std::size_t sizes = copies_ ? options_.chunk_macroblocks : 0;
  for (Slot& slot : slots) {
    slot.pinned_sizes = Buffer<TransformSize>(device_->pool(MemorySpace::kPinned), sizes);
    slot.sizes = Buffer<TransformSize>(device_->pool(MemorySpace::kDevice), sizes);
    slot.result = Buffer<CodecResult>(device_->pool(MemorySpace::kPinned), 1);
  }
  return slots;
}

void HostStream::measure_link() {
  const std::size_t bytes = std::min<std::size_t>(decoded_.size(), 16 << 20);
  Buffer<std::byte> host(device_->pool(MemorySpace::kPinned), bytes);
  copy(*side_, decoded_.span(0, bytes), host.span());
  const Event begin = side_->record();
  copy(*side_, decoded_.span(0, bytes), host.span());
  const Event end = side_->record();
  side_->wait();
  estimate_.link.add(static_cast<double>(bytes), seconds(end.reached_at() - begin.reached_at()));
}

PipelineReport HostStream::run(const HostRun& run) {
  side_bytes_ = 0;
  if (run.prediction != nullptr && copies_) {
    for (Slot& slot : slots_) {
      if (slot.prediction.size() > 0) continue;
      slot.prediction = Buffer<std::uint8_t>(device_->pool(MemorySpace::kDevice),
                                             kMacroblockSamples * options_.chunk_macroblocks);
    }
  }
  PipelineReport report;
  try {
    report = pipeline_.run(
        {.produce = [&](const PipelineInputMemory& room) { return produce(run, room); },
         .compute = [&](Queue& queue, const PipelineChunk& chunk) { compute(run, queue, chunk); },
         .consume = [&](const PipelineOutput& output) { consume(output); }});
  } catch (...) {
    side_->record().wait();  // The caller may reuse the arrays after this.
    throw;
  }
  side_->wait();
  if (report.coded_up == 0) {
    estimate_.link.add(static_cast<double>(report.bytes_up), report.upload_seconds);
  }
  report.bytes_up += side_bytes_;
  return report;
}

std::optional<PipelineInput> HostStream::produce(const HostRun& run,
                                                 const PipelineInputMemory& room) {
  const std::size_t first = room.index * run.step;
  if (first >= run.input.count) return std::nullopt;
  const std::size_t count = std::min(run.step, run.input.count - first);
  Slot& slot = slots_[room.slot];
  slot.chunk = {.first = first,
                .macroblocks = {.sizes = run.input.sizes + first, .count = count},
                .prediction = run.prediction == nullptr
                                  ? nullptr
                                  : run.prediction + kMacroblockSamples * first};
  if (copies_) upload_beside(run, slot);
  PipelineInput input = input_of(run, slot, room);
  slot.is_coded = input.is_coded;
  if (run.output != nullptr) {
    input.output = {run.output + run.output_bytes * first, run.output_bytes * count};
  }
  return input;
}

void HostStream::upload_beside(const HostRun& run, Slot& slot) {
  HostChunk& chunk = slot.chunk;
  const std::size_t count = chunk.macroblocks.count;
  std::memcpy(slot.pinned_sizes.data(), chunk.macroblocks.sizes, count);
  side_->copy(slot.sizes.data(), slot.pinned_sizes.data(), count);
  chunk.macroblocks.sizes = slot.sizes.data();
  side_bytes_ += count;
  if (run.prediction != nullptr) {
    side_->copy(slot.prediction.data(), chunk.prediction, kMacroblockSamples * count);
    chunk.prediction = slot.prediction.data();
    side_bytes_ += kMacroblockSamples * count;
  }
  slot.uploaded = side_->record();
}

PipelineInput HostStream::input_of(const HostRun& run, const Slot& slot,
                                   const PipelineInputMemory& room) {
  if (run.input.coded != nullptr) {
    const CodedQueue::Chunk& chunk = run.input.coded->chunk(run.input.first_chunk + room.index);
    return {.data = {chunk.data.data(), chunk.data.size()}, .is_coded = chunk.is_coded};
  }
  const std::size_t count = slot.chunk.macroblocks.count;
  const std::int16_t* const coefficients =
      run.input.coefficients + kMacroblockSamples * slot.chunk.first;
  if (is_profitable_to_code(coefficients, count)) {
    const std::size_t coded = encode(coefficients, count, room.input);
    if (coded > 0) return {.data = room.input.first(coded), .is_coded = true};
  }
  return {.data = std::as_bytes(std::span(coefficients, kMacroblockSamples * count))};
}

bool HostStream::is_profitable_to_code(const std::int16_t* coefficients, std::size_t count) {
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(coefficients) % 16 == 0;
  if (!coder_ || !is_aligned) return false;
  const std::lock_guard lock(mutex_);
  return estimate_.choose(count * kCoefficientBytes, {.use = options_.codec}).is_coded;
}

std::size_t HostStream::encode(const std::int16_t* coefficients, std::size_t count,
                               std::span<std::byte> output) {
  const Clock::time_point begin = Clock::now();
  const std::size_t bytes = count * kCoefficientBytes;
  const std::size_t coded = coder_->encode(coefficients, count, output.first(bytes));
  const std::lock_guard lock(mutex_);
  estimate_.encode.add(static_cast<double>(bytes), seconds(Clock::now() - begin));
  estimate_.ratio.add(static_cast<double>(coded > 0 ? coded : 2 * bytes),
                      static_cast<double>(bytes));
  return coded;
}

void HostStream::compute(const HostRun& run, Queue& queue, const PipelineChunk& chunk) {
  Slot& slot = slots_[chunk.slot];
  queue.wait_for(slot.uploaded);
  MacroblockQueue& macroblocks = slot.chunk.macroblocks;
  const std::byte* coefficients = chunk.input.data();
  if (chunk.is_coded) {
    slot.decode_begin = queue.record();
    codecs::sparse_codec().decode(queue, {.coded = chunk.input.data(),
                                          .bytes = chunk.input.size(),
                                          .items = decoded_.data(),
                                          .count = macroblocks.count,
                                          .result = slot.result.data()});
    slot.decode_end = queue.record();
    coefficients = decoded_.data();
  }
  macroblocks.coefficients = reinterpret_cast<const std::int16_t*>(coefficients);
  run.transform(queue, slot.chunk, chunk.output.data());
  chunk.result->bytes = run.output_bytes * macroblocks.count;
}

void HostStream::consume(const PipelineOutput& output) {
  const Slot& slot = slots_[output.slot];
  if (!slot.is_coded) return;
  throw_if_failed(*slot.result.data());
  const std::lock_guard lock(mutex_);
  estimate_.decode.add(static_cast<double>(slot.chunk.macroblocks.count * kCoefficientBytes),
                       seconds(slot.decode_end.reached_at() - slot.decode_begin.reached_at()));
}

}  // namespace millrace::idct
