// SPDX-License-Identifier: Apache-2.0

// Blocks of memory that ranks send one another, many at a time, in bounded messages.
//
//   exchange(ranks, MemorySpace::kDevice, sends, receives, [&](std::size_t i) { use(receives[i]);
//   });
#ifndef MILLRACE_RUNTIME_RANKS_EXCHANGE_H_
#define MILLRACE_RUNTIME_RANKS_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/ranks/distributed_queue.h>

namespace millrace {

// What goes to a rank, or the room for what comes from it: this rank's too.
struct SendBlock {
  int rank = 0;
  const std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};
struct ReceiveBlock {
  int rank = 0;
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

struct ExchangeReport {
  std::uint64_t bytes_sent = 0;  // To other ranks.
  std::uint64_t messages = 0;
  bool is_staged = false;  // Through pinned memory, because messages cannot be in the device's.
};

// Called on the thread of exchange(), once for each block that has come, while others are on their
// way. It must be short; more is for another thread or queue.
using OnReceived = std::function<void(std::size_t receive)>;

// Collective. All blocks are in `space` of the device of ranks.queue, which has no work left with
// them. The blocks that a rank has for another are, in order and sizes, those that it has room for.
// Every rank gets on where for any two ranks a and b the blocks from a to b are neither much
// earlier among a's sends than among b's receives, nor much later: rounds in which rank a sends to
// (a + round) % size do so. Returns when all have come and gone. What `on_received` and the
// device's copies throw on one rank holds up no other, and is thrown on all then.
ExchangeReport exchange(const DistributedQueue& ranks, MemorySpace space,
                        std::span<const SendBlock> sends, std::span<const ReceiveBlock> receives,
                        const OnReceived& on_received);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_EXCHANGE_H_
