// SPDX-License-Identifier: Apache-2.0

// Tests the C interface of captures with H.264 over RTP.
#include <millrace/algorithms/h264/rtp/made_packets.h>
#include <millrace/bindings/c/expect_rejected.h>
#include <millrace/c/millrace.h>
#include <millrace/tests/end_to_end/made_capture.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

// Programs were compiled with this size, and bindings/python/millrace/_library.py repeats it.
static_assert(sizeof(millrace_h264_captured_stream) == 104);

// 12 frames of 64x64 luma samples, with an IDR picture at least every 8 (tests/test_data/BUILD).
constexpr char kStream[] = "tests/test_data/streams/testsrc2_64x64.264";
constexpr std::size_t kFrames = 12;

std::string read_stream() {
  std::ifstream file(kStream, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string write_file(const std::string& name, const std::string& bytes) {
  std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

// A capture of two streams, with the SSRCs 0x11223344 and 5, whose packets take turns.
std::string two_streams() {
  const std::string stream = read_stream();
  const auto first = millrace::end_to_end::packets_of(stream);
  const auto second = millrace::end_to_end::packets_of(stream, 5);
  std::vector<millrace::h264::PacketBytes> packets;
  for (std::size_t i = 0; i < first.size(); ++i) {
    packets.push_back(first[i]);
    packets.push_back(second[i]);
  }
  return write_file("two.pcap", millrace::end_to_end::pcap_of(packets));
}

std::string name_of(millrace_h264_capture* capture, std::size_t index) {
  millrace_h264_captured_stream stream{};
  stream.size = sizeof(stream);
  EXPECT_EQ(millrace_h264_capture_describe(capture, index, &stream), MILLRACE_OK);
  return stream.name;
}

// Returns the sum of the frames' bytes, and their number.
std::size_t take_frames(millrace_h264_stream* stream, std::int64_t& bytes) {
  std::size_t count = 0;
  bytes = 0;
  while (true) {
    millrace_h264_frame* frame = nullptr;
    EXPECT_EQ(millrace_h264_next(stream, &frame), MILLRACE_OK) << millrace_error_message();
    if (frame == nullptr) return count;
    millrace_h264_frame_info info{};
    info.size = sizeof(info);
    EXPECT_EQ(millrace_h264_frame_get(frame, &info), MILLRACE_OK);
    bytes += info.bytes;
    ++count;
    EXPECT_EQ(millrace_h264_frame_free(frame), MILLRACE_OK);
  }
}

TEST(H264CaptureTest, StreamsOutliveTheCaptureAndHaveAllFrames) {
  const std::string path = two_streams();
  std::int32_t is_capture = 0;
  EXPECT_EQ(millrace_h264_is_capture(path.c_str(), &is_capture), MILLRACE_OK);
  EXPECT_EQ(is_capture, 1);
  millrace_h264_capture* capture = nullptr;
  ASSERT_EQ(millrace_h264_capture_open(path.c_str(), nullptr, &capture), MILLRACE_OK)
      << millrace_error_message();
  std::size_t count = 0;
  EXPECT_EQ(millrace_h264_capture_size(capture, &count), MILLRACE_OK);
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(name_of(capture, 0), "10.0.0.1:5004/0x11223344");
  EXPECT_EQ(name_of(capture, 1), "10.0.0.1:5004/0x00000005");
  millrace_h264_stream* streams[2] = {};
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(millrace_h264_open_captured(capture, i, nullptr, &streams[i]), MILLRACE_OK);
  }
  EXPECT_EQ(millrace_h264_capture_close(capture), MILLRACE_OK);
  std::int64_t units_bytes = 0;
  for (const auto& unit : millrace::end_to_end::units_of(read_stream())) {
    units_bytes += static_cast<std::int64_t>(unit.size()) + 4;
  }
  for (millrace_h264_stream* const stream : streams) {
    std::int64_t bytes = 0;
    EXPECT_EQ(take_frames(stream, bytes), kFrames);
    EXPECT_EQ(bytes, units_bytes);
    std::int64_t lost = -1;
    EXPECT_EQ(millrace_h264_lost_packets(stream, &lost), MILLRACE_OK);
    EXPECT_EQ(lost, 0);
    EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
  }
}

TEST(H264CaptureTest, ANamedStreamIsTheOnlyOne) {
  const std::string path = two_streams() + "#10.0.0.1:5004/0x00000005";
  std::int32_t is_capture = 0;
  EXPECT_EQ(millrace_h264_is_capture(path.c_str(), &is_capture), MILLRACE_OK);
  EXPECT_EQ(is_capture, 1);
  millrace_h264_capture* capture = nullptr;
  ASSERT_EQ(millrace_h264_capture_open(path.c_str(), nullptr, &capture), MILLRACE_OK);
  std::size_t count = 0;
  EXPECT_EQ(millrace_h264_capture_size(capture, &count), MILLRACE_OK);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(name_of(capture, 0), "10.0.0.1:5004/0x00000005");
  EXPECT_EQ(millrace_h264_capture_close(capture), MILLRACE_OK);
}

TEST(H264CaptureTest, LostPacketsAreCounted) {
  auto packets = millrace::end_to_end::packets_of(read_stream());
  packets.erase(packets.begin() + static_cast<std::ptrdiff_t>(packets.size() / 2));
  const std::string path = write_file("gap.pcap", millrace::end_to_end::pcap_of(packets));
  millrace_h264_capture* capture = nullptr;
  ASSERT_EQ(millrace_h264_capture_open(path.c_str(), nullptr, &capture), MILLRACE_OK);
  millrace_h264_stream* stream = nullptr;
  ASSERT_EQ(millrace_h264_open_captured(capture, 0, nullptr, &stream), MILLRACE_OK);
  std::int64_t bytes = 0;
  take_frames(stream, bytes);
  std::int64_t lost = 0;
  EXPECT_EQ(millrace_h264_lost_packets(stream, &lost), MILLRACE_OK);
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
  EXPECT_EQ(millrace_h264_capture_close(capture), MILLRACE_OK);
}

TEST(H264CaptureTest, OtherFilesAreNoCaptures) {
  const std::string fifo = testing::TempDir() + "fifo.pcap";
  ::mkfifo(fifo.c_str(), 0600);
  for (const std::string& path : {std::string(kStream), std::string("no/such.pcap"),
                                  testing::TempDir(), write_file("none.pcap", ""), fifo}) {
    std::int32_t is_capture = 1;
    EXPECT_EQ(millrace_h264_is_capture(path.c_str(), &is_capture), MILLRACE_OK);
    EXPECT_EQ(is_capture, 0) << path;
  }
  millrace_h264_capture* capture = nullptr;
  EXPECT_REJECTED(millrace_h264_capture_open(fifo.c_str(), nullptr, &capture), MILLRACE_IO,
                  "is no regular file; copy the capture into one");
  EXPECT_REJECTED(millrace_h264_capture_open("no/such.pcap", nullptr, &capture), MILLRACE_IO,
                  "no/such.pcap cannot be opened");
}

TEST(H264CaptureTest, WrongCallsAreRejected) {
  const std::string path = two_streams();
  millrace_h264_stream* stream = nullptr;
  EXPECT_REJECTED(millrace_h264_open(path.c_str(), nullptr, &stream), MILLRACE_UNSUPPORTED,
                  "is a capture; open it by millrace_h264_capture_open, which finds its streams");
  millrace_h264_capture* capture = nullptr;
  EXPECT_REJECTED(millrace_h264_capture_open((path + "#x").c_str(), nullptr, &capture),
                  MILLRACE_INVALID_ARGUMENT, "has no stream 'x'; write ");
  EXPECT_REJECTED(millrace_h264_capture_open(path.c_str(), "no.sdp", &capture), MILLRACE_IO,
                  "no.sdp cannot be read");
  ASSERT_EQ(millrace_h264_capture_open(path.c_str(), nullptr, &capture), MILLRACE_OK);
  EXPECT_REJECTED(millrace_h264_open_captured(capture, 2, nullptr, &stream),
                  MILLRACE_INVALID_ARGUMENT,
                  "index is 2; the capture has 2 streams, counted from 0");
  ASSERT_EQ(millrace_h264_open_captured(capture, 0, nullptr, &stream), MILLRACE_OK);
  const std::uint8_t unit[] = {9, 16};
  EXPECT_REJECTED(millrace_h264_push(stream, unit, 2, 4), MILLRACE_INVALID_ARGUMENT,
                  "the stream reads " + path + "#10.0.0.1:5004/0x11223344");
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
  EXPECT_EQ(millrace_h264_capture_close(capture), MILLRACE_OK);
  EXPECT_REJECTED(millrace_h264_open_captured(capture, 0, nullptr, &stream),
                  MILLRACE_INVALID_ARGUMENT, "capture is a handle that was freed");
}

}  // namespace
