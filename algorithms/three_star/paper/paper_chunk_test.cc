// SPDX-License-Identifier: Apache-2.0

// Chunks of the paper's method, valid and damaged.
#include <millrace/algorithms/three_star/paper/paper_chunk.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tests/simd/simd_target.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

namespace millrace::three_star {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PaperChunkTest : public testing::Test {
 protected:
  PaperChunkTest() : ids(1000), points(1000) {
    std::iota(ids.begin(), ids.end(), 5000U);
    std::reverse(ids.begin(), ids.end());
  }

  PaperView grid() const { return {points.data(), ids.data(), &cell, 1}; }

  // Returns a chunk of one segment: combination 11 is ranges 2 and 3. The third corner's range has
  // two segments.
  std::vector<std::byte> compressed_chunk() const {
    const PaperSegment segment = {0, 11U << 28 | 2, {0, 0, 1}};
    const std::uint8_t local[] = {1, 2, 3, 4, 0, 9, 0, 0};
    std::vector<std::byte> bytes(sizeof(PaperChunkHeader) + sizeof segment + sizeof local);
    std::memcpy(bytes.data() + sizeof(PaperChunkHeader), &segment, sizeof segment);
    std::memcpy(bytes.data() + sizeof(PaperChunkHeader) + sizeof segment, local, sizeof local);
    return with_header(bytes, {.is_compressed = 1, .bytes = bytes.size(), .three_stars = 2});
  }

  static std::vector<std::byte> with_header(std::vector<std::byte> bytes,
                                            const PaperChunkHeader& header) {
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
  }

  std::vector<ThreeStar> stars_of(const std::vector<std::byte>& chunk) const {
    std::mutex mutex;
    std::vector<ThreeStar> stars;
    decode(grid(), chunk, [&](std::span<const ThreeStar> some) {
      const std::lock_guard lock(mutex);
      stars.insert(stars.end(), some.begin(), some.end());
    });
    return stars;
  }

  std::string error_of(const std::vector<std::byte>& chunk) const {
    try {
      stars_of(chunk);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "no error";
  }

  // Returns the error for the chunk with a number in it overwritten.
  std::string error_with(std::size_t offset, std::uint32_t value) const {
    std::vector<std::byte> chunk = compressed_chunk();
    std::memcpy(chunk.data() + offset, &value, sizeof value);
    return error_of(chunk);
  }

  static constexpr std::size_t kSegment = sizeof(PaperChunkHeader);
  std::vector<std::uint32_t> ids;
  std::vector<Point> points;
  PaperCell cell = {{{0, 10}, {10, 10}, {10, 13}, {13, 300}, {300, 300}}};
};

TEST_F(PaperChunkTest, LocalIdsBecomeIdsInOrder) {
  // Indices 1, 12 and 13 + 256 + 3, and 4, 10 and 13 + 256 + 9; ids fall from 5999.
  EXPECT_THAT(stars_of(compressed_chunk()),
              ElementsAre(ThreeStar{5727, 5987, 5998}, ThreeStar{5721, 5989, 5995}));
}

TEST_F(PaperChunkTest, WrittenIdsAreHandedOutAsTheyAre) {
  const ThreeStar stars[] = {{1, 2, 3}, {4, 5, 6}};
  std::vector<std::byte> bytes(sizeof(PaperChunkHeader) + sizeof stars);
  std::memcpy(bytes.data() + sizeof(PaperChunkHeader), stars, sizeof stars);
  const PaperChunkHeader header = {.bytes = bytes.size(), .three_stars = 2};
  EXPECT_THAT(stars_of(with_header(bytes, header)), ElementsAre(stars[0], stars[1]));
  const PaperChunkHeader wrong = {.bytes = bytes.size(), .three_stars = 3};
  EXPECT_THAT(error_of(with_header(bytes, wrong)),
              HasSubstr("it has 2 3-stars, but its header says 3"));
}

TEST_F(PaperChunkTest, DamageIsAnError) {
  EXPECT_THAT(error_of({}), HasSubstr("it has 0 bytes, but its header alone has " +
                                      std::to_string(sizeof(PaperChunkHeader))));
  EXPECT_THAT(error_with(0, 7), HasSubstr("its first 4 bytes are 00000007, but must be 31435033"));
  EXPECT_THAT(error_with(offsetof(PaperChunkHeader, bytes), 1000),
              HasSubstr("bytes, but its header says 1000"));
  EXPECT_THAT(error_with(offsetof(PaperChunkHeader, three_stars), 3),
              HasSubstr("it has 2 3-stars, but its header says 3"));
  EXPECT_THAT(error_with(kSegment, 1), HasSubstr("a cell is not in their grid"));
  EXPECT_THAT(error_with(kSegment + 4, 13U << 28 | 2), HasSubstr("a combination is unknown"));
  EXPECT_THAT(error_with(kSegment + 4, 11U << 28 | 1000), HasSubstr("a segment is cut short"));
  EXPECT_THAT(error_with(kSegment + 8, 1), HasSubstr("a segment is not in its cell"));
  EXPECT_THAT(error_with(kSegment + 16, 2), HasSubstr("a segment is not in its cell"));
  EXPECT_THAT(error_with(kSegment + 16, 0xffffffff), HasSubstr("a segment is not in its cell"));
  EXPECT_THAT(error_with(kSegment + 20, 10), HasSubstr("a point is not in its segment"));
  // The combination with ranges 1 and 1 is empty in this cell.
  EXPECT_THAT(error_with(kSegment + 4, 5U << 28 | 2), HasSubstr("a segment is not in its cell"));
}

TEST_F(PaperChunkTest, DamagedBytesGiveAnErrorOrPointsThatThereAre) {
  SeededRandom random;
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::byte> chunk = compressed_chunk();
    for (std::uint64_t flips = random(1, 3); flips > 0; --flips) {
      chunk[random(0, chunk.size() - 1)] ^= std::byte(1 << random(0, 7));
    }
    try {
      for (const ThreeStar& star : stars_of(chunk)) {
        const auto is_id = [](std::uint32_t id) { return id >= 5000 && id < 6000; };
        const bool is_written = chunk[offsetof(PaperChunkHeader, is_compressed)] == std::byte{0};
        EXPECT_TRUE(is_written || (is_id(star.a) && is_id(star.b) && is_id(star.c)));
      }
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kInvalidArgument);
    }
  }
}

