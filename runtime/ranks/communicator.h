// SPDX-License-Identifier: Apache-2.0

// A communicator connects the ranks of a run, which are processes, usually on several machines. It
// is the part of MPI that distributed algorithms need, without MPI's headers.
//
//   Communicator& world = world_communicator();              // runtime/ranks/world.h
//   DistributedQueue ranks{world, *queue};                   // runtime/ranks/distributed_queue.h
//   radix_sort::sort_keys<float>(ranks, my_keys, my_range);  // On every rank.
#ifndef MILLRACE_RUNTIME_RANKS_COMMUNICATOR_H_
#define MILLRACE_RUNTIME_RANKS_COMMUNICATOR_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace millrace {

// The kind of a message. Messages of one kind between two ranks arrive in the order in which they
// were sent.
enum class MessageTag : std::uint8_t { kControl, kData, kResult };

// A message in flight, sent or received. The caller owns its memory and keeps it unchanged until
// the message has arrived.
class Transfer {
 public:
  // Withdraws the message if it has not arrived. If that is impossible, as for messages that MPI
  // sends, the destructor waits for it.
  virtual ~Transfer() = default;

  // Makes progress, and returns true if the message has arrived. Throws Error (kIo) if it never
  // will.
  virtual bool is_done() = 0;
};

// Members may be called by one thread at a time. Collective members must be called by all ranks in
// the same order. All throw Error (kIo) if another rank cannot be reached; after that, no more
// messages can be sent.
class Communicator {
 public:
  virtual ~Communicator() = default;

  // Returns the index of this rank, 0 to size() - 1.
  virtual int rank() const = 0;

  // Returns the number of ranks.
  virtual int size() const = 0;

  // Return the index of this rank among the ranks of this machine, and their number. A rank may
  // choose its device by them.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;

  // Start a transfer of at most kMostMessageBytes and return at once. Both sides must state the
  // same size. The memory is host memory, or memory of a device if takes_device_memory().
  virtual std::unique_ptr<Transfer> send(int target, MessageTag tag, const void* data,
                                         std::size_t bytes) = 0;
  virtual std::unique_ptr<Transfer> receive(int source, MessageTag tag, void* data,
                                            std::size_t bytes) = 0;

  // Returns true if messages may be in memory of devices of `target` (DeviceInfo::target).
  virtual bool takes_device_memory(const std::string& target) const = 0;

  // Collective. Writes `bytes` bytes of every rank, in the order of the ranks, to `all`. At most
  // kMostMessageBytes of each rank.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) = 0;

  // Collective. Copies `bytes` bytes of rank `root` to all others, at most kMostMessageBytes.
  virtual void broadcast(void* data, std::size_t bytes, int root) = 0;

  // Collective. Replaces each of the `count` values by its sum over all ranks.
  virtual void all_sum(std::uint64_t* values, std::size_t count) = 0;

  // Maximum size of a message: MPI counts bytes in a 32-bit int.
  static constexpr std::size_t kMostMessageBytes = std::numeric_limits<std::int32_t>::max();
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_COMMUNICATOR_H_
