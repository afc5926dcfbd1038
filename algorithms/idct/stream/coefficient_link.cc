// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/idct/stream/coefficient_link.h>
#include <millrace/runtime/core/memory_space.h>

#include <algorithm>
#include <chrono>

namespace millrace::idct {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

bool CoefficientLink::may_code(const Device& device, const HostTransformOptions& options) {
  return options.codec == CodecUse::kCoded ||
         (options.codec == CodecUse::kMeasured && !device.info().shares_host_memory);
}

CoefficientLink::CoefficientLink(Device& device, Queue& queue, const HostTransformOptions& options)
    : use_(options.codec),
      decoded_(device.pool(MemorySpace::kDevice), options.chunk_macroblocks * kCoefficientBytes),
      decodings_(options.depth) {
  for (ChunkDecoding& decoding : decodings_) {
    decoding.result = Buffer<CodecResult>(device.pool(MemorySpace::kPinned), 1);
  }
  if (!may_code(device, options)) return;
  coder_.emplace(options.chunk_macroblocks);
  if (use_ == CodecUse::kMeasured) measure_link(device, queue);
}

void CoefficientLink::measure_link(Device& device, Queue& queue) {
  const std::size_t bytes = std::min<std::size_t>(decoded_.size(), 16 << 20);
  Buffer<std::byte> host(device.pool(MemorySpace::kPinned), bytes);
  copy(queue, decoded_.span(0, bytes), host.span());
  const Event begin = queue.record();
  copy(queue, decoded_.span(0, bytes), host.span());
  const Event end = queue.record();
  queue.wait();
  estimate_.link.add(static_cast<double>(bytes), seconds(end.reached_at() - begin.reached_at()));
}

PipelineInput CoefficientLink::encode(const HostInput& input, const HostChunk& chunk,
                                      const PipelineInputMemory& memory) {
  ChunkDecoding& decoding = decodings_[memory.slot];
  decoding.is_coded = false;
  if (input.coded != nullptr) {
    const CodedQueue::CodedChunk& given = input.coded->chunk(input.first_chunk + memory.index);
    decoding.is_coded = given.is_coded;
    return {.data = {given.data.data(), given.data.size()}, .is_coded = given.is_coded};
  }
  const std::size_t count = chunk.macroblocks.count;
  const std::int16_t* const coefficients = input.coefficients + kMacroblockSamples * chunk.first;
  if (is_profitable_to_code(coefficients, count)) {
    const std::size_t coded = encode(coefficients, count, memory.input);
    decoding.is_coded = coded > 0;
    if (coded > 0) return {.data = memory.input.first(coded), .is_coded = true};
  }
  return {.data = std::as_bytes(std::span(coefficients, kMacroblockSamples * count))};
}

bool CoefficientLink::is_profitable_to_code(const std::int16_t* coefficients, std::size_t count) {
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(coefficients) % 16 == 0;
  if (!coder_ || !is_aligned) return false;
  const std::lock_guard lock(mutex_);
  return estimate_.choose(count * kCoefficientBytes, {.use = use_}).is_coded;
}

std::size_t CoefficientLink::encode(const std::int16_t* coefficients, std::size_t count,
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

const std::int16_t* CoefficientLink::decode(Queue& queue, const PipelineChunk& chunk,
                                            std::size_t count) {
  const std::byte* coefficients = chunk.input.data();
  if (chunk.is_coded) {
    ChunkDecoding& decoding = decodings_[chunk.slot];
    decoding.decode_begin = queue.record();
    codecs::sparse_codec().decode(queue, {.coded = chunk.input.data(),
                                          .bytes = chunk.input.size(),
                                          .items = decoded_.data(),
                                          .count = count,
                                          .result = decoding.result.data()});
    decoding.decode_end = queue.record();
    coefficients = decoded_.data();
  }
  return reinterpret_cast<const std::int16_t*>(coefficients);
}

void CoefficientLink::check(int slot, std::size_t count) {
  const ChunkDecoding& decoding = decodings_[slot];
  if (!decoding.is_coded) return;
  throw_if_failed(*decoding.result.data());
  const std::lock_guard lock(mutex_);
  estimate_.decode.add(
      static_cast<double>(count * kCoefficientBytes),
      seconds(decoding.decode_end.reached_at() - decoding.decode_begin.reached_at()));
}

void CoefficientLink::add_uploads(const PipelineReport& report) {
  if (report.coded_up > 0) return;
  estimate_.link.add(static_cast<double>(report.bytes_up), report.upload_seconds);
}

}  // namespace millrace::idct
