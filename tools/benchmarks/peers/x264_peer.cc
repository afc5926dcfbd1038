// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/peers/x264_peer.h>

extern "C" {
#include <libavutil/opt.h>
}

#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/decoder/libav.h>

#include <optional>
#include <span>

namespace millrace::tools {
namespace {

constexpr int kSei = 6;  // nal_unit_type

void require(int code, const char* what) {
  if (code >= 0) return;
  throw Error(ErrorCode::kUnsupported, std::string(what) + ' ' + libav_reason(code));
}

LibavPointer<AVCodecContext> open_encoder(const Picture& first, const X264Settings& settings,
                                          int qp, int threads) {
  const AVCodec* const codec = avcodec_find_encoder_by_name("libx264");
  if (codec == nullptr) {
    throw Error(ErrorCode::kUnsupported, "the linked libavcodec has no libx264");
  }
  LibavPointer<AVCodecContext> encoder(avcodec_alloc_context3(codec));
  if (!encoder) throw Error(ErrorCode::kOutOfMemory, "no memory for an encoder of libavcodec");
  encoder->width = first.width();
  encoder->height = first.height();
  encoder->pix_fmt = AV_PIX_FMT_YUV420P;
  encoder->time_base = {1, 25};
  encoder->thread_count = threads;
  const std::string parameters =
      "qp=" + std::to_string(qp) + (settings.parameters.empty() ? "" : ":") + settings.parameters;
  void* const options = encoder->priv_data;
  require(av_opt_set(options, "preset", settings.preset.c_str(), 0), "libx264 has no preset");
  require(av_opt_set(options, "tune", settings.tune.c_str(), 0), "libx264 has no tune");
  require(av_opt_set(options, "profile", settings.profile.c_str(), 0), "libx264 has no profile");
  require(av_opt_set(options, "x264-params", parameters.c_str(), 0), "libx264 has no parameters");
  require(avcodec_open2(encoder.get(), codec, nullptr), "cannot open libx264");
  return encoder;
}

// Returns the bits of the NAL units that pictures need, with their start codes.
std::uint64_t bits_without_sei(std::span<const std::uint8_t> access_unit) {
  std::uint64_t bytes = 0;
  h264::AnnexBSplitter splitter;
  splitter.push(access_unit);
  splitter.finish();
  while (const std::optional<h264::NalUnit> unit = splitter.next()) {
    if ((unit->bytes[0] & 31) == kSei) continue;
    bytes += static_cast<std::uint64_t>(unit->start_code_bytes) + unit->bytes.size();
  }
  return 8 * bytes;
}

void receive(AVCodecContext& encoder, AVPacket& packet, X264Stream& stream) {
  for (;;) {
    const int code = avcodec_receive_packet(&encoder, &packet);
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
    require(code, "libx264 cannot encode");
    const std::span<const std::uint8_t> bytes(packet.data, static_cast<std::size_t>(packet.size));
    stream.pictures.push_back(
        {.is_key = (packet.flags & AV_PKT_FLAG_KEY) != 0, .bits = bits_without_sei(bytes)});
    stream.bytes.insert(stream.bytes.end(), bytes.begin(), bytes.end());
    av_packet_unref(&packet);
  }
}

}  // namespace

X264Stream encode_by_x264(const std::vector<Picture>& pictures, const X264Settings& settings,
                          int qp, int threads) {
  keep_libav_errors();  // x264 otherwise reports each encode.
  const LibavPointer<AVCodecContext> encoder =
      open_encoder(pictures.front(), settings, qp, threads);
  const LibavPointer<AVPacket> packet(av_packet_alloc());
  const LibavPointer<AVFrame> frame(av_frame_alloc());
  if (!packet || !frame)
    throw Error(ErrorCode::kOutOfMemory, "no memory for a packet of libavcodec");
  frame->pts = 0;
  X264Stream stream;
  for (const Picture& picture : pictures) {
    frame->format = encoder->pix_fmt;
    frame->width = picture.width();
    frame->height = picture.height();
    for (int plane = 0; plane < Picture::kPlanes; ++plane) {
      // Encoders read alone.
      frame->data[plane] = const_cast<std::uint8_t*>(picture.plane(plane).data);
      frame->linesize[plane] = static_cast<int>(picture.plane(plane).stride);
    }
    require(avcodec_send_frame(encoder.get(), frame.get()), "libx264 cannot encode");
    ++frame->pts;
    receive(*encoder, *packet, stream);
  }
  require(avcodec_send_frame(encoder.get(), nullptr), "libx264 cannot encode");
  receive(*encoder, *packet, stream);
  return stream;
}

}  // namespace millrace::tools
