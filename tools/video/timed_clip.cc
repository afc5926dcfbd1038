// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/made_clips.h>
#include <millrace/tools/video/timed_clip.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace millrace::tools {
namespace {

constexpr AVRational kSoundClock = {1, 8000};

AVRational rational(const TimeBase& clock) { return {clock.numerator, clock.denominator}; }

void require(bool is_done, const std::string& path) {
  if (!is_done) throw std::runtime_error(path + ": libavformat failed");
}

struct Frames {
  std::string parameter_sets;
  std::vector<std::string> packets;
};

// Returns one packet a picture, each a slice with its start code.
Frames h264_frames(std::size_t count) {
  const std::string stream = h264_bytes({.frames = static_cast<int>(count)});
  const std::string code("\0\0\0\1", 4);
  Frames frames;
  for (std::size_t begin = 0; begin < stream.size();) {
    const std::size_t end = std::min(stream.find(code, begin + 1), stream.size());
    const std::string unit = stream.substr(begin, end - begin);
    const int type = unit[4] & 31;
    if (type == 7 || type == 8) {
      frames.parameter_sets += unit;
    } else {
      frames.packets.push_back(unit);
    }
    begin = end;
  }
  return frames;
}

// Pictures are brighter to the right, and from each cut on to the other side.
Frames raw_frames(std::size_t count, const std::vector<int>& cuts) {
  Frames frames;
  bool is_mirrored = false;
  for (int frame = 0; frame < static_cast<int>(count); ++frame) {
    if (std::ranges::count(cuts, frame) > 0) is_mirrored = !is_mirrored;
    std::string samples;
    for (int y = 0; y < kMadeH264Height; ++y) {
      for (int x = 0; x < kMadeH264Width; ++x) {
        samples += static_cast<char>(20 + 3 * (is_mirrored ? kMadeH264Width - 1 - x : x));
      }
    }
    samples += std::string(std::size_t{kMadeH264Width} * kMadeH264Height / 2, '\x80');
    frames.packets.push_back(samples);
  }
  return frames;
}

AVStream* add_video(AVFormatContext& file, const TimedClip& clip, const Frames& frames) {
  AVStream* const stream = avformat_new_stream(&file, nullptr);
  if (stream == nullptr) return nullptr;
  AVCodecParameters& parameters = *stream->codecpar;
  parameters.codec_type = AVMEDIA_TYPE_VIDEO;
  parameters.codec_id = clip.cuts.empty() ? AV_CODEC_ID_H264 : AV_CODEC_ID_RAWVIDEO;
  if (!clip.cuts.empty()) parameters.codec_tag = MKTAG('I', '4', '2', '0');
  parameters.format = AV_PIX_FMT_YUV420P;
  parameters.width = kMadeH264Width;
  parameters.height = kMadeH264Height;
  const std::string& sets = frames.parameter_sets;
  parameters.extradata =
      static_cast<std::uint8_t*>(av_mallocz(sets.size() + AV_INPUT_BUFFER_PADDING_SIZE));
  if (parameters.extradata == nullptr) return nullptr;
  std::memcpy(parameters.extradata, sets.data(), sets.size());
  parameters.extradata_size = static_cast<int>(sets.size());
  stream->time_base = rational(clip.clock);
  return stream;
}

AVStream* add_sound(AVFormatContext& file) {
  AVStream* const stream = avformat_new_stream(&file, nullptr);
  if (stream == nullptr) return nullptr;
  AVCodecParameters& parameters = *stream->codecpar;
  parameters.codec_type = AVMEDIA_TYPE_AUDIO;
  parameters.codec_id = AV_CODEC_ID_PCM_S16LE;
  parameters.format = AV_SAMPLE_FMT_S16;
  parameters.sample_rate = kSoundClock.den;
  parameters.bits_per_coded_sample = 16;
  parameters.block_align = 2;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
  av_channel_layout_default(&parameters.ch_layout, 1);
#else
  parameters.channels = 1;
#endif
  stream->time_base = kSoundClock;
  return stream;
}

// A packet of one stream of a file that is written.
struct Written {
  const AVStream* stream;
  AVRational clock;
  std::int64_t time;
  std::int64_t duration;
  bool is_key;
};

void write_packet(AVFormatContext& file, const std::string& bytes, const Written& written,
                  const std::string& path) {
  const LibavPointer<AVPacket> packet(av_packet_alloc());
  require(packet && av_new_packet(packet.get(), static_cast<int>(bytes.size())) >= 0, path);
  std::ranges::copy(bytes, packet->data);
  packet->stream_index = written.stream->index;
  packet->pts = packet->dts = written.time;
  packet->duration = written.duration;
  if (written.is_key) packet->flags |= AV_PKT_FLAG_KEY;
  av_packet_rescale_ts(packet.get(), written.clock, written.stream->time_base);
  require(av_interleaved_write_frame(&file, packet.get()) >= 0, path);
}

std::int64_t whole_ticks(std::int64_t time, AVRational from, AVRational to) {
  const std::int64_t ticks = av_rescale_q(time, from, to);
  if (av_compare_ts(ticks, to, time, from) != 0) {
    throw std::runtime_error("a time of " + std::to_string(time) + " * " +
                             std::to_string(from.num) + "/" + std::to_string(from.den) +
                             " s is between two ticks");
  }
  return ticks;
}

}  // namespace

