// SPDX-License-Identifier: Apache-2.0

// The choice of the device or rank that is to give tasks to those without any: the one that has
// most to give.
#ifndef MILLRACE_RUNTIME_GROUP_INTERNAL_GIVER_CHOICE_H_
#define MILLRACE_RUNTIME_GROUP_INTERNAL_GIVER_CHOICE_H_

#include <millrace/runtime/host/splitmix64.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace millrace {

// Has a word for each participant of a run, in which it publishes its surplus: the number of tasks
// that it could give. Participants are requested in rounds, each at most once a round.
// Not thread-safe.
class GiverChoice {
 public:
  // Nothing is known of any participant at first. Those that choose on their own have different
  // seeds.
  explicit GiverChoice(std::size_t participants, std::uint64_t seed = 0)
      : participants_(participants), random_(seed) {}

  // Publishes the surplus of a participant, as far as it is known; 0 if it has none or nothing is
  // known.
  void publish(std::size_t participant, std::uint64_t surplus) {
    participants_[participant].surplus = surplus;
  }
  std::uint64_t surplus(std::size_t participant) const {
    return participants_[participant].surplus;
  }

  // Returns the participant with the largest surplus of those for which may_give(participant) is
  // true and that have not been requested in this round, and notes that it has been. Of equal ones
  // this is a random one: where nothing is known, the number of participants with tasks then grows
  // by a factor each time that all others send a request. Returns nothing if there is none.
  template <class MayGive>
  std::optional<std::size_t> request(const MayGive& may_give) {
    std::optional<std::size_t> most;
    std::uint32_t equals = 0;  // Participants with that surplus so far.
    for (std::size_t i = 0; i < participants_.size(); ++i) {
      if (participants_[i].is_requested || !may_give(i)) continue;
      if (!most.has_value() || surplus(i) > surplus(*most)) {
        most = i;
        equals = 1;
      } else if (surplus(i) == surplus(*most) && random_.below(++equals) == 0) {
        most = i;
      }
    }
    if (most.has_value()) participants_[*most].is_requested = true;
    return most;
  }

  bool is_requested(std::size_t participant) const {
    return participants_[participant].is_requested;
  }

  // Ends the round: one has given tasks, none are needed any more, or all have been requested.
  void end_round() {
    for (Participant& participant : participants_) participant.is_requested = false;
  }

 private:
  struct Participant {
    std::uint64_t surplus = 0;
    bool is_requested = false;
  };

  std::vector<Participant> participants_;
  SplitMix64 random_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_INTERNAL_GIVER_CHOICE_H_
