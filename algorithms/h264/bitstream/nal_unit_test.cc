// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::h264 {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Unit {
  Bytes bytes;
  std::int64_t byte;
  int start_code_bytes;

  friend bool operator==(const Unit&, const Unit&) = default;
};

// Pushes the stream in pieces that end at `cuts`; reads all units after each.
std::vector<Unit> split(const Bytes& stream, std::vector<std::size_t> cuts,
                        AnnexBSplitter splitter = AnnexBSplitter()) {
  std::vector<Unit> units;
  cuts.push_back(stream.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    splitter.push(std::span(stream).subspan(begin, cuts[i] - begin));
    begin = cuts[i];
    if (i + 1 == cuts.size()) splitter.finish();
    while (const std::optional<NalUnit> unit = splitter.next()) {
      units.push_back(
          {{unit->bytes.begin(), unit->bytes.end()}, unit->byte, unit->start_code_bytes});
    }
  }
  return units;
}

TEST(AnnexBSplitterTest, YieldsUnitsWithTheirOffsetAndStartCode) {
  const Bytes stream = {0, 0, 0, 1, 0x67, 1, 2, 0, 0, 1, 0x68, 0, 0, 3, 0, 0, 0, 1, 0x65};
  const std::vector<Unit> expected = {
      {{0x67, 1, 2}, 4, 4}, {{0x68, 0, 0, 3}, 10, 3}, {{0x65}, 18, 4}};
  EXPECT_EQ(split(stream, {}), expected);
}

TEST(AnnexBSplitterTest, DropsZerosAfterUnitsAndBeforeTheFirst) {
  const Bytes stream = {0, 0, 0, 0, 0, 1, 0x67, 0, 0, 0, 0, 0, 1, 0x68, 7, 0, 0, 0};
  const std::vector<Unit> expected = {{{0x67}, 6, 4}, {{0x68, 7}, 13, 4}};
  EXPECT_EQ(split(stream, {}), expected);
}

TEST(AnnexBSplitterTest, SkipsWhatPrecedesTheFirstStartCode) {
  const Bytes stream = {9, 9, 1, 0, 0, 0, 1, 0x67};
  AnnexBSplitter splitter;
  splitter.push(stream);
  splitter.finish();
  const std::optional<NalUnit> unit = splitter.next();
  ASSERT_TRUE(unit.has_value());
  EXPECT_EQ(unit->byte, 7);
  EXPECT_EQ(unit->start_code_bytes, 4);
  EXPECT_EQ(splitter.skipped_bytes(), 3);
  EXPECT_FALSE(splitter.next().has_value());
}

TEST(AnnexBSplitterTest, PassesOverEmptyUnits) {
  const Bytes stream = {0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0x67, 0, 0, 1};
  const std::vector<Unit> expected = {{{0x67}, 10, 4}};
  EXPECT_EQ(split(stream, {}), expected);
}

TEST(AnnexBSplitterTest, YieldsTheSameUnitsForEveryPairOfChunkBoundaries) {
  const Bytes stream = {5, 0, 0,    0, 1, 0x67, 1, 0, 0, 3, 1, 0, 0, 1, 0x68, 0, 2,
                        0, 0, 0x65, 1, 1, 0,    0, 0, 0, 0, 1, 0, 0, 1, 0x41, 0, 0};
  const std::vector<Unit> expected = split(stream, {});
  ASSERT_EQ(expected.size(), 3U);
  for (std::size_t first = 0; first <= stream.size(); ++first) {
    for (std::size_t second = first; second <= stream.size(); ++second) {
      ASSERT_EQ(split(stream, {first, second}), expected) << first << ' ' << second;
    }
  }
}

TEST(AnnexBSplitterTest, YieldsAUnitOnlyWhenTheNextOneBegins) {
  AnnexBSplitter splitter;
  splitter.push(Bytes{0, 0, 1, 0x67, 1, 0, 0});
  EXPECT_FALSE(splitter.next().has_value());
  splitter.push(Bytes{1});
  EXPECT_TRUE(splitter.next().has_value());
  EXPECT_FALSE(splitter.next().has_value());
}

