// SPDX-License-Identifier: Apache-2.0

// Encodes of a clip in memory, by Millrace and by x264.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_RD_ENCODES_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_RD_ENCODES_H_

#include <millrace/algorithms/h264/encoder/encoder.h>
#include <millrace/runtime/core/device.h>
#include <millrace/tools/benchmarks/peers/x264_peer.h>
#include <millrace/tools/benchmarks/workloads/rd/rd_clip.h>
#include <millrace/tools/video/encoding/encoding_summary.h>

#include <memory>

namespace millrace::tools {

// Returns the options with the size and the rate of the clip.
h264::EncoderOptions encoder_options_for(const RdClip& clip, h264::EncoderOptions options);

// Encodes the clip, whose options are those above, and drops the stream.
void encode_once(const RdClip& clip, h264::Encoder& encoder);

// Encodes the clip and decodes the stream, by this library's decoder and by FFmpeg's where the
// linked libavcodec has one. Throws kInternal where a decoder gives other pictures than the
// encoder's reconstruction.
EncodingSummary measure_encode(const RdClip& clip, const std::shared_ptr<Device>& device,
                               const h264::EncoderOptions& options);

// The same by x264 in one thread. Throws as encode_by_x264().
EncodingSummary measure_x264(const RdClip& clip, const X264Settings& settings, int qp);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_RD_RD_ENCODES_H_
