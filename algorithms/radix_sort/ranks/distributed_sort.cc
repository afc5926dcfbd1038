// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/ranks/distributed_sort.h>
#include <millrace/algorithms/radix_sort/ranks/range_merge.h>
#include <millrace/algorithms/radix_sort/ranks/rank_cuts.h>
#include <millrace/algorithms/radix_sort/ranks/sorted_keys.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/exchange.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace millrace::radix_sort {
namespace {

using Clock = std::chrono::steady_clock;

// Pieces of a rank's range that are merged separately, each while the next one travels.
constexpr std::uint64_t kMostPieces = 8;

// Returns the space of the caller's records; pinned memory, which is copied faster and stays in the
// pool for the next sort, if the device has to copy them.
MemorySpace space_of_copies(const Device& device, const SortArguments& arguments) {
  const bool is_copied = arguments.space == MemorySpace::kHost && !device.info().shares_host_memory;
  return is_copied ? MemorySpace::kPinned : arguments.space;
}

struct PooledRecords {
  PooledRecords(Device& device, const SortArguments& arguments)
      : keys(device.pool(space_of_copies(device, arguments)),
             arguments.count * key_bytes(arguments.key_type)),
        values(device.pool(space_of_copies(device, arguments)),
               arguments.count * arguments.value_bytes) {}

  Buffer<std::byte> keys;
  Buffer<std::byte> values;
};

class DistributedSort {
 public:
  DistributedSort(const DistributedQueue& ranks, const SortArguments& arguments, Policy policy)
      : ranks_(ranks),
        communicator_(ranks.communicator),
        arguments_(arguments),
        policy_(policy),
        offsets_(rank_offsets(communicator_, arguments.count)) {
    report_.first_index = offsets_[static_cast<std::size_t>(communicator_.rank())];
    report_.count = offsets_.back();
  }

  DistributedSortReport run() {
    std::optional<SortedKeys> keys;
    std::vector<std::uint64_t> begins;
    together(communicator_, [&] {
      sort_own();
      keys.emplace(ranks_.queue, sorted());
      begins = piece_begins();
    });
    const auto start = Clock::now();
    const RankCuts cuts = find_rank_cuts(communicator_, *keys, arguments_.key_type, begins);
    exchange_pieces(cuts);
    report_.exchange_seconds = seconds_since(start);
    return report_;
  }

 private:
  // Returns the number of pieces of each rank's range.
  std::uint64_t pieces() const {
    const std::uint64_t record = key_bytes(arguments_.key_type) + arguments_.value_bytes;
    const std::uint64_t bytes =
        report_.count / static_cast<unsigned>(communicator_.size()) * record;
    return std::clamp<std::uint64_t>(bytes / ranks_.message_bytes, 1, kMostPieces);
  }

  // Returns the beginnings of all ranks' pieces, and the end of the last one.
  std::vector<std::uint64_t> piece_begins() const {
    std::vector<std::uint64_t> begins;
    for (std::size_t rank = 0; rank + 1 < offsets_.size(); ++rank) {
      const std::uint64_t count = offsets_[rank + 1] - offsets_[rank];
      for (std::uint64_t i = 0; i < pieces(); ++i) {
        begins.push_back(offsets_[rank] + even_cut(count, i, pieces()));
      }
    }
    begins.push_back(offsets_.back());
    return begins;
  }

  // Returns arguments whose inputs are the rank's sorted portion.
  SortArguments sorted() const {
    SortArguments sorted = arguments_;
    sorted.keys_in = sorted_->keys.data();
    sorted.values_in = sorted_->values.data();
    return sorted;
  }

  void sort_own() {
    check_index_size();
    Device& device = ranks_.queue.device();
    sorted_.emplace(device, arguments_);
    received_.emplace(device, arguments_);
    if (arguments_.count == 0) return;
    SortArguments own = arguments_;
    own.keys_out = sorted_->keys.data();
    own.values_out = arguments_.value_bytes > 0 ? sorted_->values.data() : nullptr;
    own.is_argsort = false;
    if (arguments_.is_argsort) {
      // The sort reads this memory before the exchange writes to it.
      write_indices(received_->values);
      own.values_in = received_->values.data();
    }
    report_.local = sort(ranks_.queue, own, policy_);
  }

  void check_index_size() const {
    constexpr std::uint64_t kMostByFourBytes = std::uint64_t{1} << 32;
    if (!arguments_.is_argsort || arguments_.value_bytes == 8) return;
    if (report_.count <= kMostByFourBytes) return;
    reject("count of all ranks is " + std::to_string(report_.count) +
           "; indices of 4 bytes number at most 4294967296 keys; use value_bytes 8");
  }

  void write_indices(Buffer<std::byte>& target) {
    if (arguments_.value_bytes == 4) {
      write_indices_as<std::uint32_t>(target);
    } else {
      write_indices_as<std::uint64_t>(target);
    }
  }

  template <class Index>
  void write_indices_as(Buffer<std::byte>& target) {
    std::vector<Index> indices(arguments_.count);
    std::iota(indices.begin(), indices.end(), static_cast<Index>(report_.first_index));
    ranks_.queue.copy(target.data(), indices.data(), target.size());
    ranks_.queue.wait();
  }

