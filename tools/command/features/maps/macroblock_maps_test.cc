// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/test_picture.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/maps/macroblock_maps.h>
#include <millrace/tools/command/features/output/testing/read_npz_array.h>
#include <millrace/tools/command/features/stream/run_stream.h>
#include <millrace/tools/command/features/testing/known_stream.h>
#include <millrace/tools/command/features/testing/memory_source.h>
#include <millrace/tools/command/features/testing/null_output.h>
#include <millrace/tools/files/test_folder.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using Arrays = std::map<std::string, ReadNpzArray>;
using Shape = std::vector<std::uint64_t>;

class MacroblockMapsTest : public TestFolder {
 protected:
  Arrays maps_of(const std::vector<h264::ParsedPicture>& pictures) {
    const auto maps = open_macroblock_maps(path("maps.npz"), true);
    for (const h264::ParsedPicture& picture : pictures) maps->add(picture);
    maps->commit();
    return read_npz(path("maps.npz"), folder_.string());
  }

  // The maps of the stream of known_stream.h.
  Arrays maps_of_known_stream() {
    const KnownStream known = known_stream_of_three_pictures();
    const auto maps = open_macroblock_maps(path("maps.npz"), true);
    MemorySource source(known.bytes);
    NullOutput output;
    const StreamEnd end = run_stream(source, {.consumers = {maps.get()}}, output);
    EXPECT_EQ(end.frames, 3);
    EXPECT_EQ(end.faults, 0);
    maps->commit();
    return read_npz(path("maps.npz"), folder_.string());
  }
};

constexpr std::size_t kMacroblocks = KnownStream::kMacroblocks;

TEST_F(MacroblockMapsTest, ShapesAreFramesRowsAndColumns) {
  const Arrays maps = maps_of_known_stream();
  EXPECT_EQ(maps.at("qp.npy").header.shape, (Shape{3, 5, 3}));
  EXPECT_EQ(maps.at("type.npy").header.shape, (Shape{3, 5, 3}));
  EXPECT_EQ(maps.at("bits.npy").header.shape, (Shape{3, 5, 3, 4}));
  EXPECT_EQ(maps.at("references.npy").header.shape, (Shape{3, 5, 3, 2, 4}));
  EXPECT_EQ(maps.at("vectors.npy").header.shape, (Shape{3, 5, 3, 2, 16, 2}));
  EXPECT_EQ(maps.at("coefficients.npy").header.shape, (Shape{3, 5, 3}));
  EXPECT_EQ(maps.at("picture_order.npy").header.shape, Shape{3});
}

TEST_F(MacroblockMapsTest, VectorsAndReferencesAreThoseThatWereWritten) {
  const Arrays maps = maps_of_known_stream();
  const auto vectors = maps.at("vectors.npy").values<std::int16_t>();
  const auto references = maps.at("references.npy").values<std::int8_t>();
  ASSERT_EQ(vectors.size(), 3 * kMacroblocks * 2 * 16 * 2);
  ASSERT_EQ(references.size(), 3 * kMacroblocks * 2 * 4);
  for (std::size_t i = 0; i < 3 * kMacroblocks; ++i) {
    SCOPED_TRACE(testing::Message() << "macroblock " << i);
    // Macroblocks 3 and 4 of picture 1 move.
    const int x = i == kMacroblocks + 3 ? 6 : i == kMacroblocks + 4 ? 10 : 0;
    const int y = i == kMacroblocks + 3 ? -8 : i == kMacroblocks + 4 ? 24 : 0;
    for (std::size_t list = 0; list < 2; ++list) {
      const bool is_used = list == 0 && i >= kMacroblocks;  // Picture 0 is intra.
      for (std::size_t block = 0; block < 16; ++block) {
        const std::size_t at = 2 * (16 * (2 * i + list) + block);
        EXPECT_EQ(vectors[at], is_used ? x : 0);
        EXPECT_EQ(vectors[at + 1], is_used ? y : 0);
      }
      for (std::size_t block = 0; block < 4; ++block) {
        EXPECT_EQ(references[4 * (2 * i + list) + block], is_used ? 0 : -1);
      }
    }
  }
}

TEST_F(MacroblockMapsTest, QpTypesAndCoefficientsAreThoseThatWereWritten) {
  const Arrays maps = maps_of_known_stream();
  const auto qp = maps.at("qp.npy").values<std::uint8_t>();
  const auto types = maps.at("type.npy").values<std::uint8_t>();
  const auto coefficients = maps.at("coefficients.npy").values<std::uint16_t>();
  const std::vector<std::string> names = maps.at("type_names.npy").strings();
  ASSERT_EQ(qp.size(), 3 * kMacroblocks);
  for (std::size_t i = 0; i < 3 * kMacroblocks; ++i) {
    const std::size_t picture = i / kMacroblocks;
    const std::size_t row = i % kMacroblocks / KnownStream::kColumns;
    const bool moves = i == kMacroblocks + 3 || i == kMacroblocks + 4;
    SCOPED_TRACE(testing::Message() << "macroblock " << i);
    EXPECT_EQ(qp[i], picture != 1 ? 26 : row == 0 ? 40 : 30);
    EXPECT_EQ(names.at(types[i]), picture == 0 ? "I16x16" : moves ? "P16x16" : "Pskip");
    const bool has_inner_row = row > 0 && row < KnownStream::kRows - 1;
    EXPECT_EQ(coefficients[i], picture == 0 && has_inner_row ? 16 : i == kMacroblocks + 3 ? 1 : 0);
  }
  // A picture counts 2 in PicOrderCnt of type 2.
  EXPECT_EQ(maps.at("picture_order.npy").values<std::int32_t>(),
            (std::vector<std::int32_t>{0, 2, 4}));
}

