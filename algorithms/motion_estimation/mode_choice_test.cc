// SPDX-License-Identifier: Apache-2.0

// The choice of modes against an exhaustive search over all modes.
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/algorithms/motion_estimation/mode_partitions.h>
#include <millrace/algorithms/motion_estimation/motion_test_input.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/tests/random/seeded_random.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace millrace::motion {
namespace {

constexpr std::size_t kMacroblock = 1;  // The second of two.

// The quarter in which a partition begins.
constexpr auto kQuarterOf = [] {
  std::array<int, kPartitions> quarters{};
  for (int i = 0; i < kPartitions; ++i) {
    quarters[i] = partition_at(i).y / 8 * 2 + partition_at(i).x / 8;
  }
  return quarters;
}();

struct ModeCandidate {
  MacroblockMode mode;
  ModePartitions partitions;
};

// Returns the first quarters of the partitions of a shape that have a reference of their own.
std::span<const int> reference_quarters(MacroblockShape shape) {
  static constexpr int kRows[] = {0, 2};
  static constexpr int kAll[] = {0, 1, 2, 3};
  switch (shape) {
    case MacroblockShape::k16x8: return kRows;
    case MacroblockShape::k8x16: return std::span(kAll, 2);
    case MacroblockShape::k8x8: return kAll;
    default: return std::span(kAll, 1);
  }
}

// Returns the partition that a quarter belongs to.
int partition_of(MacroblockShape shape, int quarter) {
  switch (shape) {
    case MacroblockShape::k16x8: return quarter / 2;
    case MacroblockShape::k8x16: return quarter % 2;
    case MacroblockShape::k8x8: return quarter;
    default: return 0;
  }
}

// Returns all modes but P_Skip, in the order in which the first of equal ones is chosen: shapes,
// then quarters' shapes, then references.
std::vector<ModeCandidate> all_modes(int references) {
  std::vector<ModeCandidate> modes;
  for (int shape = 0; shape < static_cast<int>(MacroblockShape::kSkip); ++shape) {
    MacroblockMode mode;
    mode.shape = static_cast<MacroblockShape>(shape);
    const auto partitions = static_cast<int>(reference_quarters(mode.shape).size());
    int of_references = 1;
    for (int partition = 0; partition < partitions; ++partition) of_references *= references;
    const int trees = mode.shape == MacroblockShape::k8x8 ? 256 : 1;
    for (int tree = 0; tree < trees; ++tree) {
      for (int i = 0; i < of_references; ++i) {
        std::array<int, 4> of_partition{};
        for (int partition = partitions - 1, rest = i; partition >= 0;
             --partition, rest /= references) {
          of_partition.at(partition) = rest % references;
        }
        for (int quarter = 0; quarter < 4; ++quarter) {
          mode.quarters[quarter] = static_cast<QuarterShape>(tree >> (6 - 2 * quarter) & 3);
          mode.references[quarter] =
              static_cast<std::uint8_t>(of_partition.at(partition_of(mode.shape, quarter)));
        }
        modes.push_back({mode, partitions_of(mode)});
      }
    }
  }
  return modes;
}

// Returns the cost as decide_modes() defines it.
std::uint32_t cost_of(const ModeCandidate& candidate, const ReferenceFields& fields, int lambda) {
  const MacroblockMode& mode = candidate.mode;
  std::uint32_t cost = 0;
  for (const int i : candidate.partitions) {
    const int reference = mode.references[kQuarterOf[i]];
    cost += fields.fields[reference].costs[MotionField::index(kMacroblock, i)];
  }
  for (const int quarter : reference_quarters(mode.shape)) {
    cost +=
        static_cast<std::uint32_t>(lambda * reference_bits(mode.references[quarter], fields.count));
  }
  return cost;
}

MacroblockMode smallest(const std::vector<ModeCandidate>& modes, const ReferenceFields& fields,
                        int lambda, std::uint32_t skip_distortion) {
  MacroblockMode best;
  best.cost = ~std::uint32_t{0};
  for (const ModeCandidate& candidate : modes) {
    const std::uint32_t cost = cost_of(candidate, fields, lambda);
    if (cost >= best.cost) continue;
    best = candidate.mode;
    best.cost = cost;
  }
  if (32 * skip_distortion > best.cost) return best;
  MacroblockMode skip;
  skip.shape = MacroblockShape::kSkip;
  skip.cost = 32 * skip_distortion;
  return skip;
}

class ModeChoiceTest : public testing::TestWithParam<int> {
 protected:
  // Sets costs to small multiples of a step, so that many modes cost the same. In half of all cases
  // one size of partitions is cheaper than others.
  void randomise() {
    const auto size = static_cast<PartitionSize>(random(0, kPartitionSizes - 1));
    const int excess = static_cast<int>(random(0, 1));
    for (int reference = 0; reference < references.count; ++reference) {
      TestField& field = fields[reference];
      for (std::uint32_t& cost : field.costs) cost = 1'000'000;
      for (int i = 0; i < kPartitions; ++i) {
        const Partition partition = partition_at(i);
        const int blocks = partition.width * partition.height / 16;
        field.costs[MotionField::index(kMacroblock, i)] =
            kStep * static_cast<std::uint32_t>(random(blocks, 2 * blocks) +
                                               (partition_size(i) == size ? 0 : excess * blocks));
      }
      references.fields[reference] = field.view();
    }
  }

