// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/h264/made_streams.h>

extern "C" {
#include <libavutil/opt.h>
}

#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/splitmix64.h>
#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/video_reader.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

namespace millrace::tools {
namespace {

constexpr int kTexture = 512;  // Samples of its width and height; it repeats.

// Noise at several scales, as pictures have: half the amplitude at half the scale.
std::vector<float> make_texture(std::uint64_t seed) {
  std::vector<float> texture(kTexture * kTexture, 128.0F);
  SplitMix64 random(seed);
  float amplitude = 48;
  for (int step = 64; step >= 2; step /= 2, amplitude /= 2) {
    const int nodes = kTexture / step;
    std::vector<float> values(static_cast<std::size_t>(nodes) * nodes);
    for (float& value : values) {
      value = amplitude * (static_cast<float>(random.next() >> 40) * 0x1p-23F - 1);
    }
    const auto at = [&](int x, int y) { return values[y % nodes * nodes + x % nodes]; };
    for (int y = 0; y < kTexture; ++y) {
      for (int x = 0; x < kTexture; ++x) {
        const float fx = static_cast<float>(x % step) / static_cast<float>(step);
        const float fy = static_cast<float>(y % step) / static_cast<float>(step);
        const float top = std::lerp(at(x / step, y / step), at(x / step + 1, y / step), fx);
        const float below =
            std::lerp(at(x / step, y / step + 1), at(x / step + 1, y / step + 1), fx);
        texture[y * kTexture + x] += std::lerp(top, below, fy);
      }
    }
  }
  return texture;
}

// Returns the texture at a position between samples.
float sample(const std::vector<float>& texture, float x, float y) {
  const float left = std::floor(x);
  const float top = std::floor(y);
  const auto at = [&](int dx, int dy) {
    const auto column = static_cast<unsigned>(static_cast<int>(left) + dx) % kTexture;
    const auto row = static_cast<unsigned>(static_cast<int>(top) + dy) % kTexture;
    return texture[row * kTexture + column];
  };
  return std::lerp(std::lerp(at(0, 0), at(1, 0), x - left), std::lerp(at(0, 1), at(1, 1), x - left),
                   y - top);
}

// A background that pans and a disc of another texture that crosses it, with the noise of a camera.
void draw(const std::vector<float>& back, const std::vector<float>& front, int picture,
          SplitMix64& random, AVFrame& frame) {
  const auto time = static_cast<float>(picture);
  for (int plane = 0; plane < 3; ++plane) {
    const int shift = plane == 0 ? 0 : 1;
    const int width = frame.width >> shift;
    const int height = frame.height >> shift;
    const auto scale = static_cast<float>(1 << shift);
    const float radius = 0.3F * static_cast<float>(height);
    const float centre_x = static_cast<float>(width) * (0.5F + 0.3F * std::sin(0.05F * time));
    const float centre_y = static_cast<float>(height) * 0.5F;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const float dx = static_cast<float>(x) - centre_x;
        const float dy = static_cast<float>(y) - centre_y;
        const bool is_front = dx * dx + dy * dy < radius * radius;
        const float value = is_front ? sample(front, scale * dx, scale * dy + 0.3F * time)
                                     : sample(back, scale * static_cast<float>(x) + 1.7F * time,
                                              scale * static_cast<float>(y) + 0.6F * time);
        const float noise = static_cast<float>(random.next() >> 61) * 0.5F - 1.75F;
        const float level = plane == 0 ? value + noise : 128 + (value - 128) / 4;
        frame.data[plane][y * frame.linesize[plane] + x] =
            static_cast<std::uint8_t>(std::clamp(level, 16.0F, 235.0F));
      }
    }
  }
}

void require(int code, const char* what) {
  if (code >= 0) return;
  throw Error(ErrorCode::kUnsupported, std::string(what) + ' ' + libav_reason(code));
}

