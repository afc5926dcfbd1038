// SPDX-License-Identifier: Apache-2.0

// Exchanges blocks of memory between ranks, many at a time, in messages of bounded size.
//
//   exchange(ranks, MemorySpace::kDevice, sends, receives,
//            [&](std::size_t i) { use(receives[i]); });
#ifndef MILLRACE_RUNTIME_RANKS_EXCHANGE_H_
#define MILLRACE_RUNTIME_RANKS_EXCHANGE_H_

#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/ranks/distributed_queue.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace millrace {

// A block that is sent to a rank, which may be this one.
struct SendBlock {
  int rank = 0;
  const std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

// Memory for a block that is received from a rank, which may be this one.
struct ReceiveBlock {
  int rank = 0;
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

struct ExchangeReport {
  std::uint64_t bytes_sent = 0;  // Bytes sent to other ranks.
  std::uint64_t messages = 0;    // Number of messages sent to other ranks.
  bool is_staged = false;        // True if device memory went through pinned memory, because the
                                 // communicator does not take it.
};

// Called on the thread of exchange(), once for each block that has arrived, with its index in
// `receives`, while others are in flight. It must be short; longer work belongs on another thread
// or queue.
using OnReceived = std::function<void(std::size_t receive)>;

// Collective. Sends and receives all blocks and returns when all have arrived. The caller owns the
// blocks, which are in memory space `space` of the device of ranks.queue; no operation of that
// queue may use them. The blocks that a rank sends to another must match, in order and sizes, the
// blocks that the other receives from it.
//
// For any two ranks a and b, the blocks from a to b must be at about the same positions among a's
// sends and b's receives; otherwise ranks may wait for each other for ever. Rounds in which rank a
// sends to (a + round) % size fulfil this.
//
// Throws on all ranks, once all blocks have been exchanged, what `on_received` or a copy threw on
// one of them.
ExchangeReport exchange(const DistributedQueue& ranks, MemorySpace space,
                        std::span<const SendBlock> sends, std::span<const ReceiveBlock> receives,
                        const OnReceived& on_received);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_EXCHANGE_H_