TEST(AnnexBSplitterTest, CutsUnitsThatAreTooLong) {
  Bytes stream = {0, 0, 1};
  stream.insert(stream.end(), 1000, 0x11);
  stream.insert(stream.end(), {0, 0, 1, 0x67, 0x80});
  for (const std::size_t chunk : {1, 7, 64, 2000}) {
    std::vector<std::size_t> cuts;
    for (std::size_t at = chunk; at < stream.size(); at += chunk) cuts.push_back(at);
    const std::vector<Unit> units = split(stream, cuts, AnnexBSplitter(100));
    ASSERT_EQ(units.size(), 2U) << chunk;
    EXPECT_EQ(units[0].bytes, Bytes(100, 0x11));
    EXPECT_EQ(units[1], (Unit{{0x67, 0x80}, 1006, 3}));
  }
}

TEST(AnnexBSplitterTest, FindsNothingInStreamsWithoutAStartCode) {
  EXPECT_TRUE(split({}, {}).empty());
  EXPECT_TRUE(split({0, 0}, {}).empty());
  EXPECT_TRUE(split({0, 0, 0, 0}, {}).empty());
  EXPECT_TRUE(split(Bytes(5000, 1), {1000, 3000}).empty());
}

Bytes payload_of(const Bytes& unit) {
  NalPayload payload;
  extract_payload(unit, payload);
  return payload.bytes;
}

TEST(NalPayloadTest, RemovesEmulationPreventionAtEveryPosition) {
  for (std::uint8_t escaped = 0; escaped <= 3; ++escaped) {
    for (std::size_t before = 0; before <= 20; ++before) {
      for (std::size_t after = 0; after <= 4; ++after) {
        Bytes payload(before, 0x11);
        payload.insert(payload.end(), {0, 0, escaped});
        payload.insert(payload.end(), after, 0x22);
        Bytes unit = {0x65};
        unit.insert(unit.end(), before, 0x11);
        unit.insert(unit.end(), {0, 0, 3, escaped});
        unit.insert(unit.end(), after, 0x22);
        ASSERT_EQ(payload_of(unit), payload) << int{escaped} << ' ' << before << ' ' << after;
      }
    }
  }
}

TEST(NalPayloadTest, KeepsThreesThatPreventNothing) {
  EXPECT_EQ(payload_of({0x65, 3, 0, 3, 0, 1, 3}), (Bytes{3, 0, 3, 0, 1, 3}));
}

TEST(NalPayloadTest, RemovesCabacZeroWordsEmulationPrevention) {
  // Two cabac_zero_words after the trailing bits (clause 7.3.2.10).
  EXPECT_EQ(payload_of({0x65, 0x80, 0, 0, 3, 0, 0, 3}), (Bytes{0x80, 0, 0, 0, 0}));
}

TEST(NalPayloadTest, TakesUnitsWithoutAPayload) {
  EXPECT_TRUE(payload_of({0x65}).empty());
  EXPECT_TRUE(payload_of({}).empty());
  EXPECT_EQ(payload_of({0x65, 0}), Bytes{0});
  EXPECT_EQ(payload_of({0x65, 0, 0}), (Bytes{0, 0}));
}

TEST(NalPayloadTest, SaysWhereAPayloadsByteIsInTheUnit) {
  const Bytes unit = {0x65, 0, 0, 3, 1, 0, 0, 3, 0, 9};
  NalPayload payload;
  extract_payload(unit, payload);
  ASSERT_EQ(payload.bytes, (Bytes{0, 0, 1, 0, 0, 0, 9}));
  const std::vector<std::size_t> offsets = {1, 2, 4, 5, 6, 8, 9};
  for (std::size_t i = 0; i < offsets.size(); ++i) EXPECT_EQ(payload.unit_byte(i), offsets[i]) << i;
}

TEST(NalPayloadTest, RestoresEveryPayloadOfSixSmallBytes) {
  for (int code = 0; code < 5 * 5 * 5 * 5 * 5 * 5; ++code) {
    Bytes payload;
    for (int rest = code, i = 0; i < 6; rest /= 5, ++i) {
      payload.push_back(static_cast<std::uint8_t>(rest % 5));
    }
    if (payload.back() == 0) continue;  // No payload but one of cabac_zero_words ends so.
    ASSERT_EQ(payload_of(make_nal_unit(3, 5, payload)), payload) << code;
  }
}

}  // namespace
}  // namespace millrace::h264
