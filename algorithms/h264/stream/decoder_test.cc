// SPDX-License-Identifier: Apache-2.0

// The order in which a decoder calls its caller's functions, with a thread and without.
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/testing/seed_streams.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace millrace::h264 {
namespace {

class DecoderTest : public testing::TestWithParam<bool> {};

// The streams have B pictures, several slices, and gaps in frame_num.
TEST_P(DecoderTest, PreparesPicturesInDecodingOrderOnTheThreadThatPushes) {
  for (const char* const name : {"main_cabac", "baseline_slices", "gaps"}) {
    SCOPED_TRACE(name);
    const std::thread::id pusher = std::this_thread::get_id();
    std::vector<std::int64_t> prepared;
    std::vector<std::int64_t> reconstructed;
    DecoderOptions options = {.has_thread = GetParam()};
    options.prepare = [&](const ParsedPicture& picture) {
      EXPECT_EQ(std::this_thread::get_id(), pusher);
      prepared.push_back(picture.id);
    };
    options.reconstruct = [&](const ParsedPicture& picture, const FindPicture&, SamplePicture&) {
      reconstructed.push_back(picture.id);
    };
    Decoder decoder([](const DecodedFrame&) {}, options);
    push_stream(seed_stream(name), decoder);
    EXPECT_GT(prepared.size(), 1U);
    EXPECT_TRUE(std::ranges::is_sorted(prepared));
    EXPECT_EQ(prepared, reconstructed);
  }
}

TEST_P(DecoderTest, HasDoneAllOfThePicturesBeforeWhenPreparationHasWaited) {
  std::vector<std::string> calls;  // Needs no lock: wait() orders the threads.
  DecoderOptions options = {.has_thread = GetParam()};
  Decoder* waiting = nullptr;
  options.prepare = [&](const ParsedPicture& picture) {
    waiting->wait();
    calls.push_back("prepare " + std::to_string(picture.id));
  };
  options.reconstruct = [&](const ParsedPicture& picture, const FindPicture&, SamplePicture&) {
    calls.push_back("reconstruct " + std::to_string(picture.id));
  };
  Decoder decoder(
      [&](const DecodedFrame& frame) { calls.push_back("take " + std::to_string(frame.picture)); },
      options);
  waiting = &decoder;
  push_stream(seed_stream("baseline"), decoder);  // Frames are output as they are decoded.
  ASSERT_GT(calls.size(), 6U);
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < calls.size() / 3; ++i) {
    for (const char* const call : {"prepare ", "reconstruct ", "take "}) {
      expected.push_back(call + std::to_string(i));
    }
  }
  EXPECT_EQ(calls, expected);
}

TEST_P(DecoderTest, ThrowsWhatPreparationThrows) {
  DecoderOptions options = {.has_thread = GetParam()};
  options.prepare = [](const ParsedPicture& picture) {
    if (picture.id == 1) throw std::runtime_error("picture 1");
  };
  int taken = 0;
  Decoder decoder([&](const DecodedFrame&) { ++taken; }, options);
  EXPECT_THROW(push_stream(seed_stream("baseline"), decoder), std::runtime_error);
  decoder.wait();
  EXPECT_LE(taken, 1);
}

INSTANTIATE_TEST_SUITE_P(, DecoderTest, testing::Bool(), [](const auto& info) {
  return info.param ? "WithAThread" : "WithoutAThread";
});

}  // namespace
}  // namespace millrace::h264
