// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/exchange.h>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace millrace {
namespace {

// Number of messages in flight in each direction: enough to overlap the network with the copies on
// both its sides.
constexpr std::size_t kWindow = 8;

template <class Block>
struct Message {
  std::size_t block;
  int rank;
  decltype(Block::data) data;
  std::size_t bytes;
};

// Divides blocks into messages, in the order of the blocks.
template <class Block>
class Messages {
 public:
  Messages(std::span<const Block> blocks, std::size_t message_bytes)
      : blocks_(blocks), message_bytes_(message_bytes) {}

  std::optional<Message<Block>> next() {
    while (block_ < blocks_.size() && offset_ == blocks_[block_].bytes) {
      ++block_;
      offset_ = 0;
    }
    if (block_ == blocks_.size()) return std::nullopt;
    const Block& block = blocks_[block_];
    const auto bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(message_bytes_, block.bytes - offset_));
    const Message<Block> message{block_, block.rank, block.data + offset_, bytes};
    offset_ += bytes;
    return message;
  }

 private:
  const std::span<const Block> blocks_;
  const std::size_t message_bytes_;
  std::size_t block_ = 0;
  std::uint64_t offset_ = 0;
};

// The state that both directions share. Nothing is thrown once the exchange has begun, because
// other ranks wait for every message. The first error is kept, and later messages have undefined
// contents.
class Route {
 public:
  Route(const DistributedQueue& ranks, MemorySpace space, std::uint64_t largest_block)
      : communicator_(ranks.communicator),
        message_bytes_(ranks.message_bytes),
        staging_bytes_(
            static_cast<std::size_t>(std::min<std::uint64_t>(ranks.message_bytes, largest_block))),
        copies_(ranks.queue.device().make_queue()) {
    const DeviceInfo& device = ranks.queue.device().info();
    is_staged_ = space == MemorySpace::kDevice && !device.shares_host_memory &&
                 !communicator_.takes_device_memory(device.target);
  }

  Communicator& communicator() const { return communicator_; }
  std::size_t message_bytes() const { return message_bytes_; }
  bool is_staged() const { return is_staged_; }

  // Returns a staging buffer for one message; empty if messages are not staged.
  Buffer<std::byte> staging() const {
    if (!is_staged_ || staging_bytes_ == 0) return {};
    return Buffer<std::byte>(copies_->device().pool(MemorySpace::kPinned), staging_bytes_);
  }

  // Copies between blocks and staging buffers, and between blocks of this rank.
  Event copy(std::byte* target, const std::byte* source, std::size_t bytes) {
    Event copied;
    attempt([&] {
      copies_->copy(target, source, bytes);
      copied = copies_->record();
    });
    return copied;
  }

  // Calls `action` and keeps the first error.
  template <class Action>
  void attempt(const Action& action) {
    try {
      action();
    } catch (...) {
      if (!error_) error_ = std::current_exception();
    }
  }

  bool has_failed() const { return error_ != nullptr; }

  // Waits for all copies and drops their errors.
  void drain() {
    try {
      copies_->wait();
    } catch (...) {  // The caller throws an earlier error.
    }
  }

  void finish() {
    copies_->wait();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  Communicator& communicator_;
  const std::size_t message_bytes_;
  const std::size_t staging_bytes_;
  const std::unique_ptr<Queue> copies_;
  bool is_staged_ = false;
  std::exception_ptr error_;
};

// The window of messages that are sent. Staged messages are copied to pinned memory first.
class Outgoing {
 public:
  Outgoing(Route& route, std::span<const SendBlock> blocks, ExchangeReport& report)
      : route_(route), messages_(blocks, route.message_bytes()), report_(report) {
    next_ = next_for_others();
    for (SendSlot& slot : slots_) slot.staging = route.staging();
  }

  bool is_done() const { return !next_ && busy_ == 0; }

