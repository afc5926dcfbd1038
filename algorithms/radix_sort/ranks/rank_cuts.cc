// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/ranks/rank_cuts.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>

namespace millrace::radix_sort {
namespace {

// The search for the key at one offset in the whole: the least key that more than `offset` keys do
// not exceed.
struct KeySearch {
  std::uint64_t offset = 0;
  std::uint64_t low = 0;  // The key is in low..high.
  std::uint64_t high = 0;
  std::uint64_t least = 0;  // Bounds of the number of this rank's keys that do not exceed the key.
  std::uint64_t most = 0;

  std::uint64_t middle() const { return low + (high - low) / 2; }
};

// Numbers of a rank's keys below the key of a search, and equal to it.
struct CutCounts {
  std::uint64_t below = 0;
  std::uint64_t equal = 0;
};

class CutSearch {
 public:
  // Takes all memory of the search, so that run() throws on no rank alone.
  CutSearch(Communicator& communicator, SortedKeys& keys, KeyType type,
            std::span<const std::uint64_t> offsets)
      : communicator_(communicator),
        keys_(keys),
        bits_(8 * static_cast<int>(key_bytes(type))),
        my_counts_(offsets.size()),
        counts_(offsets.size()),
        my_cut_counts_(offsets.size()),
        cut_counts_(offsets.size() * static_cast<std::size_t>(communicator.size())),
        cuts_(cut_counts_.size()) {
    const std::uint64_t highest = std::numeric_limits<std::uint64_t>::max() >> (64 - bits_);
    for (const std::uint64_t offset : offsets)
      searches_.push_back({offset, 0, highest, 0, keys.count()});
  }

  RankCuts run() {
    const std::uint64_t all = all_sum(communicator_, keys_.count());
    for (int round = 0; round < bits_; ++round) halve();
    std::ranges::transform(searches_, my_cut_counts_.begin(),
                           [this](const KeySearch& search) { return counts_of(search); });
    agree(communicator_, error_);
    communicator_.all_gather(my_cut_counts_.data(), my_cut_counts_.size() * sizeof(CutCounts),
                             cut_counts_.data());
    cut(all);
    return {searches_.size(), std::move(cuts_)};
  }

 private:
  void halve() {
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      counts_[i] = my_counts_[i] = count_up_to(searches_[i].middle(), searches_[i]);
    }
    communicator_.all_sum(counts_.data(), counts_.size());
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      KeySearch& search = searches_[i];
      if (search.low == search.high) continue;
      if (counts_[i] > search.offset) {
        search.high = search.middle();
        search.most = my_counts_[i];
      } else {
        search.low = search.middle() + 1;
        search.least = my_counts_[i];
      }
    }
  }

  // Keeps errors, because other ranks go on.
  std::uint64_t count_up_to(std::uint64_t key, const KeySearch& search) {
    if (error_) return 0;
    try {
      return keys_.count_up_to(key, search.least, search.most);
    } catch (...) {
      error_ = std::current_exception();
      return 0;
    }
  }

  CutCounts counts_of(const KeySearch& search) {
    const std::uint64_t up_to = count_up_to(search.low, search);
    return {search.least, up_to - std::min(search.least, up_to)};
  }

  // Equal keys are taken from the lowest ranks first.
  void cut(std::uint64_t all) {
    const std::size_t cuts = searches_.size();
    for (std::size_t i = 0; i < cuts; ++i) {
      std::uint64_t left = searches_[i].offset;
      for (std::size_t j = i; j < cut_counts_.size(); j += cuts) left -= cut_counts_[j].below;
      const bool is_end = searches_[i].offset == all;
      for (std::size_t j = i; j < cut_counts_.size(); j += cuts) {
        const CutCounts& counts = cut_counts_[j];
        const std::uint64_t taken = is_end ? counts.equal : std::min(left, counts.equal);
        cuts_[j] = counts.below + taken;
        left -= taken;
      }
    }
  }

  Communicator& communicator_;
  SortedKeys& keys_;
  const int bits_;
  std::vector<KeySearch> searches_;
  std::vector<std::uint64_t> my_counts_;  // This rank's keys in a round, by search.
  std::vector<std::uint64_t> counts_;     // All ranks' keys in a round, by search.
  std::vector<CutCounts> my_cut_counts_;
  std::vector<CutCounts> cut_counts_;  // All ranks'.
  std::vector<std::uint64_t> cuts_;
  std::exception_ptr error_;
};

}  // namespace

RankCuts find_rank_cuts(Communicator& communicator, SortedKeys& keys, KeyType type,
                        std::span<const std::uint64_t> offsets) {
  std::optional<CutSearch> search;
  together(communicator, [&] { search.emplace(communicator, keys, type, offsets); });
  return search->run();
}

}  // namespace millrace::radix_sort