  static constexpr std::uint32_t kStep = 4;

  SeededRandom random;
  std::vector<TestField> fields = std::vector<TestField>(kMostReferences, TestField(2));
  ReferenceFields references{.fields = {}, .count = GetParam()};
};

TEST_P(ModeChoiceTest, IsTheFirstOfTheCheapest) {
  const std::vector<ModeCandidate> modes = all_modes(references.count);
  const int trials = references.count < 3 ? 800 : 15;
  std::set<MacroblockShape> shapes;
  std::set<QuarterShape> quarters;
  for (int trial = 0; trial < trials; ++trial) {
    randomise();
    const int lambda = static_cast<int>(kStep * random(0, 1));
    const auto skip_distortion = static_cast<std::uint32_t>(random(0, 7));
    const MacroblockMode found =
        ModeChoice(references, kMacroblock, lambda).choose(skip_distortion);
    const MacroblockMode expected = smallest(modes, references, lambda, skip_distortion);
    ASSERT_EQ(found.cost, expected.cost) << trial;
    ASSERT_EQ(found.shape, expected.shape) << trial;
    ASSERT_THAT(found.quarters, testing::ElementsAreArray(expected.quarters)) << trial;
    ASSERT_THAT(found.references, testing::ElementsAreArray(expected.references)) << trial;
    ASSERT_EQ(found, expected) << trial;
    shapes.insert(found.shape);
    for (const QuarterShape quarter : found.quarters) quarters.insert(quarter);
  }
  if (references.count > 2) return;  // With so many references not every mode occurs in the trials.
  EXPECT_EQ(shapes.size(), 5U);
  EXPECT_EQ(quarters.size(), 4U);
}

INSTANTIATE_TEST_SUITE_P(References, ModeChoiceTest, testing::Range(1, kMostReferences + 1));

TEST(SkipVector, IsThePredictorWhereVectorsAreFine) {
  for (const Precision precision : {Precision::kHalf, Precision::kQuarter}) {
    EXPECT_EQ(skip_vector({13, -7}, precision), (MotionVector{13, -7}));
  }
}

TEST(SkipVector, IsRoundedToWholeSamplesHalvesUpwards) {
  const auto whole = [](int x, int y) {
    return skip_vector({static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)},
                       Precision::kInteger);
  };
  EXPECT_EQ(whole(0, 4), (MotionVector{0, 4}));
  EXPECT_EQ(whole(1, -1), (MotionVector{0, 0}));
  EXPECT_EQ(whole(2, -2), (MotionVector{4, 0}));
  EXPECT_EQ(whole(3, -3), (MotionVector{4, -4}));
  EXPECT_EQ(whole(-6, 6), (MotionVector{-4, 8}));
}

// 8191 would be 8192 in whole samples.
TEST(SkipVector, IsLimitedAsPredictorsAre) {
  EXPECT_EQ(skip_vector({32'767, -32'768}, Precision::kQuarter), (MotionVector{8191, -8192}));
  EXPECT_EQ(skip_vector({32'767, -32'768}, Precision::kInteger), (MotionVector{8192, -8192}));
}

}  // namespace
}  // namespace millrace::motion
