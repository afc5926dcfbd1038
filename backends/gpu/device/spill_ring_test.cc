// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/device/spill_ring.h>
#include <millrace/backends/gpu/gpu_test.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

constexpr std::uint64_t kSlots = SpillRing::kSlots;
constexpr std::uint64_t kHead = 10 * kSlots + 5;
constexpr std::uint64_t kFirstWaiting = kHead + kSlots;

// Returns how many of `lanes` lanes, which wait for consecutive slots, read the host's head in a
// round.
std::uint64_t reads(std::uint64_t lanes, unsigned round) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < lanes; ++i) {
    if (SpillRing::reads_head(kFirstWaiting + i, kHead, round)) ++count;
  }
  return count;
}

// As many lanes as an H200 has resident.
TEST(SpillRing, AReadOfTheHeadDoesNotWaitForThoseOfAllLanes) {
  constexpr std::uint64_t kLanes = 132 * 1024;
  for (unsigned round = 0; round < 63; ++round) EXPECT_EQ(reads(kLanes, round), kSlots / 64);
  EXPECT_EQ(reads(kLanes, 63), kSlots);
}

TEST(SpillRing, OfLanesThatWaitOneReadsTheHeadSoonerOrLater) {
  for (const std::uint64_t lanes : {1, 2, 63, 64, 1000}) {
    std::uint64_t found = 0;
    for (unsigned round = 0; round < 64; ++round) found += reads(lanes, round);
    EXPECT_GT(found, 0u) << lanes << " lanes";
  }
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