LibavPointer<AVCodecContext> open_encoder(const StreamSettings& settings) {
  const AVCodec* const codec = avcodec_find_encoder_by_name("libx264");
  if (codec == nullptr) {
    throw Error(ErrorCode::kUnsupported,
                "the linked libavcodec has no libx264, which makes the streams; give the file of a "
                "byte stream as input");
  }
  LibavPointer<AVCodecContext> encoder(avcodec_alloc_context3(codec));
  encoder->width = settings.width;
  encoder->height = settings.height;
  encoder->pix_fmt = AV_PIX_FMT_YUV420P;
  encoder->time_base = {1, settings.frames_per_second};
  encoder->framerate = {settings.frames_per_second, 1};
  encoder->bit_rate = settings.bits_per_second;
  encoder->thread_count = 1;
  const std::string parameters = std::string("log=-1:cabac=") + (settings.is_cabac ? "1" : "0");
  void* const options = encoder->priv_data;
  av_opt_set(options, "preset", settings.width > 1000 ? "veryfast" : "medium", 0);
  av_opt_set(options, "profile", settings.profile, 0);
  av_opt_set(options, "x264-params", parameters.c_str(), 0);
  require(avcodec_open2(encoder.get(), codec, nullptr), "cannot open libx264");
  return encoder;
}

void receive(AVCodecContext& encoder, AVPacket& packet, std::vector<std::uint8_t>& stream) {
  for (;;) {
    const int code = avcodec_receive_packet(&encoder, &packet);
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
    require(code, "libx264 cannot encode");
    stream.insert(stream.end(), packet.data, packet.data + packet.size);
    av_packet_unref(&packet);
  }
}

// Draws a picture of the stream into the frame; false where there is none.
using DrawPicture = std::function<bool(int picture, AVFrame& frame)>;

std::vector<std::uint8_t> encode(const StreamSettings& settings, int pictures,
                                 const DrawPicture& draw_picture) {
  const LibavPointer<AVCodecContext> encoder = open_encoder(settings);
  const LibavPointer<AVPacket> packet(av_packet_alloc());
  const LibavPointer<AVFrame> frame(av_frame_alloc());
  frame->format = encoder->pix_fmt;
  frame->width = settings.width;
  frame->height = settings.height;
  require(av_frame_get_buffer(frame.get(), 0), "no memory for a picture");
  std::vector<std::uint8_t> stream;
  for (int picture = 0; picture < pictures; ++picture) {
    require(av_frame_make_writable(frame.get()), "no memory for a picture");
    if (!draw_picture(picture, *frame)) break;
    frame->pts = picture;
    require(avcodec_send_frame(encoder.get(), frame.get()), "libx264 cannot encode");
    receive(*encoder, *packet, stream);
  }
  require(avcodec_send_frame(encoder.get(), nullptr), "libx264 cannot encode");
  receive(*encoder, *packet, stream);
  return stream;
}

// Returns the stream whose rate is nearest to that of the settings. libx264 gives a short stream
// fewer bits than it may have, so it encodes again at a rate changed by the ratio; between two
// rates that were tried if one was too low and the other too high. `open` returns a source that
// begins with the first picture.
std::vector<std::uint8_t> encode_at_rate(const StreamSettings& settings, int pictures,
                                         const std::function<DrawPicture()>& open) {
  constexpr int kAttempts = 8;
  constexpr double kTolerance = 0.02;
  StreamSettings tried = settings;
  std::vector<std::uint8_t> nearest;
  double least_error = 0;
  double too_low = 0;     // The highest of the tried rates that were too low.
  double too_high = 1e9;  // The lowest of those that were too high.
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    int encoded = 0;
    const DrawPicture draw_picture = open();
    std::vector<std::uint8_t> stream = encode(tried, pictures, [&](int picture, AVFrame& frame) {
      const bool is_drawn = draw_picture(picture, frame);
      encoded += is_drawn ? 1 : 0;
      return is_drawn;
    });
    const double seconds = static_cast<double>(encoded) / settings.frames_per_second;
    const double ratio =
        8 * static_cast<double>(stream.size()) / (seconds * settings.bits_per_second);
    const double error = std::abs(std::log(ratio));
    if (attempt == 0 || error < least_error) {
      nearest = std::move(stream);
      least_error = error;
    }
    if (least_error < kTolerance) break;
    const double rate = tried.bits_per_second;
    (ratio > 1 ? too_high : too_low) =
        ratio > 1 ? std::min(too_high, rate) : std::max(too_low, rate);
    double next = rate / std::clamp(ratio, 0.25, 4.0);
    if (next <= too_low || next >= too_high) next = std::sqrt(too_low * too_high);
    tried.bits_per_second = static_cast<int>(next);
  }
  return nearest;
}

