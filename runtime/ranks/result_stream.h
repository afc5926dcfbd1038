// SPDX-License-Identifier: Apache-2.0

// Streams results from all ranks to rank 0. A bounded number of results is in flight while the
// ranks compute more.
//
//   if (communicator.rank() == 0) {
//     ResultReader results(communicator);
//     while (auto result = results.next(3)) write(*result);      // The results of rank 3 in order.
//   } else {
//     ResultWriter results(communicator);
//     results.write(bytes);                                      // Any number of times.
//     results.close();
//   }
#ifndef MILLRACE_RUNTIME_RANKS_RESULT_STREAM_H_
#define MILLRACE_RUNTIME_RANKS_RESULT_STREAM_H_

#include <millrace/runtime/ranks/communicator.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace {

// Number of results that a writer may send before rank 0 has received the first of them.
inline constexpr std::size_t kResultsInFlight = 4;

// The message before each result. A size of kEnd marks the end of the stream.
struct ResultHeader {
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  std::uint64_t bytes = 0;
};

// The answer of rank 0 to each result that it has received.
struct ResultAnswer {
  std::uint8_t is_more_wanted = 1;
};

// The sending side, on a rank other than 0. Used by one thread at a time. Members throw what the
// communicator throws.
class ResultWriter {
 public:
  explicit ResultWriter(Communicator& communicator) : communicator_(communicator) {}

  // Closes the stream, so that rank 0 does not wait for more results. Drops errors.
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  // Sends a copy of the result. Waits if kResultsInFlight results are in flight. Returns false if
  // rank 0 wants no more results; the writer should then end its work, without an error.
  bool write(std::span<const std::byte> result);

  // Waits until rank 0 has received everything. It must be called at most once, after the last
  // write().
  void close();

 private:
  struct ResultSlot {
    ResultHeader header;
    std::vector<std::byte> bytes;
    ResultAnswer answer;
    std::vector<std::unique_ptr<Transfer>> transfers;
  };

  // Waits until the slot's last result has been received and answered.
  void empty(ResultSlot& slot);

  Communicator& communicator_;
  std::array<ResultSlot, kResultsInFlight> slots_;
  std::uint64_t written_ = 0;
  bool is_wanted_ = true;
  bool is_closed_ = false;
};

// The receiving side, on rank 0. Used by one thread at a time. Members throw what the communicator
// throws.
class ResultReader {
 public:
  explicit ResultReader(Communicator& communicator);

  // Calls discard() and drops errors.
  ~ResultReader();
  ResultReader(const ResultReader&) = delete;
  ResultReader& operator=(const ResultReader&) = delete;

  // Waits for the next result of `rank`, 1 to size() - 1. Returns nothing after its last one. If a
  // result cannot be allocated, it is lost, no more results are requested, and the exception is
  // thrown.
  std::optional<std::vector<std::byte>> next(int rank);

  // Waits for the next result of any rank, with the same rules.
  std::optional<std::vector<std::byte>> next();

  // Makes later calls of write() return false.
  void stop() { is_wanted_ = false; }

  // Calls stop(), then receives and drops all results that are still sent.
  void discard();

 private:
  struct Source {
    ResultHeader header;
    std::unique_ptr<Transfer> announced;  // Null after the end of the stream.
    ResultAnswer answer;
    std::unique_ptr<Transfer> answered;
  };

  Source& source(int rank) { return sources_[static_cast<std::size_t>(rank) - 1]; }
  void announce(int rank);
  std::optional<std::vector<std::byte>> take(int rank);

  Communicator& communicator_;
  std::vector<Source> sources_;
  const std::unique_ptr<std::byte[]> dropped_;  // Buffer for messages that are dropped.
  bool is_wanted_ = true;
  bool is_dropping_ = false;
};

// Called on rank 0. Calls take(result) for each result of any rank on this thread, while own(stop)
// runs on another, and returns when both have ended. If either throws, `stop` is requested and
// later results are received but dropped, because `own` may need a rank that waits for rank 0. The
// first exception is thrown at the end.
void receive_beside(Communicator& communicator,
                    const std::function<void(const std::stop_token& stop)>& own,
                    const std::function<void(std::span<const std::byte> result)>& take);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_RESULT_STREAM_H_
