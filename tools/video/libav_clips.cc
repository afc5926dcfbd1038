// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/libav_clips.h>

extern "C" {
#include <libavutil/opt.h>
}

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace millrace::tools {
namespace {

void require(bool is_done, const std::string& what) {
  if (!is_done) throw std::runtime_error(what + ": FFmpeg's libraries failed " + libav_reason(0));
}

struct OutputDeleter {
  void operator()(AVFormatContext* context) const {
    avio_closep(&context->pb);
    avformat_free_context(context);
  }
};
using Output = std::unique_ptr<AVFormatContext, OutputDeleter>;

Output open_output(const std::string& path) {
  AVFormatContext* allocated = nullptr;
  require(avformat_alloc_output_context2(&allocated, nullptr, nullptr, path.c_str()) >= 0, path);
  Output output(allocated);
  require(avio_open(&output->pb, path.c_str(), AVIO_FLAG_WRITE) >= 0, path);
  return output;
}

void write_header(AVFormatContext& output, const LibavOptions& options, const std::string& path) {
  AVDictionary* dictionary = nullptr;
  for (const auto& [name, value] : options) {
    av_dict_set(&dictionary, name.c_str(), value.c_str(), 0);
  }
  const int code = avformat_write_header(&output, &dictionary);
  const bool are_all_known = av_dict_count(dictionary) == 0;
  av_dict_free(&dictionary);
  require(code >= 0 && are_all_known, path);
}

// A file that is read, and the best video of it.
struct Input {
  explicit Input(const std::string& path, const char* format = nullptr) {
    AVFormatContext* opened = nullptr;
    require(avformat_open_input(&opened, path.c_str(),
                                format != nullptr ? av_find_input_format(format) : nullptr,
                                nullptr) >= 0,
            path);
    file.reset(opened);
    require(avformat_find_stream_info(opened, nullptr) >= 0, path);
    const int index = av_find_best_stream(opened, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    require(index >= 0, path);
    stream = opened->streams[index];
  }

  // Reads the next packet of the video; false at the end.
  bool next(AVPacket& packet) {
    for (av_packet_unref(&packet); av_read_frame(file.get(), &packet) >= 0;
         av_packet_unref(&packet)) {
      if (packet.stream_index == stream->index) return true;
    }
    return false;
  }

  LibavPointer<AVFormatContext> file;
  AVStream* stream = nullptr;  // Stream of the file.
};

LibavPointer<AVCodecContext> open_encoder(const EncodedClip& clip, bool has_global_header,
                                          const std::string& path) {
  const AVCodec* const codec = avcodec_find_encoder_by_name(clip.codec.c_str());
  if (codec == nullptr) {
    throw std::runtime_error("the linked libavcodec has no encoder '" + clip.codec + "'");
  }
  LibavPointer<AVCodecContext> encoder(avcodec_alloc_context3(codec));
  require(encoder != nullptr, path);
  encoder->width = clip.width;
  encoder->height = clip.height;
  encoder->pix_fmt = AV_PIX_FMT_YUV420P;
  encoder->time_base = {clip.clock.numerator, clip.clock.denominator};
  if (clip.times.empty()) encoder->framerate = av_inv_q(encoder->time_base);
  encoder->thread_count = 1;
  if (has_global_header) encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  for (const auto& [name, value] : clip.options) {
    require(av_opt_set(encoder.get(), name.c_str(), value.c_str(), AV_OPT_SEARCH_CHILDREN) >= 0,
            name);
  }
  require(avcodec_open2(encoder.get(), codec, nullptr) >= 0, path);
  return encoder;
}

// Returns the ticks from a frame to the next one; the last frame is as long as the one before.
std::int64_t duration_at(const EncodedClip& clip, std::int64_t time) {
  if (clip.times.size() < 2) return 1;
  const auto next = std::min(std::ranges::upper_bound(clip.times, time), clip.times.end() - 1);
  return *next - *(next - 1);
}

// Copies samples of 4:2:0 without gaps between rows to a frame.
void fill(AVFrame& frame, const std::string& samples) {
  const char* from = samples.data();
  for (int plane = 0; plane < 3; ++plane) {
    const int width = plane == 0 ? frame.width : (frame.width + 1) / 2;
    const int height = plane == 0 ? frame.height : (frame.height + 1) / 2;
    for (int y = 0; y < height; ++y, from += width) {
      std::copy_n(from, width, frame.data[plane] + y * frame.linesize[plane]);
    }
  }
}

std::string samples_of(const AVFrame& frame, const std::string& path) {
  require(frame.format == AV_PIX_FMT_YUV420P || frame.format == AV_PIX_FMT_YUVJ420P, path);
  std::string samples;
  for (int plane = 0; plane < 3; ++plane) {
    const int width = plane == 0 ? frame.width : (frame.width + 1) / 2;
    const int height = plane == 0 ? frame.height : (frame.height + 1) / 2;
    for (int y = 0; y < height; ++y) {
      const auto* const row =
          reinterpret_cast<const char*>(frame.data[plane] + y * frame.linesize[plane]);
      samples.append(row, static_cast<std::size_t>(width));
    }
  }
  return samples;
}

}  // namespace

void remux_h264(const std::string& stream, const std::string& output, const LibavOptions& options) {
  keep_libav_errors();
  Input input(stream, "h264");
  const Output file = open_output(output);
  AVStream* const copy = avformat_new_stream(file.get(), nullptr);
  require(copy != nullptr, output);
  require(avcodec_parameters_copy(copy->codecpar, input.stream->codecpar) >= 0, output);
  copy->codecpar->codec_tag = 0;
  constexpr AVRational kClock = {1, 25};
  copy->time_base = kClock;
  write_header(*file, options, output);
  const LibavPointer<AVPacket> packet(av_packet_alloc());
  require(packet != nullptr, output);
  for (std::int64_t time = 0; input.next(*packet); ++time) {
    packet->stream_index = copy->index;
    packet->pts = packet->dts = time;  // Readers of streams alone do not reorder by it.
    packet->duration = 1;
    packet->pos = -1;
    av_packet_rescale_ts(packet.get(), kClock, copy->time_base);
    require(av_interleaved_write_frame(file.get(), packet.get()) >= 0, output);
  }
  require(av_write_trailer(file.get()) >= 0, output);
}

void write_encoded_clip(const std::string& path, const EncodedClip& clip) {
  keep_libav_errors();
  const Output file = open_output(path);
  const LibavPointer<AVCodecContext> encoder =
      open_encoder(clip, (file->oformat->flags & AVFMT_GLOBALHEADER) != 0, path);
  AVStream* const stream = avformat_new_stream(file.get(), nullptr);
  require(stream != nullptr, path);
  require(avcodec_parameters_from_context(stream->codecpar, encoder.get()) >= 0, path);
  stream->time_base = encoder->time_base;
  write_header(*file, {}, path);
  const LibavPointer<AVPacket> packet(av_packet_alloc());
  const LibavPointer<AVFrame> frame(av_frame_alloc());
  require(packet && frame, path);
  const auto write_packets = [&] {
    while (avcodec_receive_packet(encoder.get(), packet.get()) >= 0) {
      packet->stream_index = stream->index;
      packet->duration = duration_at(clip, packet->pts);
      av_packet_rescale_ts(packet.get(), encoder->time_base, stream->time_base);
      require(av_interleaved_write_frame(file.get(), packet.get()) >= 0, path);
    }
  };
  frame->format = encoder->pix_fmt;
  frame->width = clip.width;
  frame->height = clip.height;
  require(av_frame_get_buffer(frame.get(), 0) >= 0, path);
  for (std::size_t i = 0; i < clip.frames.size(); ++i) {
    require(av_frame_make_writable(frame.get()) >= 0, path);
    fill(*frame, clip.frames[i]);
    frame->pts = clip.times.empty() ? static_cast<std::int64_t>(i) : clip.times.at(i);
    require(avcodec_send_frame(encoder.get(), frame.get()) >= 0, path);
    write_packets();
  }
  require(avcodec_send_frame(encoder.get(), nullptr) >= 0, path);
  write_packets();
  require(av_write_trailer(file.get()) >= 0, path);
}

std::vector<std::string> libav_pictures(const std::string& path, std::size_t most) {
  keep_libav_errors();
  Input input(path);
  const AVCodec* const codec = avcodec_find_decoder(input.stream->codecpar->codec_id);
  require(codec != nullptr, path);
  const LibavPointer<AVCodecContext> decoder(avcodec_alloc_context3(codec));
  require(decoder != nullptr, path);
  require(avcodec_parameters_to_context(decoder.get(), input.stream->codecpar) >= 0, path);
  decoder->thread_count = 1;
  decoder->flags |= AV_CODEC_FLAG_UNALIGNED;  // Pictures are cropped at their left, too.
  require(avcodec_open2(decoder.get(), codec, nullptr) >= 0, path);
  const LibavPointer<AVPacket> packet(av_packet_alloc());
  const LibavPointer<AVFrame> frame(av_frame_alloc());
  require(packet && frame, path);
  std::vector<std::string> pictures;
  const auto receive = [&] {
    while (avcodec_receive_frame(decoder.get(), frame.get()) >= 0) {
      if (pictures.size() < most) pictures.push_back(samples_of(*frame, path));
    }
  };
  while (pictures.size() < most && input.next(*packet)) {
    require(avcodec_send_packet(decoder.get(), packet.get()) >= 0, path);
    receive();
  }
  require(avcodec_send_packet(decoder.get(), nullptr) >= 0, path);
  receive();
  return pictures;
}

}  // namespace millrace::tools