class PaperChunkOnTarget : public PaperChunkTest, public testing::WithParamInterface<std::int64_t> {
 protected:
  // Returns a chunk of one segment, of the combination above: three local ids a 3-star.
  std::vector<std::byte> chunk_of(const std::vector<std::uint8_t>& local) const {
    const auto count = static_cast<std::uint32_t>(local.size() / 3);
    const PaperSegment segment = {0, 11U << 28 | count, {0, 0, 0}};
    std::vector<std::byte> bytes(sizeof(PaperChunkHeader) + chunk_bytes(true, count));
    std::memcpy(bytes.data() + sizeof(PaperChunkHeader), &segment, sizeof segment);
    std::memcpy(bytes.data() + sizeof(PaperChunkHeader) + sizeof segment, local.data(),
                local.size());
    return with_header(bytes, {.is_compressed = 1, .bytes = bytes.size(), .three_stars = count});
  }

  // Returns ids for corners that have 10, 3 and 256 points.
  std::vector<std::uint8_t> some_ids(std::size_t count) {
    std::vector<std::uint8_t> local;
    for (std::size_t i = 0; i < count; ++i) {
      for (const std::uint64_t last : {9, 2, 255}) {
        local.push_back(static_cast<std::uint8_t>(random(0, last)));
      }
    }
    return local;
  }

  SeededRandom random;

 private:
  const SimdTarget target_{GetParam()};
};

TEST_P(PaperChunkOnTarget, SegmentsOfAnyLengthAreWrittenOut) {
  for (const std::size_t count : {0, 1, 15, 16, 17, 63, 64, 65, 100, 4095, 4096, 4097, 9000}) {
    SCOPED_TRACE(count);
    const std::vector<std::uint8_t> local = some_ids(count);
    std::vector<ThreeStar> expected;
    for (std::size_t i = 0; i < local.size(); i += 3) {
      expected.push_back(star_of(ids[local[i]], ids[10U + local[i + 1]], ids[13U + local[i + 2]]));
    }
    EXPECT_EQ(stars_of(chunk_of(local)), expected);
  }
}

TEST_P(PaperChunkOnTarget, APointOutsideItsSegmentIsFoundAnywhere) {
  const std::vector<std::uint8_t> good = some_ids(150);
  for (std::size_t i = 0; i < good.size(); ++i) {
    if (i % 3 == 2) continue;  // All ids are in the third corner's segment.
    std::vector<std::uint8_t> local = good;
    local[i] = i % 3 == 0 ? 10 : 3;
    EXPECT_THAT(error_of(chunk_of(local)), HasSubstr("a point is not in its segment")) << i;
    local[i] = 255;
    EXPECT_THAT(error_of(chunk_of(local)), HasSubstr("a point is not in its segment")) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PaperChunkOnTarget, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::three_star
