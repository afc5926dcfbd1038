// SPDX-License-Identifier: Apache-2.0

// The macroblock queue that an H.264 stream itself has.
//
//   const h264::LumaQueue queue = read_luma_queue("clip.264", 25'000);
#ifndef MILLRACE_TOOLS_VIDEO_H264_LUMA_QUEUE_READER_H_
#define MILLRACE_TOOLS_VIDEO_H264_LUMA_QUEUE_READER_H_

#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/queue/luma_queue.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::tools {

// Returns a message if the fault means that pictures of the stream are not parsed, because they use
// a tool that is not supported; "" for damage, and for layers beside the pictures.
std::string unsupported_pictures(const h264::StreamFault& fault);

// Returns why the queue of a file that open_one_stream() (h264_input.h) can open is not there, such
// as a tool that is not supported; "" if the first picture can be parsed.
std::string queue_problem(const std::string& path);

// Reads the luma of the first `most` macroblocks that have a residual, or of all if there are
// fewer; the statistics are those of whole pictures. Throws what open_one_stream() throws, Error
// (kUnsupported) with the tool's name where pictures cannot be parsed, and Error (kIo) if there is
// no such macroblock.
h264::LumaQueue read_luma_queue(const std::string& path, std::size_t most);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_LUMA_QUEUE_READER_H_
