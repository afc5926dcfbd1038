// SPDX-License-Identifier: Apache-2.0

// Exchanges a block of more bytes than 32 bits can count. It takes 5 GB of memory, so it runs only
// if it is named.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/ranks/exchange.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace {
namespace {

constexpr std::uint64_t kBytes = (std::uint64_t{1} << 31) + 12'345;
constexpr std::uint64_t kStep = 1'000'003;  // Distance of the bytes that are compared.

std::byte content(std::uint64_t offset) {
  return static_cast<std::byte>(offset * 2654435761 >> 24);
}

TEST(LargeExchange, ABlockMayHaveMoreBytesThanAnInt) {
  run_ranks(2, [](Communicator& communicator) {
    const auto queue = open_device(conformance::some_device_name())->make_queue();
    std::vector<std::byte> block(kBytes);
    std::vector<SendBlock> sends;
    std::vector<ReceiveBlock> receives;
    if (communicator.rank() == 0) {
      for (std::uint64_t i = 0; i < kBytes; i += kStep) block[i] = content(i);
      block[kBytes - 1] = content(kBytes - 1);
      sends.push_back({1, block.data(), kBytes});
    } else {
      receives.push_back({0, block.data(), kBytes});
    }
    exchange({communicator, *queue, Communicator::kMostMessageBytes}, MemorySpace::kHost, sends,
             receives, {});
    for (std::uint64_t i = 0; i < kBytes; i += kStep) ASSERT_EQ(block[i], content(i)) << i;
    EXPECT_EQ(block[kBytes - 1], content(kBytes - 1));
  });
}

}  // namespace
}  // namespace millrace
