// SPDX-License-Identifier: Apache-2.0

// add_macroblock() measures the motion of a partition at its first block. Parsed streams have the
// same motion in all of its blocks.
#include <millrace/algorithms/h264/features/add_macroblock.h>
#include <millrace/algorithms/h264/features/test_picture.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/algorithms/h264/stream/testing/seed_streams.h>
#include <millrace/tests/test_data/test_data.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kBlocks = 16;

bool move_alike(const Macroblock& macroblock, int a, int b) {
  for (int list = 0; list < 2; ++list) {
    if (macroblock.references[list][quarter_of(a)] != macroblock.references[list][quarter_of(b)] ||
        macroblock.vectors[list][a] != macroblock.vectors[list][b] ||
        macroblock.differences[list][a] != macroblock.differences[list][b]) {
      return false;
    }
  }
  return true;
}

class PartitionCheck final : public PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    for (const Macroblock& macroblock : picture->macroblocks) {
      if (is_intra(macroblock.type) || macroblock.type == MacroblockType::kLost) continue;
      for (int block = 0; block < kBlocks; ++block) {
        const int first = first_of_partition(macroblock, block);
        partitioned += first == block ? 0 : 1;
        if (!move_alike(macroblock, first, block)) ++different;
      }
    }
  }
  void fault(const StreamFault& fault) override { static_cast<void>(fault); }

  int partitioned = 0;  // Blocks that are not the first of their partition.
  int different = 0;    // Blocks whose motion differs from the first one's.
};

// Returns the blocks of the stream that are not the first of their partition.
int check_partitions(const std::vector<std::uint8_t>& stream) {
  PartitionCheck check;
  StreamParser parser(check);
  push_stream(stream, parser);
  EXPECT_EQ(check.different, 0);
  return check.partitioned;
}

TEST(MotionPartitionsTest, BlocksOfAPartitionMoveAlike) {
  std::mt19937 random(1);
  int partitioned = 0;
  for (const char* const name : kSeedStreams) {
    SCOPED_TRACE(name);
    const std::vector<std::uint8_t> stream = seed_stream(name);
    partitioned += check_partitions(stream);
    for (int k = 0; k < 20; ++k) check_partitions(damaged(stream, random));
  }
  EXPECT_GT(partitioned, 0);
}

TEST(MotionPartitionsTest, BlocksOfARealPartitionMoveAlike) {
  int partitioned = 0;
  int streams = 0;
  for (const char* const name : kRealStreams) {
    const std::string path = test_data::find(name);
    if (path.empty()) continue;
    SCOPED_TRACE(name);
    ++streams;
    partitioned += check_partitions(read_stream(path));
  }
  if (streams == 0) GTEST_SKIP() << "no real streams";
  EXPECT_GT(partitioned, 0);
}

// The blocks that are measured are the first ones of the partitions, each for all of its blocks.
TEST(MotionPartitionsTest, PartitionsAreThoseOfTheStandard) {
  Macroblock macroblock;
  const auto expect_counts = [&](MotionPartitions partitions, int last_block, int in_quarter_mask) {
    for (int block = 0; block < kBlocks; ++block) {
      if ((block & ~in_quarter_mask) != 0) continue;
      std::uint32_t count = 0;
      for (int other = 0; other < kBlocks; ++other) {
        count += first_of_partition(macroblock, other) == block && other <= last_block ? 1 : 0;
      }
      const bool is_first = (partitions.first_blocks >> block & 1) != 0;
      EXPECT_EQ(is_first ? partitions.blocks : 0, count) << block;
    }
  };
  for (const MacroblockType type : {MacroblockType::kInter16x16, MacroblockType::kInter16x8,
                                    MacroblockType::kInter8x16, MacroblockType::kDirect}) {
    macroblock.type = type;
    expect_counts(partitions_of(type), kBlocks - 1, kBlocks - 1);
  }
  macroblock.type = MacroblockType::kInter8x8;
  for (const SubPartition partition : {SubPartition::k8x8, SubPartition::k8x4, SubPartition::k4x8,
                                       SubPartition::k4x4, SubPartition::kDirect}) {
    macroblock.sub_partitions[0] = partition;
    expect_counts(partitions_of(partition), 5, 5);
  }
}

}  // namespace
}  // namespace millrace::h264
