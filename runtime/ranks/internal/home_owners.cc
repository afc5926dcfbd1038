// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/internal/home_owners.h>

#include <string>
#include <vector>

namespace millrace {

HomeOwners::HomeOwners(Communicator& communicator, const BroughtHomes& brought)
    : homes_(static_cast<std::uint32_t>(communicator.rank()),
             static_cast<std::uint32_t>(communicator.size())) {
  const std::vector<BroughtHomes> all = all_gather(communicator, brought);
  together(communicator, [&] {
    for (std::uint32_t home = 0; home < owners_.size(); ++home) {
      owners_[home] = static_cast<int>(home) % communicator.size();
      int first = -1;
      for (int rank = 0; rank < communicator.size(); ++rank) {
        if (all[static_cast<std::size_t>(rank)][home] == 0) continue;
        if (first >= 0) {
          reject("ranks " + std::to_string(first) + " and " + std::to_string(rank) +
                 " have open joins of one device; give both lists to one rank");
        }
        first = rank;
      }
      if (first < 0) continue;
      owners_[home] = first;
      if (first != communicator.rank()) homes_.exclude(home);
    }
    if (homes_.count() == 0) {
      reject("rank " + std::to_string(communicator.rank()) + " of " +
             std::to_string(communicator.size()) +
             " has no number for its joins; use fewer ranks, at most 254");
    }
  });
}

}  // namespace millrace
