// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/cpu/star_simd.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace millrace::three_star {
namespace {

using testing::HasSubstr;

class StarChunkTest : public testing::Test {
 protected:
  // Returns all chunks of the points, each in memory of exactly its size.
  std::vector<std::vector<std::byte>> chunks() {
    std::vector<std::vector<std::byte>> all;
    StarScratch scratch;
    for (std::size_t cell = 0; cell < grid.cells().size(); ++cell) {
      const PointRun run = {grid.cells()[cell].points, grid.neighbours(cell)};
      compress_stars(grid, run, kRadius, scratch, [&](const StarChunk& chunk) {
        all.emplace_back(chunk.bytes().begin(), chunk.bytes().end());
      });
    }
    return all;
  }

  std::string error_of(const std::vector<std::byte>& bytes) {
    try {
      StarChunk(grid, bytes).visit([](std::span<const ThreeStar>) {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "no error";
  }

  static constexpr std::int32_t kRadius = 50;
  const std::shared_ptr<Device> device = some_device();
  const std::unique_ptr<Queue> queue = device->make_queue();
  SeededRandom random;
  const std::vector<Point> points = scattered(random, 300, 0, 300);
  const CellGrid grid{*queue, points, kRadius};
};

TEST_F(StarChunkTest, SaysHowManyItHas) {
  for (const auto& bytes : chunks()) {
    const StarChunk chunk(grid, bytes);
    std::size_t visited = 0;
    chunk.visit([&](std::span<const ThreeStar> some) { visited += some.size(); });
    EXPECT_EQ(chunk.three_stars(), visited);
    EXPECT_GT(visited, 0u) << "corners without are left out";
  }
}

TEST_F(StarChunkTest, HasManyNeighboursOfACornerInSeveralRecords) {
  // Enough points that their ids take 32 bits, and their bits more than a record should have.
  std::vector<Point> many = {{0, 0}};
  many.insert(many.end(), 66'000, Point{70, 25});
  many.insert(many.end(), 130, Point{13, 74});
  const CellGrid of_many(*queue, many, kRadius);
  const std::uint32_t corner = 0;
  ASSERT_EQ(of_many.ids()[corner], 0u);
  const PointRun run = {{corner, corner + 1}, of_many.neighbours(of_many.cell_of(corner))};
  StarScratch scratch;
  std::uint64_t stars = 0;
  std::uint64_t ids = 0;
  std::size_t records = 0;
  compress_stars(of_many, run, kRadius, scratch, [&](const StarChunk& chunk) {
    records += chunk.records();
    chunk.visit([&](std::span<const ThreeStar> some) {
      stars += some.size();
      for (const ThreeStar& star : some) ids += star.a + star.b + std::uint64_t{star.c};
    });
  });
  EXPECT_GT(records, 1u);
  // Each point of one position makes a 3-star with each of the other; their ids are 1 to 66,000 and
  // on.
  EXPECT_EQ(stars, 66'000u * 130u);
  EXPECT_EQ(ids,
            130ull * (66'000ull * 66'001ull / 2) + 66'000ull * (130ull * (66'001 + 66'130) / 2));
}

TEST_F(StarChunkTest, RejectsWhatIsCutShort) {
  const std::vector<std::byte> whole = chunks().front();
  EXPECT_EQ(error_of(whole), "no error");
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 8) {
    const std::vector<std::byte> prefix(whole.begin(), whole.begin() + static_cast<long>(size));
    EXPECT_THAT(error_of(prefix), HasSubstr("this is no chunk of 3-stars of these points: "));
  }
}

TEST_F(StarChunkTest, SaysWhatIsWrongWithAHeader) {
  std::vector<std::byte> chunk = chunks().front();
  EXPECT_THAT(error_of(std::vector<std::byte>(12)),
              HasSubstr("it has 12 bytes, but its header alone has 32"));
  EXPECT_THAT(error_of(std::vector<std::byte>(32)),
              HasSubstr("its first 4 bytes are 00000000, but must be 31575333"));
  const std::size_t bytes = chunk.size();
  chunk.push_back(std::byte{0});
  EXPECT_THAT(error_of(chunk), HasSubstr("it has " + std::to_string(bytes + 1) +
                                         " bytes, but its header says " + std::to_string(bytes)));
}

TEST_F(StarChunkTest, RejectsCornersOfOtherPoints) {
  const CellGrid other(*queue, std::span(points).first(10), kRadius);
  int rejected = 0;
  for (const auto& bytes : chunks()) {
    try {
      StarChunk(other, bytes).visit([](std::span<const ThreeStar>) {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      ++rejected;
    }
  }
  EXPECT_GT(rejected, 0);
}

TEST_F(StarChunkTest, ReadsNothingBesideItselfWhenDamaged) {
  // The result is not checked here: sanitizers check the accesses.
  int rejected = 0;
  for (const auto& bytes : chunks()) {
    for (int i = 0; i < 200; ++i) {
      std::vector<std::byte> damaged = bytes;
      const std::size_t begin = random(0, damaged.size() - 1);
      const std::size_t words = random(0, 3) == 0 ? 4 : 1;
      for (std::size_t k = begin; k < std::min(begin + words, damaged.size()); ++k) {
        damaged[k] = static_cast<std::byte>(random(0, 255));
      }
      rejected += error_of(damaged) == "no error" ? 0 : 1;
      try {
        const StarChunk chunk(grid, damaged);
        std::uint64_t sum = 0;
        for (const ThreeStar& star : chunk) sum += star.a;
        EXPECT_GE(sum, 0u);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      }
    }
  }
  EXPECT_GT(rejected, 0);
}

}  // namespace
}  // namespace millrace::three_star
