// SPDX-License-Identifier: Apache-2.0

// Streams of all tools whose slices devices parse, a whole stream or many of them in one run: what
// one thread parses is expected, to the bit.
#include <millrace/algorithms/h264/entropy/tasks/parse_on.h>
#include <millrace/algorithms/h264/stream/testing/recorded_slices.h>
#include <millrace/algorithms/h264/stream/testing/seed_streams.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/test_data/test_data.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

using Bytes = std::vector<std::uint8_t>;

void expect_equal(const Macroblock& actual, const Macroblock& expected) {
  EXPECT_EQ(actual.type, expected.type);
  EXPECT_EQ(actual.has_8x8_transform, expected.has_8x8_transform);
  EXPECT_EQ(actual.coded_block_pattern, expected.coded_block_pattern);
  EXPECT_EQ(actual.qp, expected.qp);
  EXPECT_EQ(actual.intra_chroma_mode, expected.intra_chroma_mode);
  EXPECT_EQ(actual.slice, expected.slice);
  EXPECT_EQ(actual.coded_blocks, expected.coded_blocks);
  const auto expect_same = [](const auto& a, const auto& b, const char* name) {
    EXPECT_EQ(std::memcmp(&a, &b, sizeof(a)), 0) << name;
  };
  expect_same(actual.chroma_qp, expected.chroma_qp, "chroma_qp");
  expect_same(actual.intra_modes, expected.intra_modes, "intra_modes");
  expect_same(actual.sub_partitions, expected.sub_partitions, "sub_partitions");
  expect_same(actual.references, expected.references, "references");
  expect_same(actual.vectors, expected.vectors, "vectors");
  expect_same(actual.differences, expected.differences, "differences");
  expect_same(actual.bits, expected.bits, "bits");
}

void expect_equal(const ParsedPicture& actual, const ParsedPicture& expected) {
  ASSERT_EQ(actual.macroblocks.size(), expected.macroblocks.size());
  ASSERT_EQ(actual.coefficients.size(), expected.coefficients.size());
  for (std::size_t i = 0; i < expected.macroblocks.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "macroblock " << i);
    expect_equal(actual.macroblocks[i], expected.macroblocks[i]);
    const CoefficientView list = actual.coefficients.of(i);
    const CoefficientView expected_list = expected.coefficients.of(i);
    ASSERT_EQ(list.count, expected_list.count);
    EXPECT_TRUE(std::equal(list.begin(), list.end(), expected_list.begin()));
    if (testing::Test::HasFailure()) return;
  }
}

class ParseOnDevicesTest : public conformance::PolicyTest {
 protected:
  using Streams = std::vector<std::unique_ptr<RecordedSlices>>;

  // Has the device parse all slices of the streams in one run, `slices_a_warp` at a time.
  void expect_parsed_equally(const Streams& streams, int slices_a_warp = 0) {
    std::vector<ParsingJob> jobs;
    for (const auto& stream : streams) {
      jobs.insert(jobs.end(), stream->jobs().begin(), stream->jobs().end());
    }
    const ParsingResult result = parse_on(*queue, jobs, {{.policy = policy}, slices_a_warp});
    ASSERT_EQ(result.slices.size(), jobs.size());
    EXPECT_EQ(result.report.policy, policy);
    std::size_t job = 0;
    for (const auto& stream : streams) {
      for (const SliceEnd& end : stream->ends()) {
        SCOPED_TRACE(testing::Message() << "slice " << job);
        const ParsedSlice& slice = result.slices[job++];
        EXPECT_EQ(slice.macroblocks, end.macroblocks);
        EXPECT_EQ(slice.damage, end.damage == nullptr ? "" : end.damage);
        EXPECT_EQ(slice.bit, end.bit);
        EXPECT_EQ(slice.coefficients, end.coefficients);
      }
      for (const RecordedSlices::Picture* const picture : stream->pictures()) {
        SCOPED_TRACE(testing::Message() << "picture " << picture->parsed.id);
        expect_equal(*picture->again, picture->parsed);
        if (HasFailure()) return;
      }
    }
  }

  void expect_parsed_equally(const Bytes& stream, bool wants_coefficients = true) {
    Streams streams;
    streams.push_back(std::make_unique<RecordedSlices>(stream, wants_coefficients));
    EXPECT_GT(streams[0]->jobs().size(), 0U);
    expect_parsed_equally(streams);
  }
};

TEST_P(ParseOnDevicesTest, StreamsOfAllTools) {
  for (const char* const name : kSeedStreams) {
    SCOPED_TRACE(name);
    expect_parsed_equally(seed_stream(name));
    if (HasFailure()) return;
  }
}

TEST_P(ParseOnDevicesTest, StreamsWithoutCoefficients) {
  expect_parsed_equally(seed_stream("high_cabac"), false);
  expect_parsed_equally(seed_stream("high_cavlc"), false);
}

TEST_P(ParseOnDevicesTest, ManyStreamsInOneRun) {
  for (const int slices_a_warp : {0, 3, 32}) {
    SCOPED_TRACE(testing::Message() << slices_a_warp << " slices a warp");
    Streams streams;
    const std::size_t count = scaled(200, 60);
    for (std::size_t i = 0; i < count; ++i) {
      streams.push_back(
          std::make_unique<RecordedSlices>(seed_stream(kSeedStreams[i % std::size(kSeedStreams)])));
    }
    expect_parsed_equally(streams, slices_a_warp);
  }
}

// A damaged slice ends where one thread ends it, with the same words, and others are as they were.
TEST_P(ParseOnDevicesTest, DamagedStreams) {
  std::mt19937 random(5);
  Streams streams;
  const std::size_t count = scaled(300, 60);
  std::size_t damaged_slices = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes stream = damaged(seed_stream(kSeedStreams[i % std::size(kSeedStreams)]), random);
    streams.push_back(std::make_unique<RecordedSlices>(stream));
    damaged_slices += static_cast<std::size_t>(
        std::count_if(streams.back()->ends().begin(), streams.back()->ends().end(),
                      [](const SliceEnd& end) { return end.damage != nullptr; }));
  }
  EXPECT_GT(damaged_slices, count / 4);
  expect_parsed_equally(streams, 8);
}

TEST_P(ParseOnDevicesTest, NoSlicesAreNoRun) {
  EXPECT_EQ(parse_on(*queue, {}, {{.policy = policy}}).report.tasks(), 0U);
}

// They are not part of the repository (tests/test_data/test_data.h).
TEST_P(ParseOnDevicesTest, RealStreams) {
  int parsed = 0;
  for (const char* const name : kRealStreams) {
    SCOPED_TRACE(name);
    const std::string path = test_data::find(name);
    if (path.empty()) continue;
    // A simulated device takes a second for some thousand macroblocks.
    Bytes stream = read_stream(path);
    stream.resize(std::min(stream.size(), scaled(stream.size(), 80'000)));
    expect_parsed_equally(stream);
    if (HasFailure()) return;
    ++parsed;
  }
  if (parsed == 0) GTEST_SKIP() << "SKIPPED: no H.264 streams of test data";
}

INSTANTIATE_TEST_SUITE_P(H264, ParseOnDevicesTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::h264
