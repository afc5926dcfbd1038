// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/stream_path.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

bool is_a(const std::string& name) { return name == "a" || name == "a#b"; }

// A stream to 10.0.0.1:5004.
RtpStream stream_of(std::uint32_t ssrc, int source_port = 1) {
  RtpStream stream;
  stream.key.destination.bytes = {10, 0, 0, 1};
  stream.key.destination_port = 5004;
  stream.key.ssrc = ssrc;
  stream.key.source_port = source_port;
  return stream;
}

std::string message(const std::vector<RtpStream>& streams, const StreamPath& path) {
  try {
    find_stream(streams, path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "no error";
}

TEST(StreamPath, ANameIsBehindTheLastMark) {
  EXPECT_EQ(split_stream_path("a#10.0.0.1:5004/0x00000001", is_a).stream,
            "10.0.0.1:5004/0x00000001");
  EXPECT_EQ(split_stream_path("a#b#c", is_a).file, "a#b");
}

TEST(StreamPath, AFileOfThatNameIsWhole) {
  for (const char* const path : {"a", "a#b", "none#b", "none"}) {
    EXPECT_EQ(split_stream_path(path, is_a).file, path);
    EXPECT_EQ(split_stream_path(path, is_a).stream, "");
  }
}

TEST(StreamPath, AStreamIsFoundByItsName) {
  const std::vector<RtpStream> streams = {stream_of(1), stream_of(2)};
  EXPECT_EQ(find_stream(streams, {"a", streams[1].name()}), 1u);
  EXPECT_EQ(message(streams, {"a", "x"}),
            "a: has no stream 'x'; write a#10.0.0.1:5004/0x00000001, a#10.0.0.1:5004/0x00000002");
}

TEST(StreamPath, TwoSendersOfOneNameAreRejected) {
  const std::vector<RtpStream> streams = {stream_of(1, 1), stream_of(1, 2)};
  EXPECT_NE(message(streams, {"a", streams[0].name()}).find("each of another sender"),
            std::string::npos);
}

}  // namespace
}  // namespace millrace::h264
