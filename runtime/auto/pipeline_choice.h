// SPDX-License-Identifier: Apache-2.0

// Chooses the size of a pipeline's chunks, their number in flight and the use of a codec, from the
// costs of the link (policy_model.h) and the rates of the codec (codec_choice.h).
//
//   const PipelineChoice choice =
//       choose_pipeline({.bytes_up = n, .bytes_down = n}, costs_of(device->info())->link);
//   Pipeline pipeline(device, {.input_bytes = choice.chunk_bytes, ..., .depth = choice.depth});
#ifndef MILLRACE_RUNTIME_AUTO_PIPELINE_CHOICE_H_
#define MILLRACE_RUNTIME_AUTO_PIPELINE_CHOICE_H_

#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/stream/codec_choice.h>

#include <cstddef>

namespace millrace {

// The whole work of a pipeline.
struct PipelineWork {
  double bytes_up = 0;         // Bytes to upload.
  double bytes_down = 0;       // Bytes to download.
  double compute_seconds = 0;  // Time on the device; 0 if it is hidden behind the link.
  CodecRates codec{};          // Rates for uploads; zeros if there is no codec.

  // Memory for all chunks in flight, counted in bytes of their inputs.
  std::size_t memory_bytes = std::size_t{256} << 20;
};

struct PipelineChoice {
  std::size_t chunk_bytes =
      0;                  // Bytes of a chunk's input, or of its output if nothing is uploaded.
  int depth = 0;          // PipelineOptions::depth.
  bool is_coded = false;  // True if all rates of the codec are known and choose_codec uses it.
  double seconds = 0;     // Predicted time.
};

// Returns the predicted time. Chunks pass three stages, each of which takes
// LinkCosts::chunk_seconds and the chunk's portion of the work. The first chunk passes all stages;
// then the longest stage determines the interval between chunks, or the depth does if it is too
// small.
double predict_pipeline_seconds(const PipelineWork& work, const LinkCosts& link, double chunk_bytes,
                                int depth, bool is_coded = false);

// Returns the chunk size and depth that need the least memory among those whose predicted time is
// within 1 % of the shortest. Chunk sizes are powers of two from 64 KiB on, depths 1 to 8.
PipelineChoice choose_pipeline(const PipelineWork& work, const LinkCosts& link);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_PIPELINE_CHOICE_H_
