// SPDX-License-Identifier: Apache-2.0

// The messages by which ranks share a run of tasks (task_ranks.h): small headers, some with bytes
// that follow, from any rank to any other at any time.
#ifndef MILLRACE_RUNTIME_RANKS_INTERNAL_RANK_MESSAGES_H_
#define MILLRACE_RUNTIME_RANKS_INTERNAL_RANK_MESSAGES_H_

#include <millrace/runtime/ranks/communicator.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <vector>

namespace millrace {

enum class RankMessage : std::uint32_t {
  kRequest,    // The sender has no task left.
  kTasks,      // The answer: tasks, or none.
  kArrivals,   // Arrivals at joins that the receiver keeps.
  kConfirmed,  // The sender has taken in arrivals that a join is to expect.
  kProbe,      // Rank 0 requests a state.
  kState,      // Counts of sent and received messages.
  kStop,       // The run stops early.
  kEnd,        // All tasks have run, and no message is on its way.
  kBye,        // The sender's last message.
};

struct RankHeader {
  RankMessage kind;
  std::uint32_t flag = 0;
  std::uint64_t count = 0;  // Items in the bytes that follow.
  std::uint64_t bytes = 0;  // Set by RankMessages::send().
  std::uint64_t sent = 0;   // kState: messages with tasks or arrivals.
  std::uint64_t received = 0;
  std::uint64_t surplus = 0;  // Tasks that the sender could give, as far as it knows.
  double speed = 0;           // kRequest: of the sender's device.
};

// Used by one thread. Messages between two ranks arrive in order.
class RankMessages {
 public:
  // Collective: each rank makes one, and has one at a time.
  explicit RankMessages(Communicator& communicator);
  RankMessages(const RankMessages&) = delete;
  RankMessages& operator=(const RankMessages&) = delete;

  // Sends a message to another rank. `bytes` are at most Communicator::kMostMessageBytes.
  void send(int rank, RankHeader header, std::vector<std::byte> bytes = {});
  // Sends it to all other ranks.
  void send_all(const RankHeader& header);

  using Receive =
      std::function<void(int source, const RankHeader&, const std::vector<std::byte>& bytes)>;

  // Makes progress, and calls `receive` for each message that has arrived. Returns true if there
  // was any. Throws what the communicator throws.
  bool poll(const Receive& receive);

  // Says goodbye to all ranks, and returns once they have. No message is on its way then; those
  // that arrive before are dropped.
  void end();

 private:
  struct Sent {
    RankHeader header;
    std::vector<std::byte> bytes;
    std::vector<std::unique_ptr<Transfer>> transfers;
  };
  struct Source {
    RankHeader header{};
    std::vector<std::byte> bytes;
    std::unique_ptr<Transfer> transfer;  // Transfer of the header, or of the bytes.
    bool awaits_bytes = false;
  };

  bool poll_source(int rank, const Receive& receive);
  void drop_sent();

  Communicator& communicator_;
  std::list<Sent> sent_;
  std::vector<Source> sources_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_INTERNAL_RANK_MESSAGES_H_
