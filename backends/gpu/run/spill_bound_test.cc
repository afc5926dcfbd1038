// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/gpu/run/spill_bound.h>

#include <cstddef>
#include <string>

namespace millrace::MILLRACE_GPU {
namespace {

constexpr std::size_t kUnchecked = SpillBound::kUnchecked;
constexpr std::size_t kOnDevice = 1000;

std::size_t available = 0;
int queries = 0;

std::size_t query() {
  ++queries;
  return available;
}

TEST(SpillBound, IsWhatWasRequested) {
  queries = 0;
  SpillBound bound(4096, kOnDevice, &query);
  EXPECT_FALSE(bound.is_reached(4096));
  EXPECT_TRUE(bound.is_reached(4097));
  EXPECT_EQ(bound.text(), "4096 bytes to spill to");
  EXPECT_EQ(queries, 0);
}

TEST(SpillBound, LittleIsNothingToTheHost) {
  queries = 0;
  SpillBound bound(0, kOnDevice, &query);
  EXPECT_FALSE(bound.is_reached(0));
  EXPECT_FALSE(bound.is_reached(kUnchecked));
  EXPECT_EQ(queries, 0);
}

TEST(SpillBound, TheHostIsQueriedEachTimeTheListHasDoubled) {
  queries = 0;
  available = 100 * kUnchecked;
  SpillBound bound(0, kOnDevice, &query);
  EXPECT_FALSE(bound.is_reached(kUnchecked + 1));
  EXPECT_EQ(queries, 1);
  EXPECT_FALSE(bound.is_reached(2 * kUnchecked));
  EXPECT_EQ(queries, 1);
  EXPECT_FALSE(bound.is_reached(2 * kUnchecked + 3));
  EXPECT_EQ(queries, 2);
}

TEST(SpillBound, LeavesMemoryForTheListTwiceAsLongAndWhatIsOnTheDevice) {
  constexpr std::size_t kBytes = kUnchecked + 1;
  available = 3 * kBytes + kOnDevice;
  EXPECT_FALSE(SpillBound(0, kOnDevice, &query).is_reached(kBytes));
  for (const std::size_t less : {available - 1, kOnDevice - 1, std::size_t{0}}) {
    available = less;
    SpillBound bound(0, kOnDevice, &query);
    EXPECT_TRUE(bound.is_reached(kBytes));
    EXPECT_EQ(bound.text(),
              "the host's memory, of which " + std::to_string(less) + " bytes are available");
  }
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
