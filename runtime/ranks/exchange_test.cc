// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/exchange.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace millrace {
namespace {

constexpr std::size_t kRounds = 3;  // Number of blocks from each rank to each.

// Returns an uneven size, which is 0 for some blocks.
std::size_t block_bytes(int from, int to, std::size_t round) {
  const auto mix = static_cast<std::size_t>(7 * from + 3 * to) + 5 * round;
  return mix % 4 == 0 ? 0 : 100 * (mix % 9) + round;
}

std::byte content(int from, int to, std::size_t round, std::size_t index) {
  return static_cast<std::byte>(31 * static_cast<std::size_t>(from) +
                                17 * static_cast<std::size_t>(to) + 5 * round + index);
}

// A block of a rank in device memory.
struct Block {
  int rank;
  std::size_t round;
  std::size_t begin;
  std::size_t bytes;
};

std::vector<Block> blocks_of(int me, int size, bool are_sent) {
  std::vector<Block> blocks;
  std::size_t begin = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    for (int step = 0; step < size; ++step) {
      const int other = (are_sent ? me + step : me - step + size) % size;
      const std::size_t bytes =
          are_sent ? block_bytes(me, other, round) : block_bytes(other, me, round);
      blocks.push_back({other, round, begin, bytes});
      begin += bytes;
    }
  }
  return blocks;
}

std::size_t bytes_of(const std::vector<Block>& blocks) {
  return blocks.back().begin + blocks.back().bytes;
}

// Device, number of ranks, bytes of a message, true if messages may be in device memory.
using Case = std::tuple<std::string, int, std::size_t, bool>;

class ExchangeTest : public testing::TestWithParam<Case> {
 protected:
  int size() const { return std::get<1>(GetParam()); }

  // Exchanges all blocks of a rank and checks the received ones. Returns the report.
  ExchangeReport exchange_all(Communicator& communicator, const OnReceived& on_received) const {
    const auto device = open_device(std::get<0>(GetParam()));
    const auto queue = device->make_queue();
    const int me = communicator.rank();
    const std::vector<Block> out = blocks_of(me, size(), true);
    const std::vector<Block> in = blocks_of(me, size(), false);
    Buffer<std::byte> sent(device, MemorySpace::kDevice, bytes_of(out) + 1);
    Buffer<std::byte> received(device, MemorySpace::kDevice, bytes_of(in) + 1);
    std::vector<std::byte> host(bytes_of(out));
    std::vector<SendBlock> sends;
    std::vector<ReceiveBlock> receives;
    for (const Block& block : out) {
      for (std::size_t i = 0; i < block.bytes; ++i) {
        host[block.begin + i] = content(me, block.rank, block.round, i);
      }
      sends.push_back({block.rank, sent.data() + block.begin, block.bytes});
    }
    for (const Block& block : in) {
      receives.push_back({block.rank, received.data() + block.begin, block.bytes});
    }
    queue->copy(sent.data(), host.data(), host.size());
    queue->wait();
    const DistributedQueue ranks{communicator, *queue, std::get<2>(GetParam())};
    const ExchangeReport report =
        exchange(ranks, MemorySpace::kDevice, sends, receives, on_received);
    host.resize(bytes_of(in));
    queue->copy(host.data(), received.data(), host.size());
    queue->wait();
    for (const Block& block : in) {
      for (std::size_t i = 0; i < block.bytes; ++i) {
        EXPECT_EQ(host[block.begin + i], content(block.rank, me, block.round, i));
      }
    }
    return report;
  }

  void run(const std::function<void(Communicator&)>& rank) const {
    run_ranks(size(), rank, {.takes_device_memory = std::get<3>(GetParam())});
  }
};

TEST_P(ExchangeTest, EveryBlockComesToItsPositionAndIsNotifiedOnce) {
  run([&](Communicator& communicator) {
    std::vector<int> notified(kRounds * static_cast<std::size_t>(size()), 0);
    exchange_all(communicator, [&](std::size_t block) { ++notified[block]; });
    EXPECT_EQ(notified, std::vector<int>(notified.size(), 1));
  });
}

TEST_P(ExchangeTest, BytesToOthersAreCountedInBoundedMessages) {
  run([&](Communicator& communicator) {
    const ExchangeReport report = exchange_all(communicator, {});
    std::uint64_t bytes = 0;
    std::uint64_t messages = 0;
    const std::size_t most = std::get<2>(GetParam());
    for (const Block& block : blocks_of(communicator.rank(), size(), true)) {
      if (block.rank == communicator.rank()) continue;
      bytes += block.bytes;
      messages += (block.bytes + most - 1) / most;
    }
    EXPECT_EQ(report.bytes_sent, bytes);
    EXPECT_EQ(report.messages, messages);
  });
}

TEST_P(ExchangeTest, WhatOneRankThrowsHoldsUpNoOtherAndIsThrownOnAll) {
  run([&](Communicator& communicator) {
    EXPECT_THROW(exchange_all(communicator,
                              [&](std::size_t block) {
                                if (communicator.rank() == 0 && block == 0) {
                                  throw Error(ErrorCode::kTaskFailed, "no");
                                }
                              }),
                 Error);
  });
}

// Staging buffers are no larger than the largest block, though a message may be larger.
TEST(Exchange, TakesAsMuchPinnedMemoryAsThereIsToSend) {
  constexpr std::size_t kMessageBytes = std::size_t{64} << 20;
  for (const std::string& name : conformance::device_names()) {
    const auto device = open_device(name);
    const auto pool = device->pool(MemorySpace::kPinned);
    pool->trim(0);
    const std::size_t peak = pool->statistics().peak_bytes;
    run_ranks(2, [&](Communicator& communicator) {
      const auto queue = device->make_queue();
      Buffer<std::byte> memory(device, MemorySpace::kDevice, 200);
      const int other = 1 - communicator.rank();
      const std::vector<SendBlock> sends = {{other, memory.data(), 100}};
      const std::vector<ReceiveBlock> receives = {{other, memory.data() + 100, 100}};
      exchange({communicator, *queue, kMessageBytes}, MemorySpace::kDevice, sends, receives, {});
    });
    EXPECT_LT(pool->statistics().peak_bytes, peak + kMessageBytes) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Staged, ExchangeTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::Values(1, 2, 3, 7),
                                          testing::Values(std::size_t{64}, std::size_t{4096}),
                                          testing::Values(false)));
INSTANTIATE_TEST_SUITE_P(Direct, ExchangeTest,
                         testing::Combine(testing::ValuesIn(conformance::names_in_reach()),
                                          testing::Values(4), testing::Values(std::size_t{64}),
                                          testing::Values(true)));

}  // namespace
}  // namespace millrace