void write_timed_clip(const std::string& path, const TimedClip& clip) {
  keep_libav_errors();
  const Frames frames =
      clip.cuts.empty() ? h264_frames(clip.times.size()) : raw_frames(clip.times.size(), clip.cuts);
  AVFormatContext* file = nullptr;
  require(avformat_alloc_output_context2(&file, nullptr, nullptr, path.c_str()) >= 0, path);
  const std::unique_ptr<AVFormatContext, void (*)(AVFormatContext*)> owned(
      file, [](AVFormatContext* context) {
        avio_closep(&context->pb);
        avformat_free_context(context);
      });
  const AVStream* const video = add_video(*file, clip, frames);
  const AVStream* const sound = clip.has_sound ? add_sound(*file) : nullptr;
  require(video != nullptr && (sound != nullptr || !clip.has_sound), path);
  require(avio_open(&file->pb, path.c_str(), AVIO_FLAG_WRITE) >= 0, path);
  // Times are those given, also where none is 0.
  file->avoid_negative_ts = AVFMT_AVOID_NEG_TS_MAKE_NON_NEGATIVE;
  require(avformat_write_header(file, nullptr) >= 0, path);
  if (sound != nullptr) {
    write_packet(*file, std::string(800, '\0'), {sound, kSoundClock, 0, 400, true}, path);
  }
  for (std::size_t i = 0; i < clip.times.size(); ++i) {
    const std::int64_t duration =
        i + 1 < clip.times.size() ? clip.times[i + 1] - clip.times[i] : clip.last_duration;
    const bool is_key = !clip.cuts.empty() || i % static_cast<std::size_t>(MadeH264().key) == 0;
    write_packet(*file, frames.packets.at(i),
                 {video, rational(clip.clock), clip.times[i], duration, is_key}, path);
  }
  require(av_write_trailer(file) >= 0, path);
}

std::vector<PictureTime> packet_times(const std::string& path, const TimeBase& clock) {
  keep_libav_errors();
  AVFormatContext* opened = nullptr;
  require(avformat_open_input(&opened, path.c_str(), nullptr, nullptr) >= 0, path);
  const LibavPointer<AVFormatContext> file(opened);
  require(avformat_find_stream_info(opened, nullptr) >= 0, path);
  const int index = av_find_best_stream(opened, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  require(index >= 0, path);
  const AVRational own = opened->streams[index]->time_base;
  const LibavPointer<AVPacket> packet(av_packet_alloc());
  require(packet != nullptr, path);
  std::vector<PictureTime> times;
  while (av_read_frame(opened, packet.get()) >= 0) {
    if (packet->stream_index == index) {
      times.push_back({whole_ticks(packet->pts, own, rational(clock)),
                       av_rescale_q(packet->duration, own, rational(clock))});
    }
    av_packet_unref(packet.get());
  }
  return times;
}

std::vector<std::int64_t> begins_of(const std::vector<PictureTime>& times) {
  std::vector<std::int64_t> begins;
  for (const PictureTime& time : times) begins.push_back(time.begin);
  return begins;
}

}  // namespace millrace::tools
