#include <millrace/algorithms/radix_sort/rank_cuts.h>

#include <algorithm>
#include <exception>
#include <limits>

#include <millrace/runtime/agreement.h>
#include <millrace/runtime/collectives.h>

namespace millrace::radix_sort {
namespace {

// The search for the key at one place of the whole: of the keys that more than `place` keys are up
// to, the least.
struct KeySearch {
  std::uint64_t place = 0;
  std::uint64_t low = 0;  // That key is in low..high.
  std::uint64_t high = 0;
  std::uint64_t least = 0;  // Of this rank's keys so many are up to any that is still tried,
  std::uint64_t most = 0;   // and no more than so many.

  std::uint64_t middle() const { return low + (high - low) / 2; }
};

// Of this rank: keys below that at a place, and those equal to it.
struct Share {
  std::uint64_t below = 0;
  std::uint64_t equal = 0;
};

class CutSearch {
 public:
  CutSearch(Communicator& communicator, SortedKeys& keys, KeyType type,
            std::span<const std::uint64_t> places)
      : communicator_(communicator), keys_(keys), bits_(8 * static_cast<int>(key_bytes(type))) {
    const std::uint64_t highest = std::numeric_limits<std::uint64_t>::max() >> (64 - bits_);
    for (const std::uint64_t place : places)
      searches_.push_back({place, 0, highest, 0, keys.count()});
  }

  RankCuts run() {
    const std::uint64_t all = all_sum(communicator_, keys_.count());
    for (int round = 0; round < bits_; ++round) halve();
    std::vector<Share> shares;
    for (const KeySearch& search : searches_) shares.push_back(share(search));
    agree(communicator_, error_);
    return cut(all_gather(communicator_, std::span<const Share>(shares)), all);
  }

 private:
  void halve() {
    std::vector<std::uint64_t> mine;
    for (const KeySearch& search : searches_) {
      mine.push_back(count_up_to(search.middle(), search));
    }
    std::vector<std::uint64_t> all = mine;
    communicator_.all_sum(all.data(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      KeySearch& search = searches_[i];
      if (search.low == search.high) continue;
      if (all[i] > search.place) {
        search.high = search.middle();
        search.most = mine[i];
      } else {
        search.low = search.middle() + 1;
        search.least = mine[i];
      }
    }
  }

  // Other ranks go on, so what is thrown is kept.
  std::uint64_t count_up_to(std::uint64_t key, const KeySearch& search) {
    if (error_) return 0;
    try {
      return keys_.count_up_to(key, search.least, search.most);
    } catch (...) {
      error_ = std::current_exception();
      return 0;
    }
  }

  Share share(const KeySearch& search) {
    const std::uint64_t up_to = count_up_to(search.low, search);
    return {search.least, up_to - std::min(search.least, up_to)};
  }

  // Equal keys are taken from the lowest ranks first.
  RankCuts cut(const std::vector<Share>& shares, std::uint64_t all) const {
    const std::size_t places = searches_.size();
    std::vector<std::uint64_t> cuts(shares.size());
    for (std::size_t i = 0; i < places; ++i) {
      std::uint64_t left = searches_[i].place;
      for (std::size_t j = i; j < shares.size(); j += places) left -= shares[j].below;
      const bool is_end = searches_[i].place == all;
      for (std::size_t j = i; j < shares.size(); j += places) {
        const std::uint64_t taken = is_end ? shares[j].equal : std::min(left, shares[j].equal);
        cuts[j] = shares[j].below + taken;
        left -= taken;
      }
    }
    return {places, std::move(cuts)};
  }

  Communicator& communicator_;
  SortedKeys& keys_;
  const int bits_;
  std::vector<KeySearch> searches_;
  std::exception_ptr error_;
};

}  // namespace

RankCuts find_rank_cuts(Communicator& communicator, SortedKeys& keys, KeyType type,
                        std::span<const std::uint64_t> places) {
  return CutSearch(communicator, keys, type, places).run();
}

}  // namespace millrace::radix_sort
