// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/ranks/result_stream.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace millrace {
namespace {

void wait(Transfer& transfer) {
  while (!transfer.is_done()) std::this_thread::yield();
}

// Maximum bytes of a message. The reader has a buffer of this size for results that it drops.
constexpr std::size_t kMessageBytes = std::size_t{1} << 20;

// Calls `action` with the begin and the size of each message of a result of `bytes` bytes.
template <class Action>
void for_each_message(std::size_t bytes, const Action& action) {
  for (std::size_t begin = 0; begin < bytes; begin += kMessageBytes) {
    action(begin, std::min(bytes - begin, kMessageBytes));
  }
}

}  // namespace

ResultWriter::~ResultWriter() {
  try {
    if (!is_closed_) close();
  } catch (...) {  // Rank 0 cannot be reached. The next call on the communicator throws.
  }
}

bool ResultWriter::write(std::span<const std::byte> result) {
  ResultSlot& slot = slots_[written_ % kResultsInFlight];
  empty(slot);
  if (!is_wanted_) return false;
  ++written_;
  slot.header.bytes = result.size();
  slot.bytes.assign(result.begin(), result.end());
  slot.transfers.push_back(
      communicator_.receive(0, MessageTag::kControl, &slot.answer, sizeof slot.answer));
  slot.transfers.push_back(
      communicator_.send(0, MessageTag::kResult, &slot.header, sizeof slot.header));
  for_each_message(slot.bytes.size(), [&](std::size_t begin, std::size_t size) {
    slot.transfers.push_back(
        communicator_.send(0, MessageTag::kResult, slot.bytes.data() + begin, size));
  });
  return true;
}

void ResultWriter::close() {
  is_closed_ = true;
  for (ResultSlot& slot : slots_) empty(slot);
  const ResultHeader end{ResultHeader::kEnd};
  wait(*communicator_.send(0, MessageTag::kResult, &end, sizeof end));
}

void ResultWriter::empty(ResultSlot& slot) {
  for (const auto& transfer : slot.transfers) wait(*transfer);
  slot.transfers.clear();
  is_wanted_ = is_wanted_ && slot.answer.is_more_wanted != 0;
}

ResultReader::ResultReader(Communicator& communicator)
    : communicator_(communicator),
      sources_(static_cast<std::size_t>(communicator.size() - 1)),
      dropped_(std::make_unique_for_overwrite<std::byte[]>(kMessageBytes)) {
  for (int rank = 1; rank < communicator.size(); ++rank) announce(rank);
}

ResultReader::~ResultReader() {
  try {
    discard();
  } catch (...) {  // A rank cannot be reached. The next call on the communicator throws.
  }
}

void ResultReader::discard() {
  stop();
  is_dropping_ = true;
  while (next()) {
  }
  for (const Source& source : sources_) {
    if (source.answered) wait(*source.answered);
  }
}

void ResultReader::announce(int rank) {
  Source& from = source(rank);
  from.announced =
      communicator_.receive(rank, MessageTag::kResult, &from.header, sizeof from.header);
}

std::optional<std::vector<std::byte>> ResultReader::next(int rank) {
  if (!source(rank).announced) return std::nullopt;
  wait(*source(rank).announced);
  return take(rank);
}

std::optional<std::vector<std::byte>> ResultReader::next() {
  while (true) {
    bool is_open = false;
    for (int rank = 1; rank < communicator_.size(); ++rank) {
      const auto& announced = source(rank).announced;
      if (!announced) continue;
      is_open = true;
      if (!announced->is_done()) continue;
      if (auto result = take(rank)) return result;
    }
    if (!is_open) return std::nullopt;
    std::this_thread::yield();
  }
}

std::optional<std::vector<std::byte>> ResultReader::take(int rank) {
  Source& from = source(rank);
  if (from.header.bytes == ResultHeader::kEnd) {
    from.announced.reset();
    return std::nullopt;
  }
  std::vector<std::byte> result;
  std::exception_ptr error;
  try {
    if (!is_dropping_) result.resize(from.header.bytes);
  } catch (...) {  // The result must still be received, because its rank waits for that.
    error = std::current_exception();
    stop();
  }
  for_each_message(from.header.bytes, [&](std::size_t begin, std::size_t size) {
    std::byte* const target = result.empty() ? dropped_.get() : result.data() + begin;
    wait(*communicator_.receive(rank, MessageTag::kResult, target, size));
  });
  if (from.answered) wait(*from.answered);
  from.answer.is_more_wanted = is_wanted_ ? 1 : 0;
  from.answered = communicator_.send(rank, MessageTag::kControl, &from.answer, sizeof from.answer);
  announce(rank);
  if (error) std::rethrow_exception(error);
  return result;
}

void receive_beside(Communicator& communicator,
                    const std::function<void(const std::stop_token&)>& own,
                    const std::function<void(std::span<const std::byte>)>& take) {
  ResultReader results(communicator);
  std::mutex mutex;
  std::exception_ptr error;  // First error of the two threads.
  std::stop_source stop;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      stop.request_stop();
    }
  };
  {
    const std::jthread beside([&] { attempt([&] { own(stop.get_token()); }); });
    attempt([&] {
      while (const auto result = results.next()) {
        if (stop.stop_requested()) return;
        take(*result);
      }
    });
    attempt([&] { results.discard(); });  // `own` may wait for ranks that wait for rank 0.
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace millrace
