// SPDX-License-Identifier: Apache-2.0

// The ranks of a run that is spread over processes, usually of several machines: what distributed
// algorithms need of MPI, without its headers.
//
//   Communicator& world = world_communicator();              // runtime/ranks/world.h
//   DistributedQueue ranks{world, *queue};                   // runtime/ranks/distributed_queue.h
//   radix_sort::sort_keys<float>(ranks, my_part, my_range);  // on every rank
#ifndef MILLRACE_RUNTIME_RANKS_COMMUNICATOR_H_
#define MILLRACE_RUNTIME_RANKS_COMMUNICATOR_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace millrace {

// What travels, for the ranks' own order: messages of one tag arrive in the order in which they
// were sent.
enum class MessageTag : std::uint8_t { kControl, kData, kResult };

// A message on its way, sent or received. Its memory stays the caller's, and as it is, until it has
// arrived.
class Transfer {
 public:
  // What has not arrived is withdrawn; where that cannot be, as of messages that MPI sends, waits
  // until it has.
  virtual ~Transfer() = default;

  // Whether it has arrived; makes it go on. Throws Error (kIo) where it never will.
  virtual bool is_done() = 0;
};

// Members are called by one thread at a time, and collective ones by all ranks in the same order.
// They throw Error (kIo) where another rank cannot be reached; nothing more can be sent then.
class Communicator {
 public:
  virtual ~Communicator() = default;

  // 0 to size() - 1.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // Counts the ranks of this machine: which of its devices is this rank's.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;

  // Start, and never block. At most kMostMessageBytes; both sides say the same size. Memory is the
  // host's, or where takes_device_memory() any device's.
  virtual std::unique_ptr<Transfer> send(int target, MessageTag tag, const void* data,
                                         std::size_t bytes) = 0;
  virtual std::unique_ptr<Transfer> receive(int source, MessageTag tag, void* data,
                                            std::size_t bytes) = 0;

  // Whether memory of `target` ("cuda", ...; DeviceInfo::target) may be sent from and received to.
  virtual bool takes_device_memory(const std::string& target) const = 0;

  // Collective: writes `bytes` of every rank, in order, to `all`. At most kMostMessageBytes each.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) = 0;

  // Collective: `bytes` of rank `root` to all others, at most kMostMessageBytes.
  virtual void broadcast(void* data, std::size_t bytes, int root) = 0;

  // Collective: the sums over ranks take the place of `values`.
  virtual void all_sum(std::uint64_t* values, std::size_t count) = 0;

  // What MPI counts in is a 32-bit int.
  static constexpr std::size_t kMostMessageBytes = std::numeric_limits<std::int32_t>::max();
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_COMMUNICATOR_H_
