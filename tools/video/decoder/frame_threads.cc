// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/decoder/frame_threads.h>

#include <algorithm>
#include <cstdint>

extern "C" {
#include <libavutil/imgutils.h>
}

namespace millrace::tools {
namespace {

// Frames that threads decode at a time take at most these bytes.
constexpr std::int64_t kMostFrameBytes = std::int64_t{64} << 20;
constexpr int kMostThreads = 12;

// Returns true for codecs whose decoders were found to return or log all damage that one thread
// finds, before the frames that have it. Threads of FFmpeg's VP9 decoder return frames before the
// error of an earlier one, and those for HEVC and VP8 give other samples each time where damage was
// not found at all.
bool decodes_side_by_side(const AVCodec& codec) {
  switch (codec.id) {
    case AV_CODEC_ID_FFV1:
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HUFFYUV:
    case AV_CODEC_ID_MPEG4:
    case AV_CODEC_ID_PNG:
    case AV_CODEC_ID_PRORES:
    case AV_CODEC_ID_UTVIDEO: return (codec.capabilities & AV_CODEC_CAP_FRAME_THREADS) != 0;
    default: return false;
  }
}

}  // namespace

int frame_threads(const AVCodecContext& context, int most) {
  if (!decodes_side_by_side(*context.codec)) return 1;
  const std::int64_t bytes =
      av_image_get_buffer_size(context.pix_fmt, context.width, context.height, 1);
  if (bytes <= 0) return 1;
  return static_cast<int>(
      std::clamp<std::int64_t>(kMostFrameBytes / bytes, 1, std::min(most, kMostThreads)));
}

}  // namespace millrace::tools