  // Makes progress. Returns true if the state has changed.
  bool advance() {
    bool has_moved = false;
    for (SendSlot& slot : slots_) has_moved = advance(slot) || has_moved;
    while (next_ && slots_[started_ % kWindow].state == State::kFree) {
      start(slots_[started_ % kWindow]);
      has_moved = true;
    }
    return has_moved;
  }

 private:
  enum class State { kFree, kCopying, kInFlight };
  struct SendSlot {
    State state = State::kFree;
    Message<SendBlock> message{};
    Buffer<std::byte> staging{};
    Event copied{};
    std::unique_ptr<Transfer> transfer{};
  };

  // Skips blocks that a rank sends to itself, which its receiving side copies.
  std::optional<Message<SendBlock>> next_for_others() {
    auto message = messages_.next();
    while (message && message->rank == route_.communicator().rank()) message = messages_.next();
    return message;
  }

  void start(SendSlot& slot) {
    slot.message = *next_;
    next_ = next_for_others();
    ++started_;
    ++busy_;
    if (!route_.is_staged()) {
      send(slot, slot.message.data);
      return;
    }
    slot.copied = route_.copy(slot.staging.data(), slot.message.data, slot.message.bytes);
    slot.state = State::kCopying;
  }

  void send(SendSlot& slot, const std::byte* data) {
    report_.bytes_sent += slot.message.bytes;
    ++report_.messages;
    slot.transfer =
        route_.communicator().send(slot.message.rank, MessageTag::kData, data, slot.message.bytes);
    slot.state = State::kInFlight;
  }

  bool advance(SendSlot& slot) {
    if (slot.state == State::kCopying && slot.copied.ready()) {
      // Messages to one rank must be sent in order.
      if (&slot != &slots_[sent_ % kWindow]) return false;
      send(slot, slot.staging.data());
      ++sent_;
      return true;
    }
    if (slot.state != State::kInFlight || !slot.transfer->is_done()) return false;
    slot.transfer.reset();
    slot.state = State::kFree;
    --busy_;
    return true;
  }

  Route& route_;
  Messages<SendBlock> messages_;
  ExchangeReport& report_;
  std::array<SendSlot, kWindow> slots_;
  std::optional<Message<SendBlock>> next_;
  std::size_t started_ = 0;
  std::size_t sent_ = 0;  // Number of staged messages sent.
  std::size_t busy_ = 0;
};

// The window of messages that are received. Staged messages are copied to their blocks.
class Incoming {
 public:
  Incoming(Route& route, std::span<const SendBlock> sends, std::span<const ReceiveBlock> blocks,
           const OnReceived& on_received)
      : route_(route), messages_(blocks, route.message_bytes()), on_received_(on_received) {
    for (const ReceiveBlock& block : blocks) left_.push_back(block.bytes);
    for (const SendBlock& block : sends) {
      if (block.rank == route.communicator().rank()) own_.push_back(block);
    }
    for (ReceiveSlot& slot : slots_) slot.staging = route.staging();
    next_ = messages_.next();
  }

  // Notifies the caller of the empty blocks.
  void begin() {
    for (std::size_t block = 0; block < left_.size(); ++block) {
      if (left_[block] == 0) notify(block);
    }
  }

  bool is_done() const { return !next_ && busy_ == 0; }

  bool advance() {
    bool has_moved = false;
    for (ReceiveSlot& slot : slots_) has_moved = advance(slot) || has_moved;
    while (next_ && slots_[started_ % kWindow].state == State::kFree) {
      start(slots_[started_ % kWindow]);
      has_moved = true;
    }
    return has_moved;
  }

 private:
  enum class State { kFree, kInFlight, kCopying };
  struct ReceiveSlot {
    State state = State::kFree;
    Message<ReceiveBlock> message{};
    Buffer<std::byte> staging{};
    Event copied{};
    std::unique_ptr<Transfer> transfer{};
  };

