// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/sort/merge_runs.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr std::size_t kMostBlockBytes = std::size_t{4} << 20;  // Longer reads are no faster.

// The records of one run in order, read a block at a time.
class RunReader {
 public:
  RunReader(const PositionedFile& file, const SortedRun& run, std::size_t record_bytes,
            std::span<std::byte> block)
      : file_(&file),
        offset_(run.first_byte),
        end_(run.first_byte + run.count * record_bytes),
        record_bytes_(record_bytes),
        block_(block) {
    refill();
  }

  // Returns null after the last record.
  const std::byte* record() const { return record_; }

  void next() {
    record_ += record_bytes_;
    if (record_ == block_end_) refill();
  }

 private:
  void refill() {
    const std::size_t bytes = std::min<std::uint64_t>(block_.size(), end_ - offset_);
    if (bytes > 0) file_->read(offset_, block_.data(), bytes);
    offset_ += bytes;
    record_ = bytes > 0 ? block_.data() : nullptr;
    block_end_ = block_.data() + bytes;
  }

  const PositionedFile* file_;
  std::uint64_t offset_;
  std::uint64_t end_;
  std::size_t record_bytes_;
  std::span<std::byte> block_;
  const std::byte* record_ = nullptr;
  const std::byte* block_end_ = nullptr;
};

// A tree of losers (Knuth, The Art of Computer Programming, volume 3, section 5.4.1): node 0 has
// the winner, each other node the loser of the match played there. The leaf of run r is node
// runs + r.
template <class Key>
class LoserTree {
 public:
  // The next record of a run; those of ended runs come last.
  struct Contender {
    Key key = std::numeric_limits<Key>::max();
    bool has_ended = true;
    std::size_t run = 0;

    bool comes_before(const Contender& other) const {
      if (key != other.key) return key < other.key;
      if (has_ended != other.has_ended) return other.has_ended;
      return run < other.run;
    }
  };

  explicit LoserTree(const std::vector<Contender>& contenders) : nodes_(contenders.size()) {
    nodes_[0] = contenders.size() == 1 ? contenders[0] : winner_below(1, contenders);
  }

  const Contender& winner() const { return nodes_[0]; }

  // Replaces the winner by the next record of its run.
  void replace_winner(Contender contender) {
    for (std::size_t node = (nodes_.size() + contender.run) / 2; node > 0; node /= 2) {
      if (nodes_[node].comes_before(contender)) std::swap(nodes_[node], contender);
    }
    nodes_[0] = contender;
  }

 private:
  Contender winner_below(std::size_t node, const std::vector<Contender>& contenders) {
    if (node >= contenders.size()) return contenders[node - contenders.size()];
    Contender winner = winner_below(2 * node, contenders);
    Contender loser = winner_below(2 * node + 1, contenders);
    if (loser.comes_before(winner)) std::swap(winner, loser);
    nodes_[node] = loser;
    return winner;
  }

  std::vector<Contender> nodes_;
};

template <class Key, std::size_t kValueBytes>
void merge(std::vector<RunReader>& readers, const KeyOrder<Key>& map, std::span<std::byte> block,
           const BlockSink& sink) {
  constexpr std::size_t kBytes = sizeof(Key) + kValueBytes;
  using Contender = typename LoserTree<Key>::Contender;
  const auto contender = [&](std::size_t run) -> Contender {
    const std::byte* const record = readers[run].record();
    if (record == nullptr) return {.run = run};
    return {.key = map.ordered(load<Key>(record)), .has_ended = false, .run = run};
  };
  std::vector<Contender> first;
  for (std::size_t run = 0; run < readers.size(); ++run) first.push_back(contender(run));
  LoserTree<Key> tree(first);
  std::size_t filled = 0;
  while (!tree.winner().has_ended) {
    const std::size_t run = tree.winner().run;
    std::memcpy(block.data() + filled, readers[run].record(), kBytes);
    filled += kBytes;
    if (filled == block.size()) sink(block.first(std::exchange(filled, 0)));
    readers[run].next();
    tree.replace_winner(contender(run));
  }
  if (filled > 0) sink(block.first(filled));
}

}  // namespace

void merge_runs(const PositionedFile& file, std::span<const SortedRun> runs,
                const RecordShape& shape, radix_sort::SortOrder order, std::size_t memory_bytes,
                const BlockSink& sink) {
  if (runs.empty()) return;
  const std::size_t blocks = runs.size() + 1;
  const std::size_t bytes = std::min(memory_bytes / blocks, kMostBlockBytes);
  const std::size_t records = std::max<std::size_t>(bytes / shape.bytes(), 1);
  const std::size_t block_bytes = records * shape.bytes();
  std::vector<std::byte> memory(blocks * block_bytes);
  const auto block = [&](std::size_t i) {
    return std::span(memory).subspan(i * block_bytes, block_bytes);
  };
  std::vector<RunReader> readers;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    readers.emplace_back(file, runs[run], shape.bytes(), block(run));
  }
  with_record_shape(shape, [&]<class Key, std::size_t kValueBytes>() {
    merge<Key, kValueBytes>(readers, KeyOrder<Key>(shape, order), block(runs.size()), sink);
  });
}

}  // namespace millrace::tools
