// SPDX-License-Identifier: Apache-2.0

// Results that ranks send to rank 0 one after another, while they make more: some in flight,
// bounded.
//
//   if (communicator.rank() == 0) {
//     ResultReader results(communicator);
//     while (auto result = results.next(3)) write(*result);      // Of rank 3, in its order.
//   } else {
//     ResultWriter results(communicator);
//     results.write(bytes);                                      // As often as there are some.
//     results.close();
//   }
#ifndef MILLRACE_RUNTIME_RANKS_RESULT_STREAM_H_
#define MILLRACE_RUNTIME_RANKS_RESULT_STREAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include <millrace/runtime/ranks/communicator.h>

namespace millrace {

// Results that a writer sends before rank 0 has taken the first of them.
inline constexpr std::size_t kResultsInFlight = 4;

// What a result is announced by. After a size of kEnd none comes.
struct ResultHeader {
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  std::uint64_t bytes = 0;
};

// What rank 0 says to each result once it has it.
struct ResultAnswer {
  std::uint8_t is_more_wanted = 1;
};

// Of a rank other than 0. One thread at a time.
class ResultWriter {
 public:
  explicit ResultWriter(Communicator& communicator) : communicator_(communicator) {}

  // Closes, so that rank 0 does not wait for more; drops errors.
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  // Sends a copy. Waits where rank 0 is kResultsInFlight behind. Returns whether rank 0 wants more:
  // false is to end the writer's work, not an error.
  bool write(std::span<const std::byte> result);

  // Waits until rank 0 has everything. To be called once; nothing is written after it.
  void close();

 private:
  struct Slot {
    ResultHeader header;
    std::vector<std::byte> bytes;
    ResultAnswer answer;
    std::vector<std::unique_ptr<Transfer>> transfers;
  };

  // Waits until what the slot had last has come and was answered.
  void empty(Slot& slot);

  Communicator& communicator_;
  std::array<Slot, kResultsInFlight> slots_;
  std::uint64_t written_ = 0;
  bool is_wanted_ = true;
  bool is_closed_ = false;
};

// Of rank 0. One thread at a time.
class ResultReader {
 public:
  explicit ResultReader(Communicator& communicator);

  // As discard(); drops errors.
  ~ResultReader();
  ResultReader(const ResultReader&) = delete;
  ResultReader& operator=(const ResultReader&) = delete;

  // The next result of `rank`, 1 to size() - 1, once it has come; none after its last. Throws what
  // the allocation of a result throws; that result is lost, and its rank told that no more is
  // wanted.
  std::optional<std::vector<std::byte>> next(int rank);

  // The next result of any rank, likewise.
  std::optional<std::vector<std::byte>> next();

  // Tells ranks that write() from now on that no more is wanted.
  void stop() { is_wanted_ = false; }

  // The same, and drops what they still send, to its end.
  void discard();

 private:
  struct Source {
    ResultHeader header;
    std::unique_ptr<Transfer> announced;  // Null once there is no more.
    ResultAnswer answer;
    std::unique_ptr<Transfer> answered;
  };

  Source& source(int rank) { return sources_[static_cast<std::size_t>(rank) - 1]; }
  void announce(int rank);
  std::optional<std::vector<std::byte>> take(int rank);

  Communicator& communicator_;
  std::vector<Source> sources_;
  const std::unique_ptr<std::byte[]> dropped_;  // A message of what nobody gets.
  bool is_wanted_ = true;
  bool is_dropping_ = false;
};

// Of rank 0: calls take(result) for each result of any rank, on this thread, while own(stop) runs
// on another, and returns when both have ended. What is first thrown by either is thrown then; a
// stop is requested of `own`, and results are dropped from there on, but taken to their end: a rank
// that waits for rank 0 may hold what `own` needs.
void receive_beside(Communicator& communicator,
                    const std::function<void(const std::stop_token& stop)>& own,
                    const std::function<void(std::span<const std::byte> result)>& take);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_RESULT_STREAM_H_