// Writes the centre of the picture, each sample the mean of `step` x `step` samples.
void shrink(const Picture& picture, int step, AVFrame& frame) {
  for (int plane = 0; plane < Picture::kPlanes; ++plane) {
    const int shift = plane == 0 ? 0 : 1;
    const int width = frame.width >> shift;
    const int height = frame.height >> shift;
    const ConstPicturePlane from = picture.plane(plane);
    const int left = (from.width - step * width) / 2;
    const int top = (from.height - step * height) / 2;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        int sum = step * step / 2;
        for (int dy = 0; dy < step; ++dy) {
          const std::uint8_t* const row = from.row(top + step * y + dy) + left + step * x;
          sum = std::accumulate(row, row + step, sum);
        }
        frame.data[plane][y * frame.linesize[plane] + x] =
            static_cast<std::uint8_t>(sum / (step * step));
      }
    }
  }
}

}  // namespace

const std::vector<StreamSettings>& made_streams() {
  static const std::vector<StreamSettings> streams = {
      {"1080p-cavlc", 1920, 1080, 25, 12'000'000, "high", false},
      {"1080p-cabac", 1920, 1080, 25, 12'000'000, "high", true},
      {"cif-cavlc", 352, 288, 25, 1'500'000, "main", false},
      {"cif-cabac", 352, 288, 25, 1'500'000, "main", true},
      {"cif-300k-baseline", 352, 288, 25, 300'000, "baseline", false},
      {"cif-300k-main", 352, 288, 25, 300'000, "main", true},
      {"qcif-64k-baseline", 176, 144, 15, 64'000, "baseline", false},
      {"qcif-64k-main", 176, 144, 15, 64'000, "main", true},
  };
  return streams;
}

std::vector<std::uint8_t> make_stream(const StreamSettings& settings, int pictures) {
  const std::vector<float> back = make_texture(1);
  const std::vector<float> front = make_texture(2);
  return encode_at_rate(settings, pictures, [&] {
    return [&, random = SplitMix64(3)](int picture, AVFrame& frame) mutable {
      draw(back, front, picture, random, frame);
      return true;
    };
  });
}

std::vector<std::uint8_t> encode_clip(const StreamSettings& settings, const std::string& clip,
                                      int pictures) {
  return encode_at_rate(settings, pictures, [&]() -> DrawPicture {
    const auto reader = std::make_shared<VideoReader>(clip);
    const int step = std::min(reader->width() / settings.width, reader->height() / settings.height);
    if (step == 0) {
      reject(clip + " is " + std::to_string(reader->width()) + "x" +
             std::to_string(reader->height()) + "; give a clip of " +
             std::to_string(settings.width) + "x" + std::to_string(settings.height) +
             " or more for " + settings.name);
    }
    const FrameRate rate = reader->frame_rate();
    const auto read = std::make_shared<Picture>();
    // `next` is the picture of the clip that is read next.
    return [=, &settings, next = std::int64_t{0}](int picture, AVFrame& frame) mutable {
      const std::int64_t wanted = std::int64_t{picture} * rate.numerator /
                                  (std::int64_t{rate.denominator} * settings.frames_per_second);
      for (; next <= wanted; ++next) {
        if (!reader->next(*read)) return false;
      }
      shrink(*read, step, frame);
      return true;
    };
  });
}

}  // namespace millrace::tools