  void start(ReceiveSlot& slot) {
    slot.message = *next_;
    next_ = messages_.next();
    ++started_;
    ++busy_;
    if (slot.message.rank == route_.communicator().rank()) {
      copy_to_block(slot, take_own(slot.message.bytes));
      return;
    }
    std::byte* const target = route_.is_staged() ? slot.staging.data() : slot.message.data;
    slot.transfer = route_.communicator().receive(slot.message.rank, MessageTag::kData, target,
                                                  slot.message.bytes);
    slot.state = State::kInFlight;
  }

  // Returns the next bytes that this rank sends to itself.
  const std::byte* take_own(std::size_t bytes) {
    while (own_[own_block_].bytes == own_offset_) {
      ++own_block_;
      own_offset_ = 0;
    }
    const std::byte* const data = own_[own_block_].data + own_offset_;
    own_offset_ += bytes;
    return data;
  }

  void copy_to_block(ReceiveSlot& slot, const std::byte* source) {
    slot.copied = route_.copy(slot.message.data, source, slot.message.bytes);
    slot.state = State::kCopying;
  }

  bool advance(ReceiveSlot& slot) {
    if (slot.state == State::kInFlight && slot.transfer->is_done()) {
      slot.transfer.reset();
      if (route_.is_staged()) {
        copy_to_block(slot, slot.staging.data());
      } else {
        finish(slot);
      }
      return true;
    }
    if (slot.state != State::kCopying || !slot.copied.ready()) return false;
    finish(slot);
    return true;
  }

  void finish(ReceiveSlot& slot) {
    slot.state = State::kFree;
    --busy_;
    const std::size_t block = slot.message.block;
    left_[block] -= slot.message.bytes;
    if (left_[block] == 0) notify(block);
  }

  void notify(std::size_t block) {
    if (on_received_ && !route_.has_failed()) route_.attempt([&] { on_received_(block); });
  }

  Route& route_;
  Messages<ReceiveBlock> messages_;
  const OnReceived& on_received_;
  std::vector<std::uint64_t> left_;  // Bytes of each block that have not arrived.
  std::vector<SendBlock> own_;       // Blocks that this rank sends to itself.
  std::size_t own_block_ = 0;
  std::uint64_t own_offset_ = 0;
  std::array<ReceiveSlot, kWindow> slots_;
  std::optional<Message<ReceiveBlock>> next_;
  std::size_t started_ = 0;
  std::size_t busy_ = 0;
};

// Returns the size of the largest block that is sent to or received from another rank.
std::uint64_t largest_block(int me, std::span<const SendBlock> sends,
                            std::span<const ReceiveBlock> receives) {
  std::uint64_t largest = 0;
  const auto include = [&](const auto& blocks) {
    for (const auto& block : blocks) {
      if (block.rank != me) largest = std::max(largest, block.bytes);
    }
  };
  include(sends);
  include(receives);
  return largest;
}

// Transfers all messages. Throws only what the communicator throws.
void move_all(Incoming& incoming, Outgoing& outgoing) {
  incoming.begin();
  while (!incoming.is_done() || !outgoing.is_done()) {
    const bool has_received = incoming.advance();
    const bool has_sent = outgoing.advance();
    if (!has_received && !has_sent) std::this_thread::yield();
  }
}

}  // namespace

ExchangeReport exchange(const DistributedQueue& ranks, MemorySpace space,
                        std::span<const SendBlock> sends, std::span<const ReceiveBlock> receives,
                        const OnReceived& on_received) {
  ExchangeReport report;
  std::optional<Route> route;
  std::optional<Incoming> incoming;
  std::optional<Outgoing> outgoing;
  together(ranks.communicator, [&] {
    route.emplace(ranks, space, largest_block(ranks.communicator.rank(), sends, receives));
    incoming.emplace(*route, sends, receives, on_received);
    outgoing.emplace(*route, sends, report);
  });
  try {
    move_all(*incoming, *outgoing);
  } catch (...) {
    route->drain();  // Copies must end before their memory is freed.
    throw;
  }
  together(ranks.communicator, [&] { route->finish(); });
  report.is_staged = route->is_staged();
  return report;
}

}  // namespace millrace
