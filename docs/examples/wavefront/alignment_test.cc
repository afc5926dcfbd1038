// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/wavefront/alignment.h>
#include <millrace/docs/examples/wavefront/fasta.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace millrace::examples {
namespace {

std::string fasta(const std::string& text) {
  std::istringstream stream(text);
  return read_fasta(stream, "some.fa");
}

TEST(ReadFasta, GivesTheFirstRecordInUpperCase) {
  EXPECT_EQ(fasta(">a name\nACgt\r\n\nnn *-\n>another\nTTTT\n"), "ACGTNN*-");
  EXPECT_EQ(fasta(">\nA"), "A");
}

TEST(ReadFasta, SaysWhatIsWrongWithAFile) {
  for (const auto& [text, problem] :
       {std::pair("", "must begin with '>'"), std::pair("ACGT\n", "must begin with '>'"),
        std::pair(">a\n>b\nACGT\n", "no letters"), std::pair(">a\nAC\nG7\n", "line 3 has '7'")}) {
    try {
      fasta(text);
      ADD_FAILURE() << text << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo);
      EXPECT_NE(std::string(error.what()).find(problem), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(read_fasta("no/such/file.fa"), Error);
}

TEST(AlignDirectly, GivesScoresThatAreFoundByHand) {
  EXPECT_EQ(align_directly("ACGT", "ACGT"), (Alignment{8, 4, 4}));
  EXPECT_EQ(align_directly("AAAA", "TTTT"), (Alignment{0, 0, 0}));
  EXPECT_EQ(align_directly("TTACGTT", "GGACGGG"), (Alignment{6, 5, 5}));
  // GTT-AC with GTTGAC.
  EXPECT_EQ(align_directly("TGTTACGG", "GGTTGACTA", {.match = 3, .mismatch = -3, .gap = -2}),
            (Alignment{13, 6, 7}));
}

TEST(AlignDirectly, OfEqualScoresTheFirstEndWins) {
  EXPECT_EQ(align_directly("CACA", "GA"), (Alignment{2, 2, 2}));
  EXPECT_EQ(align_directly("CA", "GAGA"), (Alignment{2, 2, 2}));
}

TEST(Alignment, IsBetterByScoreThenByPosition) {
  EXPECT_TRUE((Alignment{3, 9, 9}).is_better_than({2, 1, 1}));
  EXPECT_TRUE((Alignment{3, 1, 9}).is_better_than({3, 2, 1}));
  EXPECT_TRUE((Alignment{3, 1, 1}).is_better_than({3, 1, 2}));
  EXPECT_FALSE((Alignment{3, 1, 1}).is_better_than({3, 1, 1}));
}

class AlignmentTest : public conformance::PolicyTest {
 protected:
  // Compares with the table computed row by row.
  void expect_direct(const std::string& first, const std::string& second,
                     AlignmentOptions options = {}) {
    options.run.policy = policy;
    const AlignmentResult result = align(*queue, first, second, options);
    EXPECT_EQ(result.best, align_directly(first, second, options))
        << first.size() << " x " << second.size() << " letters, tile " << options.tile;
    EXPECT_EQ(result.report.policy, policy);
  }
};

TEST_P(AlignmentTest, RandomSequencesOfAnyLengths) {
  const std::size_t most = scaled(2000, 200);
  const std::vector<std::pair<std::size_t, std::size_t>> lengths = {
      {1, 1}, {1, 100}, {100, 1}, {64, 64}, {65, 63}, {most, most / 2}, {most / 3, most}};
  for (const auto& [first, second] : lengths) {
    expect_direct(random_sequence(first, first), random_sequence(second, second + 1));
  }
}

TEST_P(AlignmentTest, TilesOfAnySize) {
  const std::size_t length = scaled(300, 40);
  const std::string first = random_sequence(length, 5);
  const std::string second = random_sequence(length + 13, 6);
  for (const int tile : {1, 2, 31, 64, 100, kMaxAlignmentTile}) {
    expect_direct(first, second, {.tile = tile});
  }
}

TEST_P(AlignmentTest, LongAlignmentsCrossTheTiles) {
  const std::string first = random_sequence(scaled(1000, 150), 7);
  std::string second = first.substr(20);
  second.erase(50, 3).insert(90, "TTTT");
  expect_direct(first, second, {.tile = 16});
  expect_direct(first, second, {.match = 5, .mismatch = -4, .gap = -1});
  expect_direct(first, first, {.mismatch = -1000, .gap = -1000, .tile = 128});
}

TEST_P(AlignmentTest, TheFirstOfEqualAlignmentsWins) {
  std::string repeated;
  for (int i = 0; i < 40; ++i) repeated += "ACGTTTTT";
  expect_direct(repeated, "ACG", {.tile = 8});
  expect_direct("ACG", repeated, {.tile = 8});
  expect_direct(repeated, "AGCG", {.gap = 0, .tile = 8});
  expect_direct(repeated, "UUUU");
  // The tile to the right has an alignment of the same score that ends earlier.
  expect_direct("TTAC", "ACGGGGGGTT", {.tile = 8});
}

TEST_P(AlignmentTest, EveryTileIsATask) {
  const std::string first = random_sequence(100, 1);
  const std::string second = random_sequence(161, 2);
  const AlignmentResult result =
      align(*queue, first, second, {.tile = 32, .run = {.policy = policy}});
  EXPECT_EQ(result.report.tasks(), 4u * 6u);
}

TEST_P(AlignmentTest, RejectsOptionsOutOfRange) {
  const std::string letters = "ACGT";
  for (const AlignmentOptions& options :
       {AlignmentOptions{.match = -1}, AlignmentOptions{.match = 1001},
        AlignmentOptions{.mismatch = 1}, AlignmentOptions{.gap = 1}, AlignmentOptions{.tile = 0},
        AlignmentOptions{.tile = kMaxAlignmentTile + 1}}) {
    EXPECT_THROW(align(*queue, letters, letters, options), Error);
  }
  EXPECT_THROW(align(*queue, "", letters), Error);
  EXPECT_THROW(align(*queue, letters, ""), Error);
  EXPECT_THROW(align(*queue, letters, std::string(kMaxAlignmentLength + 1, 'A')), Error);
  const std::string longer(10'000, 'A');
  EXPECT_THROW(align(*queue, longer, longer, {.tile = 1}), Error);
}

INSTANTIATE_TEST_SUITE_P(Examples, AlignmentTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::examples
