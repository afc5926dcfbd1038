// SPDX-License-Identifier: Apache-2.0

// Clips whose damage FFmpeg's threads neither log nor mark: they are read again by one thread.
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/canvas/rgb_canvas.h>
#include <millrace/tools/video/decoder/clip_decoder.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/made_clips.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/video_reader_test.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

constexpr int kThreads[] = {2, 3, 16};
constexpr int kFrames = 40;
constexpr AVRational kFrame = {1, 25};

class DecodingDoubtTest : public VideoReaderTest {
 protected:
  // Returns the number of frames before the decoder is in doubt; -1 if it is not.
  static int frames_before_doubt(const std::string& clip, int threads) {
    ClipDecoder decoder(std::make_unique<ClipInput>(clip), threads);
    int frames = 0;
    while (decoder.next() != nullptr) ++frames;
    return decoder.is_in_doubt() ? frames : -1;
  }

  static void expect_damage(const std::string& clip, int frame) {
    const std::string expected = "damaged at frame " + std::to_string(frame) + ' ';
    for (const int threads : {1, 2, 3, 16}) {
      const std::string error = error_of(clip, ErrorCode::kIo, {.threads = threads});
      EXPECT_TRUE(error.starts_with(expected)) << error << ", " << threads << " threads";
    }
    for (const int threads : kThreads) {
      const int frames = frames_before_doubt(clip, threads);
      EXPECT_GE(frames, 0) << threads << " threads";
      EXPECT_LE(frames, frame) << threads << " threads";
    }
  }
};

void require(bool is_done) {
  if (!is_done) throw std::runtime_error("libav failed");
}

// Returns packets of HuffYUV, one a frame; none if FFmpeg has no encoder for it.
std::vector<LibavPointer<AVPacket>> huffyuv_packets(LibavPointer<AVCodecContext>& encoder) {
  const AVCodec* const codec = avcodec_find_encoder(AV_CODEC_ID_HUFFYUV);
  if (codec == nullptr) return {};
  encoder.reset(avcodec_alloc_context3(codec));
  require(encoder != nullptr);
  encoder->width = 32;
  encoder->height = 16;
  encoder->pix_fmt = AV_PIX_FMT_YUV422P;
  encoder->time_base = kFrame;
  require(avcodec_open2(encoder.get(), codec, nullptr) >= 0);
  const LibavPointer<AVFrame> frame(av_frame_alloc());
  require(frame != nullptr);
  frame->width = encoder->width;
  frame->height = encoder->height;
  frame->format = encoder->pix_fmt;
  require(av_frame_get_buffer(frame.get(), 0) >= 0);
  std::vector<LibavPointer<AVPacket>> packets;
  for (int i = 0; i < kFrames; ++i) {
    require(av_frame_make_writable(frame.get()) >= 0);
    for (int plane = 0; plane < 3; ++plane) {
      const int width = plane == 0 ? frame->width : frame->width / 2;
      for (int y = 0; y < frame->height; ++y) {
        std::uint8_t* const row = frame->data[plane] + std::ptrdiff_t{y} * frame->linesize[plane];
        for (int x = 0; x < width; ++x) row[x] = made_luma(x, y, i);
      }
    }
    frame->pts = i;
    require(avcodec_send_frame(encoder.get(), frame.get()) >= 0);
    packets.emplace_back(av_packet_alloc());
    require(packets.back() && avcodec_receive_packet(encoder.get(), packets.back().get()) >= 0);
  }
  return packets;
}

// Writes HuffYUV whose packet `cut` has four bytes; false if FFmpeg has no encoder for it.
bool write_huffyuv(const std::string& path, std::size_t cut) {
  keep_libav_errors();
  LibavPointer<AVCodecContext> encoder;
  const std::vector<LibavPointer<AVPacket>> packets = huffyuv_packets(encoder);
  if (packets.empty()) return false;
  AVFormatContext* file = nullptr;
  require(avformat_alloc_output_context2(&file, nullptr, "matroska", nullptr) >= 0);
  AVStream* const stream = avformat_new_stream(file, nullptr);
  require(stream != nullptr);
  require(avcodec_parameters_from_context(stream->codecpar, encoder.get()) >= 0);
  stream->time_base = kFrame;
  require(avio_open(&file->pb, path.c_str(), AVIO_FLAG_WRITE) >= 0);
  require(avformat_write_header(file, nullptr) >= 0);
  for (std::size_t i = 0; i < packets.size(); ++i) {
    AVPacket* const packet = packets[i].get();
    if (i == cut) av_shrink_packet(packet, 4);
    packet->duration = 1;
    av_packet_rescale_ts(packet, kFrame, stream->time_base);
    require(av_write_frame(file, packet) >= 0);
  }
  require(av_write_trailer(file) >= 0);
  avio_closep(&file->pb);
  avformat_free_context(file);
  return true;
}

