// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/stream/chunk_transform.h>
#include <millrace/algorithms/idct/stream/host_stream.h>

#include <cstddef>
#include <optional>

namespace millrace::idct {
namespace {

PipelineOptions pipeline_options(const Device& device, const HostTransformOptions& options) {
  const std::size_t most = options.chunk_macroblocks * kCoefficientBytes;
  return {.input_bytes = most,
          .output_bytes = most,
          .depth = options.depth,
          .has_host_input = CoefficientLink::may_code(device, options),
          .has_host_output = false};
}

}  // namespace

HostStream::HostStream(const std::shared_ptr<Device>& device, const HostTransformOptions& options)
    : policy_(options.policy),
      beside_(device, options.chunk_macroblocks, options.depth),
      coefficients_(*device, beside_.queue(), options),
      chunks_(options.depth),
      pipeline_(device, pipeline_options(*device, options)) {}

PipelineReport HostStream::run(const HostRun& run) {
  beside_.begin(run);
  ChunkTransform transform(run, policy_, beside_.queue());
  const auto upload = [&](const PipelineInputMemory& memory) -> std::optional<PipelineInput> {
    const std::optional<HostChunk> chunk = run.chunk(memory.index);
    if (!chunk) return std::nullopt;
    chunks_[memory.slot] = beside_.upload(memory.slot, *chunk);
    PipelineInput input = coefficients_.encode(run.input, *chunk, memory);
    input.output = run.output_of(*chunk);
    return input;
  };
  const auto compute = [&](Queue& queue, const PipelineChunk& on_device) {
    HostChunk& chunk = chunks_[on_device.slot];
    MacroblockQueue& macroblocks = chunk.macroblocks;
    queue.wait_for(beside_.uploaded(on_device.slot));
    macroblocks.coefficients = coefficients_.decode(queue, on_device, macroblocks.count);
    transform.submit(queue, chunk, on_device.output.data());
    on_device.result->bytes = run.output_of(chunk).size();
  };
  const auto consume = [&](const PipelineOutput& output) {
    coefficients_.check(output.slot, chunks_[output.slot].macroblocks.count);
  };
  PipelineReport report;
  try {
    report = pipeline_.run({.produce = upload, .compute = compute, .consume = consume});
  } catch (...) {
    beside_.queue().record().wait();  // The caller may reuse the arrays after this.
    throw;
  }
  beside_.queue().wait();
  coefficients_.add_uploads(report);
  report.bytes_up += beside_.bytes();
  transform.finish(report);
  return report;
}

}  // namespace millrace::idct
