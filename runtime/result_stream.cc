#include <millrace/runtime/result_stream.h>

#include <algorithm>
#include <thread>

namespace millrace {
namespace {

void wait(Transfer& transfer) {
  while (!transfer.is_done()) std::this_thread::yield();
}

// Calls `action` with the begin and the size of each message of so many bytes.
template <class Action>
void for_each_message(std::size_t bytes, const Action& action) {
  for (std::size_t begin = 0; begin < bytes; begin += Communicator::kMostMessageBytes) {
    action(begin, std::min(bytes - begin, Communicator::kMostMessageBytes));
  }
}

}  // namespace

ResultWriter::~ResultWriter() {
  try {
    if (!is_closed_) close();
  } catch (...) {  // Rank 0 cannot be reached, and the caller has been told so, or will be.
  }
}

bool ResultWriter::write(std::span<const std::byte> result) {
  Slot& slot = slots_[written_ % kResultsInFlight];
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
  for (Slot& slot : slots_) empty(slot);
  const ResultHeader end{ResultHeader::kEnd};
  wait(*communicator_.send(0, MessageTag::kResult, &end, sizeof end));
}

void ResultWriter::empty(Slot& slot) {
  for (const auto& transfer : slot.transfers) wait(*transfer);
  slot.transfers.clear();
  is_wanted_ = is_wanted_ && slot.answer.is_more_wanted != 0;
}

ResultReader::ResultReader(Communicator& communicator)
    : communicator_(communicator), sources_(static_cast<std::size_t>(communicator.size() - 1)) {
  for (int rank = 1; rank < communicator.size(); ++rank) announce(rank);
}

ResultReader::~ResultReader() {
  try {
    stop();
    while (next()) {
    }
    for (const Source& source : sources_) {
      if (source.answered) wait(*source.answered);
    }
  } catch (...) {  // A rank cannot be reached, and the caller has been told so, or will be.
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
  std::vector<std::byte> result(from.header.bytes);
  for_each_message(result.size(), [&](std::size_t begin, std::size_t size) {
    wait(*communicator_.receive(rank, MessageTag::kResult, result.data() + begin, size));
  });
  if (from.answered) wait(*from.answered);
  from.answer.is_more_wanted = is_wanted_ ? 1 : 0;
  from.answered = communicator_.send(rank, MessageTag::kControl, &from.answer, sizeof from.answer);
  announce(rank);
  return result;
}

}  // namespace millrace