// HuffYUV's decoder returns an error and says nothing. With threads that comes with a later packet,
// behind frames that follow the damage.
TEST_F(DecodingDoubtTest, ACodeForALaterPacketRaisesIt) {
  if (!write_huffyuv(path("a.mkv"), 16)) GTEST_SKIP() << "SKIPPED: no encoder of HuffYUV";
  expect_damage(path("a.mkv"), 16);
}

// The code of a packet near the end comes once all packets are sent.
TEST_F(DecodingDoubtTest, SoDoesACodeBehindTheLastPacket) {
  if (!write_huffyuv(path("a.mkv"), kFrames - 1)) {
    GTEST_SKIP() << "SKIPPED: no encoder of HuffYUV";
  }
  expect_damage(path("a.mkv"), kFrames - 1);
}

// Nothing reports a slice that is missing from a field, so threads decode no fields at all.
TEST_F(DecodingDoubtTest, FieldsRaiseIt) {
  for (const std::vector<int>& cut : {std::vector<int>{}, {23}}) {
    const std::string clip =
        put("a.h264", h264_bytes({.frames = kFrames, .has_fields = true, .cut_fields = cut}));
    EXPECT_EQ(read_through(clip, {.threads = 1}), "40");
    for (const int threads : kThreads) {
      EXPECT_EQ(frames_before_doubt(clip, threads), 0) << threads << " threads";
    }
  }
}

// Returns the frames of a clip by as many threads, as sums of their luma.
std::vector<int> sums_of(const std::string& clip, int threads) {
  VideoReader reader(clip, {.threads = threads});
  Picture picture;
  std::vector<int> sums;
  while (reader.next(picture)) {
    int& sum = sums.emplace_back(0);
    const PicturePlane luma = picture.plane(0);
    for (int y = 0; y < luma.height; ++y) {
      for (int x = 0; x < luma.width; ++x) sum += luma.row(y)[x];
    }
  }
  return sums;
}

TEST_F(DecodingDoubtTest, FieldsHaveTheSamplesOfOneThread) {
  const std::string clip =
      put("a.h264", h264_bytes({.frames = kFrames, .has_fields = true, .cut_fields = {23}}));
  const std::vector<int> expected = sums_of(clip, 1);
  EXPECT_EQ(expected.size(), static_cast<std::size_t>(kFrames));
  for (const int threads : kThreads) EXPECT_EQ(sums_of(clip, threads), expected) << threads;
}

std::vector<std::string> png_files() {
  std::vector<std::string> files;
  for (int i = 0; i < kFrames; ++i) {
    RgbCanvas canvas(32, 16);
    canvas.set(i % 32, 3, {255, 255, 255});
    std::ostringstream file;
    write_png(canvas, file);
    files.push_back(file.str());
  }
  return files;
}

// Threads take samples ahead of the frames that they return, and would count those that are empty
// before their time.
TEST_F(DecodingDoubtTest, AnEmptySampleRaisesIt) {
  constexpr int kEmpty = 6;
  const std::string clip = put(
      "a.mov",
      mov_bytes({.frames = kFrames, .empty = {kEmpty}, .coding = "png ", .samples = png_files()}));
  for (const int threads : {1, 2, 3, 16}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    VideoReader reader(clip, {.threads = threads});
    Picture picture;
    for (int i = 0; i < kEmpty; ++i) {
      ASSERT_TRUE(reader.next(picture));
      EXPECT_TRUE(reader.irregularities().empty()) << "frame " << i;
    }
    ASSERT_TRUE(reader.next(picture));
    EXPECT_EQ(reader.irregularities(),
              (std::vector<std::string>{
                  "1 empty sample skipped, for which players repeat the picture before"}));
  }
  for (const int threads : kThreads) {
    const int frames = frames_before_doubt(clip, threads);
    EXPECT_GE(frames, 0) << threads << " threads";
    EXPECT_LE(frames, kEmpty) << threads << " threads";
  }
}

}  // namespace
}  // namespace millrace::tools
