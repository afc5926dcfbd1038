// SPDX-License-Identifier: Apache-2.0

// How an error of one rank becomes that of all, in place of others waiting for ever.
//
//   together(communicator, [&] { check(arguments); });   // Throws on all ranks, or on none.
#ifndef MILLRACE_RUNTIME_RANKS_AGREEMENT_H_
#define MILLRACE_RUNTIME_RANKS_AGREEMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/communicator.h>

namespace millrace {

// What all ranks throw alike. Any other exception that leaves a collective call is of this rank
// alone, and the others may wait for it.
class AgreedError : public Error {
 public:
  using Error::Error;
};

// Collective. Returns where no rank gives an error; else throws that of the lowest rank that does:
// an AgreedError with its code and, unless it is one already, "rank N: " before its words. Of one
// rank it is thrown as it is. Words are cut at 2 KiB.
void agree(Communicator& communicator, const std::exception_ptr& error);

// Calls `step`, which is to have no collective operation, and agrees on what it throws.
template <class Step>
void together(Communicator& communicator, const Step& step) {
  std::exception_ptr error;
  try {
    step();
  } catch (...) {
    error = std::current_exception();
  }
  agree(communicator, error);
}

// The arguments of a collective call, to be compared over the ranks by their checksums.
//
//   ArgumentCheck(communicator, "sort").add("order", order).add("value_bytes", 4).compare();
class ArgumentCheck {
 public:
  ArgumentCheck(Communicator& communicator, std::string call);

  // At most kMostArguments.
  ArgumentCheck& add(std::string name, std::int64_t value);
  ArgumentCheck& add(std::string name, std::string_view bytes);

  // Collective. Throws AgreedError (kInvalidArgument) on all ranks, with the name of what differs
  // and two ranks where it does.
  void compare();

  static constexpr std::size_t kMostArguments = 31;

 private:
  using Checksums = std::array<std::uint64_t, kMostArguments + 1>;  // The call's first.

  void compare(const Checksums& first, const Checksums& other, int rank) const;

  Communicator& communicator_;
  const std::string call_;
  std::vector<std::string> names_;
  Checksums checksums_{};
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_AGREEMENT_H_