  void exchange_pieces(const RankCuts& cuts) {
    std::vector<SendBlock> sends;
    std::vector<ReceiveBlock> receives;
    std::vector<std::size_t> missing;  // Blocks of each piece yet to arrive.
    std::optional<RangeMerge> merge;
    together(communicator_, [&] {
      for (std::uint64_t piece = 0; piece < pieces(); ++piece) {
        plan_sends(cuts, piece, sends);
        plan_receives(cuts, piece, receives);
      }
      missing.assign(pieces(), receives.size() / pieces());
      SortArguments merged = arguments_;
      merged.is_argsort = false;
      merged.keys_in = received_->keys.data();
      merged.values_in = arguments_.value_bytes > 0 ? received_->values.data() : nullptr;
      merge.emplace(ranks_.queue, merged, policy_, offsets_.size() - 1);
    });
    const std::size_t blocks = missing.front();
    const ExchangeReport report =
        exchange(ranks_, arguments_.space, sends, receives, [&](std::size_t block) {
          const std::size_t piece = block / blocks;
          if (--missing[piece] == 0) merge->enqueue(runs_[piece]);
        });
    together(communicator_, [&] { merge->wait(); });
    report_.bytes_sent = report.bytes_sent;
    report_.messages = report.messages;
    report_.is_staged = report.is_staged;
  }

  // Returns the index of the cut at which a piece of a rank's range begins.
  std::size_t cut_of(int rank, std::uint64_t piece) const {
    return static_cast<std::size_t>(rank) * pieces() + piece;
  }

  void plan_sends(const RankCuts& cuts, std::uint64_t piece, std::vector<SendBlock>& sends) const {
    const std::size_t key_size = key_bytes(arguments_.key_type);
    const std::size_t value_size = arguments_.value_bytes;
    const int me = communicator_.rank();
    for (int round = 0; round < communicator_.size(); ++round) {
      const int to = (me + round) % communicator_.size();
      const std::uint64_t first = cuts.of(me, cut_of(to, piece));
      const std::uint64_t count = cuts.of(me, cut_of(to, piece) + 1) - first;
      sends.push_back({to, sorted_->keys.data() + first * key_size, count * key_size});
      if (value_size == 0) continue;
      sends.push_back({to, sorted_->values.data() + first * value_size, count * value_size});
    }
  }

  // Runs are in the order of the ranks that send them, and arrive in that of rounds.
  void plan_receives(const RankCuts& cuts, std::uint64_t piece,
                     std::vector<ReceiveBlock>& receives) {
    const std::size_t key_size = key_bytes(arguments_.key_type);
    const std::size_t value_size = arguments_.value_bytes;
    const int me = communicator_.rank();
    const std::size_t cut = cut_of(me, piece);
    std::vector<RecordSpan> runs;
    std::size_t first = even_cut(arguments_.count, piece, pieces());
    for (int from = 0; from < communicator_.size(); ++from) {
      const std::size_t count = cuts.of(from, cut + 1) - cuts.of(from, cut);
      runs.push_back({first, count});
      first += count;
    }
    for (int round = 0; round < communicator_.size(); ++round) {
      const int from = (me - round + communicator_.size()) % communicator_.size();
      const RecordSpan& run = runs[static_cast<std::size_t>(from)];
      receives.push_back(
          {from, received_->keys.data() + run.first * key_size, run.count * key_size});
      if (value_size == 0) continue;
      receives.push_back(
          {from, received_->values.data() + run.first * value_size, run.count * value_size});
    }
    runs_.push_back(std::move(runs));
  }

  const DistributedQueue& ranks_;
  Communicator& communicator_;
  const SortArguments& arguments_;
  const Policy policy_;
  const RankOffsets offsets_;
  DistributedSortReport report_;
  std::optional<PooledRecords> sorted_;
  std::optional<PooledRecords> received_;
  std::vector<std::vector<RecordSpan>> runs_;  // One list a piece.
};

void compare_arguments(const DistributedQueue& ranks, const SortArguments& arguments,
                       Policy policy) {
  ArgumentCheck(ranks.communicator, "sort")
      .add("key_type", static_cast<std::int64_t>(arguments.key_type))
      .add("value_bytes", static_cast<std::int64_t>(arguments.value_bytes))
      .add("is_argsort", arguments.is_argsort ? 1 : 0)
      .add("order", static_cast<std::int64_t>(arguments.order))
      .add("policy", static_cast<std::int64_t>(policy))
      .add("message_bytes", static_cast<std::int64_t>(ranks.message_bytes))
      .compare();
}

// Throws kUnsupported for keys that ranks do not sort.
void check_supported(const SortArguments& arguments) {
  const KeyType type = arguments.key_type;
  const BitRange bits = arguments.bits;
  if (key_bytes(type) < 4) {
    throw Error(ErrorCode::kUnsupported,
                std::string("key_type is ") + to_string(type) +
                    "; ranks sort keys of 4 and 8 bytes: widen the keys, or sort in one process");
  }
  if (!bits.is_all_of(type)) {
    throw Error(ErrorCode::kUnsupported,
                "bits are " + std::to_string(bits.first) + " to " +
                    std::to_string(bits.end_of(type) - 1) +
                    "; ranks sort by all bits: set them to {}, or sort in one process");
  }
  if (arguments.count_in != nullptr) {
    throw Error(ErrorCode::kUnsupported,
                "count_in is not null; ranks sort a number of keys that the host knows: set "
                "`count` to it and count_in to null");
  }
}

}  // namespace

DistributedSortReport sort(const DistributedQueue& ranks, const SortArguments& arguments,
                           Policy policy) {
  return internal::sort(ranks, arguments, policy, [] {});
}

DistributedSortReport internal::sort(const DistributedQueue& ranks, const SortArguments& arguments,
                                     Policy policy, const std::function<void()>& check_own) {
  compare_arguments(ranks, arguments, policy);
  together(ranks.communicator, [&] {
    check(ranks);
    check_own();
    if (arguments.count > 0) check_arguments(arguments);
    check_supported(arguments);
  });
  const auto start = Clock::now();
  DistributedSortReport report = DistributedSort(ranks, arguments, policy).run();
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace millrace::radix_sort
