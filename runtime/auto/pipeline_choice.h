// SPDX-License-Identifier: Apache-2.0

// How large the chunks of a pipeline are best, how many are in flight, and whether they travel
// coded, from what is known of the link (policy_model.h) and the codec (codec_choice.h).
//
//   const PipelineChoice choice =
//       choose_pipeline({.bytes_up = n, .bytes_down = n}, costs_of(device->info())->link);
//   Pipeline pipeline(device, {.input_bytes = choice.chunk_bytes, ..., .depth = choice.depth});
#ifndef MILLRACE_RUNTIME_AUTO_PIPELINE_CHOICE_H_
#define MILLRACE_RUNTIME_AUTO_PIPELINE_CHOICE_H_

#include <cstddef>

#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/stream/codec_choice.h>

namespace millrace {

// What is to pass through a pipeline, in all.
struct PipelineWork {
  double bytes_up = 0;
  double bytes_down = 0;
  double compute_seconds = 0;  // On the device; 0 where it is hidden behind the link.
  CodecRates codec{};          // Of what goes up; zeros where there is no codec.

  // For all chunks in flight, in bytes of `bytes_up`.
  std::size_t memory_bytes = std::size_t{256} << 20;
};

struct PipelineChoice {
  std::size_t chunk_bytes = 0;  // Of `bytes_up`, or of `bytes_down` where nothing goes up.
  int depth = 0;                // Of PipelineOptions.
  bool is_coded = false;        // By choose_codec, where all rates of the codec are known.
  double seconds = 0;           // Predicted.
};

// Chunks pass three stages, each of which takes LinkCosts::chunk_seconds and the chunk's part of
// the work: the first chunk passes all of them, then the longest stage, or the depth where it is
// too small, says how often another one comes out.
double predict_pipeline_seconds(const PipelineWork& work, const LinkCosts& link, double chunk_bytes,
                                int depth, bool is_coded = false);

// The chunks and depth that are predicted to take the least time; of those that are within 1 % of
// it, those that need the least memory. Chunks are powers of two from 64 KiB on, depths 1 to 8.
PipelineChoice choose_pipeline(const PipelineWork& work, const LinkCosts& link);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_PIPELINE_CHOICE_H_