// Lengths of codes: ue(v) and se(v) have 1, 3, 5, 7, 9 and 11 bits from code numbers 0, 1, 3, 7, 15
// and 31 on, and se(v) of x > 0 is code 2 x - 1, else -2 x.
TEST_F(MacroblockMapsTest, BitsAreTheLengthsOfTheCodes) {
  const Arrays maps = maps_of_known_stream();
  EXPECT_EQ(maps.at("bit_names.npy").strings(),
            (std::vector<std::string>{"types", "vectors", "luma", "chroma"}));
  const auto bits = maps.at("bits.npy").values<std::uint32_t>();
  const auto of = [&](std::size_t picture, std::size_t macroblock) {
    const auto first = bits.begin() + static_cast<long>(4 * (kMacroblocks * picture + macroblock));
    return std::vector<std::uint32_t>(first, first + 4);
  };
  // mb_type 3 has 5 bits, the chroma mode and QP difference of 0 one each.
  EXPECT_EQ(of(0, 0), (std::vector<std::uint32_t>{5 + 1 + 1, 0, 1, 0}));
  EXPECT_EQ(of(0, 4), (std::vector<std::uint32_t>{5 + 1 + 1, 0, 2 + 1 + 1, 0}));
  // (6, -8) is of codes 11 and 16. Four blocks are coded, of which one has a coefficient.
  EXPECT_EQ(of(1, 3)[1], 7U + 9U);
  EXPECT_EQ(of(1, 3)[2], 2U + 1U + 1U + 3U);
  // The skip run, type and coded block pattern of 0; (10, 24) is of codes 19 and 47.
  EXPECT_EQ(of(1, 4), (std::vector<std::uint32_t>{1 + 1 + 1, 9 + 11, 0, 0}));
}

// All elements of a macroblock differ, so that the index of each is known.
TEST_F(MacroblockMapsTest, ElementsAreInTheOrderOfListsAndBlocks) {
  std::vector<h264::ParsedPicture> pictures;
  pictures.push_back(
      h264::made_picture(2, 1, h264::SliceType::kB, h264::MacroblockType::kInter8x8));
  h264::Macroblock& macroblock = pictures[0].macroblocks[1];
  for (int list = 0; list < 2; ++list) {
    for (int block = 0; block < 16; ++block) {
      macroblock.vectors[list][block] = {static_cast<std::int16_t>(1000 * list + block),
                                         static_cast<std::int16_t>(-1000 * list - 100 - block)};
    }
    for (int block = 0; block < 4; ++block) {
      macroblock.references[list][block] = static_cast<std::int8_t>(4 * list + block);
    }
  }
  for (std::uint32_t k = 0; k < 4; ++k) macroblock.bits[k] = 70000 + k;
  h264::set_coefficients(pictures[0], 1, {{0, 5}, {17, -1}, {300, 2}});
  const Arrays maps = maps_of(pictures);

  const auto vectors = maps.at("vectors.npy").values<std::int16_t>();
  const auto references = maps.at("references.npy").values<std::int8_t>();
  for (int list = 0; list < 2; ++list) {
    for (int block = 0; block < 16; ++block) {
      const auto at = static_cast<std::size_t>(64 + 2 * (16 * list + block));
      EXPECT_EQ(vectors.at(at), 1000 * list + block);
      EXPECT_EQ(vectors.at(at + 1), -1000 * list - 100 - block);
    }
    for (int block = 0; block < 4; ++block) {
      EXPECT_EQ(references.at(static_cast<std::size_t>(8 + 4 * list + block)), 4 * list + block);
    }
  }
  const auto bits = maps.at("bits.npy").values<std::uint32_t>();
  EXPECT_EQ(std::vector(bits.begin() + 4, bits.end()),
            (std::vector<std::uint32_t>{70000, 70001, 70002, 70003}));
  EXPECT_EQ(maps.at("coefficients.npy").values<std::uint16_t>(),
            (std::vector<std::uint16_t>{0, 3}));
}

TEST_F(MacroblockMapsTest, PicturesOfAnotherSizeAreRejected) {
  std::vector<h264::ParsedPicture> pictures;
  for (const int width : {2, 3}) {
    pictures.push_back(
        h264::made_picture(width, 1, h264::SliceType::kI, h264::MacroblockType::kPcm));
  }
  EXPECT_THROW(maps_of(pictures), Error);
}

}  // namespace
}  // namespace millrace::tools
