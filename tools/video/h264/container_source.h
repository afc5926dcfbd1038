// SPDX-License-Identifier: Apache-2.0

// NAL units of the H.264 stream in a container that FFmpeg demuxes: MP4, MKV, AVI, MPEG-TS.
#ifndef MILLRACE_TOOLS_VIDEO_H264_CONTAINER_SOURCE_H_
#define MILLRACE_TOOLS_VIDEO_H264_CONTAINER_SOURCE_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/tools/video/decoder/clip_input.h>

#include <memory>
#include <string>

namespace millrace::tools {

// Opens a container for its first H.264 stream; FFmpeg decodes nothing of it. Throws Error(kIo) for
// a file that is no video, has another codec, which the error names, or is encrypted.
std::unique_ptr<h264::NalUnitSource> open_container(std::unique_ptr<ClipInput> input);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_CONTAINER_SOURCE_H_
