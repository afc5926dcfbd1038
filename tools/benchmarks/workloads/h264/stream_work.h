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
  std::int64_t pictures = 0;
  std::int64_t vectors = 0;  // Vectors of the peer; 0 in streams of intra pictures.
  // 8x8 blocks of ours that have a reference, counted once for each of their lists.
  std::int64_t predicted_blocks = 0;
  std::int64_t qps = 0;  // QPs of macroblocks that are not PCM.
};

enum class StreamFaults { kThrow, kIgnore };

// Throw kInternal where vectors and QPs, or samples, are not those of the peer, where the peer has
// no vector for an 8x8 block that has a reference, and where the stream has a fault, unless it is
// ignored.
ComparedDecisions check_decisions(std::span<const std::uint8_t> stream, const H264Peer& peer,
                                  StreamFaults faults = StreamFaults::kThrow);
void check_samples(std::span<const std::uint8_t> stream, const H264Peer& peer,
                   StreamFaults faults = StreamFaults::kThrow);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_STREAM_WORK_H_
