// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/peers/h264_peer.h>

extern "C" {
#include <libavutil/motion_vector.h>
#include <libavutil/video_enc_params.h>
}

#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/decoder/libav.h>

#include <memory>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

struct ParserDeleter {
  void operator()(AVCodecParserContext* parser) const { av_parser_close(parser); }
};

// Without an order of output in VUI, libavcodec gives pictures early and mends that later, unless
// it is strict, which costs delay.
LibavPointer<AVCodecContext> open_decoder(bool is_strict, bool wants_decisions) {
  const AVCodec* const codec = avcodec_find_decoder(AV_CODEC_ID_H264);
  if (codec == nullptr) {
    throw Error(ErrorCode::kUnsupported, "the linked libavcodec has no decoder of H.264");
  }
  LibavPointer<AVCodecContext> context(avcodec_alloc_context3(codec));
  if (!context) throw Error(ErrorCode::kOutOfMemory, "no memory for a decoder of libavcodec");
  context->thread_count = 1;
  if (is_strict) context->strict_std_compliance = FF_COMPLIANCE_STRICT;
  context->flags |= AV_CODEC_FLAG_UNALIGNED;  // Pictures are cropped at their left, too.
  if (wants_decisions) {
    context->flags2 |= AV_CODEC_FLAG2_EXPORT_MVS;
    context->export_side_data |= AV_CODEC_EXPORT_DATA_VIDEO_ENC_PARAMS;
  }
  if (const int code = avcodec_open2(context.get(), codec, nullptr); code < 0) {
    throw Error(ErrorCode::kUnsupported, "cannot open the decoder of H.264 " + libav_reason(code));
  }
  return context;
}

std::vector<H264PeerVector> vectors_of(const AVFrame& frame) {
  std::vector<H264PeerVector> vectors;
  const AVFrameSideData* const data = av_frame_get_side_data(&frame, AV_FRAME_DATA_MOTION_VECTORS);
  if (data == nullptr) return vectors;
  const auto* const all = reinterpret_cast<const AVMotionVector*>(data->data);
  for (std::size_t i = 0; i < data->size / sizeof(AVMotionVector); ++i) {
    const AVMotionVector& one = all[i];
    vectors.push_back({.list = one.source < 0 ? 0 : 1,
                       .left = one.dst_x - one.w / 2,
                       .top = one.dst_y - one.h / 2,
                       .width = one.w,
                       .height = one.h,
                       .x = one.motion_x,
                       .y = one.motion_y});
  }
  return vectors;
}

// Blocks of libavcodec are macroblocks in raster order.
std::vector<int> qps_of(const AVFrame& frame) {
  std::vector<int> qps;
  const AVFrameSideData* const data =
      av_frame_get_side_data(&frame, AV_FRAME_DATA_VIDEO_ENC_PARAMS);
  if (data == nullptr) return qps;
  auto* const parameters = reinterpret_cast<AVVideoEncParams*>(data->data);
  for (unsigned i = 0; i < parameters->nb_blocks; ++i) {
    qps.push_back(parameters->qp + av_video_enc_params_block(parameters, i)->delta_qp);
  }
  return qps;
}

// Gives the pictures that are ready.
void receive(AVCodecContext& decoder, AVFrame& frame,
             const std::function<void(const H264PeerPicture&)>& take) {
  for (;;) {
    const int code = avcodec_receive_frame(&decoder, &frame);
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
    if (code < 0) {
      throw Error(ErrorCode::kInternal, "libavcodec cannot decode " + libav_reason(code));
    }
    if (take) {
      const std::vector<H264PeerVector> vectors = vectors_of(frame);
      const std::vector<int> qps = qps_of(frame);
      H264PeerPicture picture{
          .width = frame.width, .height = frame.height, .vectors = vectors, .qps = qps};
      for (int plane = 0; plane < 3; ++plane) {
        picture.planes[plane] = frame.data[plane];
        picture.strides[plane] = frame.linesize[plane];
      }
      take(picture);
    }
    av_frame_unref(&frame);
  }
}

}  // namespace

H264Peer::H264Peer(std::span<const std::uint8_t> stream) {
  const LibavPointer<AVCodecContext> decoder = open_decoder(false, false);
  const std::unique_ptr<AVCodecParserContext, ParserDeleter> parser(
      av_parser_init(AV_CODEC_ID_H264));
  if (!parser) throw Error(ErrorCode::kUnsupported, "the linked libavcodec has no parser of H.264");
  std::vector<std::uint8_t> padded(stream.begin(), stream.end());
  padded.resize(padded.size() + AV_INPUT_BUFFER_PADDING_SIZE);
  const auto parse = [&](const std::uint8_t* bytes, int size) {
    std::uint8_t* unit = nullptr;
    int unit_size = 0;
    const int used = av_parser_parse2(parser.get(), decoder.get(), &unit, &unit_size, bytes, size,
                                      AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0);
    if (unit_size > 0) {
      units_.emplace_back(unit, unit + unit_size).resize(unit_size + AV_INPUT_BUFFER_PADDING_SIZE);
    }
    return used;
  };
  for (std::size_t done = 0; done < stream.size();) {
    done += static_cast<std::size_t>(
        parse(padded.data() + done, static_cast<int>(stream.size() - done)));
  }
  parse(nullptr, 0);
}

void H264Peer::decode(const std::function<void(const H264PeerPicture&)>& take,
                      bool wants_decisions) const {
  const LibavPointer<AVCodecContext> decoder = open_decoder(take != nullptr, wants_decisions);
  const LibavPointer<AVPacket> packet(av_packet_alloc());
  const LibavPointer<AVFrame> frame(av_frame_alloc());
  if (!packet || !frame)
    throw Error(ErrorCode::kOutOfMemory, "no memory for a packet of libavcodec");
  for (const std::vector<std::uint8_t>& unit : units_) {
    packet->data = const_cast<std::uint8_t*>(unit.data());
    packet->size = static_cast<int>(unit.size() - AV_INPUT_BUFFER_PADDING_SIZE);
    if (const int code = avcodec_send_packet(decoder.get(), packet.get()); code < 0) {
      throw Error(ErrorCode::kInternal, "libavcodec cannot decode " + libav_reason(code));
    }
    receive(*decoder, *frame, take);
  }
  packet->data = nullptr;
  packet->size = 0;
  avcodec_send_packet(decoder.get(), nullptr);
  receive(*decoder, *frame, take);
}

}  // namespace millrace::tools
