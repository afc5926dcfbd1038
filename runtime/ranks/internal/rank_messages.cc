// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/ranks/internal/rank_messages.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace millrace {

RankMessages::RankMessages(Communicator& communicator)
    : communicator_(communicator), sources_(static_cast<std::size_t>(communicator.size())) {
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    if (rank == communicator_.rank()) continue;
    Source& source = sources_[static_cast<std::size_t>(rank)];
    source.transfer =
        communicator_.receive(rank, MessageTag::kControl, &source.header, sizeof(source.header));
  }
}

void RankMessages::send(int rank, RankHeader header, std::vector<std::byte> bytes) {
  header.bytes = bytes.size();
  Sent& sent = sent_.emplace_back(Sent{header, std::move(bytes), {}});
  sent.transfers.push_back(
      communicator_.send(rank, MessageTag::kControl, &sent.header, sizeof(sent.header)));
  if (sent.bytes.empty()) return;
  sent.transfers.push_back(
      communicator_.send(rank, MessageTag::kData, sent.bytes.data(), sent.bytes.size()));
}

void RankMessages::send_all(const RankHeader& header) {
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    if (rank != communicator_.rank()) send(rank, header);
  }
}

bool RankMessages::poll(const Receive& receive) {
  bool is_any = false;
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    while (poll_source(rank, receive)) is_any = true;
  }
  drop_sent();
  return is_any;
}

void RankMessages::end() {
  send_all({.kind = RankMessage::kBye});
  const auto has_all = [this] {
    return sent_.empty() && std::all_of(sources_.begin(), sources_.end(), [](const Source& source) {
             return source.transfer == nullptr;
           });
  };
  while (!has_all()) {
    const auto drop = [](int, const RankHeader&, const std::vector<std::byte>&) {};
    if (!poll(drop)) std::this_thread::yield();
  }
}

// Takes one message of a rank, if it has arrived.
bool RankMessages::poll_source(int rank, const Receive& receive) {
  Source& source = sources_[static_cast<std::size_t>(rank)];
  if (source.transfer == nullptr || !source.transfer->is_done()) return false;
  if (!source.awaits_bytes && source.header.bytes > 0) {
    source.bytes.resize(source.header.bytes);
    source.awaits_bytes = true;
    source.transfer =
        communicator_.receive(rank, MessageTag::kData, source.bytes.data(), source.bytes.size());
    return true;
  }
  const RankHeader header = source.header;
  const std::vector<std::byte> bytes = std::exchange(source.bytes, {});
  source.awaits_bytes = false;
  source.transfer.reset();
  if (header.kind == RankMessage::kBye) return false;
  source.transfer =
      communicator_.receive(rank, MessageTag::kControl, &source.header, sizeof(source.header));
  receive(rank, header, bytes);
  return true;
}

void RankMessages::drop_sent() {
  sent_.remove_if([](Sent& sent) {
    return std::all_of(sent.transfers.begin(), sent.transfers.end(),
                       [](const auto& transfer) { return transfer->is_done(); });
  });
}

}  // namespace millrace
