// SPDX-License-Identifier: Apache-2.0

// Measures parsing, decoding and features of one H.264 stream, and checks the first two against a
// peer.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_STREAM_WORK_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_STREAM_WORK_H_

#include <millrace/tools/benchmarks/peers/h264_peer.h>

#include <cstdint>
#include <span>

namespace millrace::tools {

// Each takes an Annex B byte stream and returns the number of pictures. They run on the calling
// thread alone and throw kInternal at a fault of the stream.

// Parses everything, coefficients too; no sample is reconstructed.
std::int64_t parse_stream(std::span<const std::uint8_t> stream);
// Decodes to pictures.
std::int64_t decode_stream(std::span<const std::uint8_t> stream);
// Parses and measures the features of each frame.
std::int64_t measure_features(std::span<const std::uint8_t> stream);

// Returns frames a second by the VUI of the first picture; 0 where it has none.
double frame_rate_of(std::span<const std::uint8_t> stream);

struct ComparedDecisions {
  std::int64_t vectors =
      0;                 // Vectors of inter blocks of 8x8 and more; 0 in streams of intra pictures.
  std::int64_t qps = 0;  // QPs of macroblocks that are not PCM.
};

// Throw kInternal where vectors and QPs, or samples, are not those of the peer.
ComparedDecisions check_decisions(std::span<const std::uint8_t> stream, const H264Peer& peer);
void check_samples(std::span<const std::uint8_t> stream, const H264Peer& peer);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_STREAM_WORK_H_
