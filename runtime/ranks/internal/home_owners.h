// SPDX-License-Identifier: Apache-2.0

// Finds the rank that keeps the joins of each home (JoinHome) in a run that ranks share.
#ifndef MILLRACE_RUNTIME_RANKS_INTERNAL_HOME_OWNERS_H_
#define MILLRACE_RUNTIME_RANKS_INTERNAL_HOME_OWNERS_H_

#include <millrace/runtime/group/internal/join_homes.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/runtime/tasks/join.h>

#include <array>
#include <cstdint>

namespace millrace {

// The homes of which a rank brings joins, from a run that was stopped.
using BroughtHomes = std::array<std::uint8_t, JoinHome::kHomes + 1>;

template <class List>
BroughtHomes brought_homes(const List& list) {
  BroughtHomes homes{};
  for (const auto& join : list.joins()) homes[join.index >> JoinHome::kRecordBits] = 1;
  return homes;
}

// A home belongs to rank `home` modulo the number of ranks, unless another has brought joins of it.
class HomeOwners {
 public:
  // Collective. Throws AgreedError (kInvalidArgument) on all ranks if two bring joins of one home,
  // or a rank has no home left to take.
  HomeOwners(Communicator& communicator, const BroughtHomes& brought);

  int owner(std::uint32_t home) const { return owners_[home]; }

  // The homes that segments on this rank may take.
  const JoinHomes& homes() const { return homes_; }

 private:
  std::array<int, JoinHome::kHomes + 1> owners_{};
  JoinHomes homes_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_INTERNAL_HOME_OWNERS_H_
