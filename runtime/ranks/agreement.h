// SPDX-License-Identifier: Apache-2.0

// Makes the error of one rank the error of all ranks, so that none waits for ever for one that has
// failed.
//
//   together(communicator, [&] { check(arguments); });   // Throws on all ranks, or on none.
#ifndef MILLRACE_RUNTIME_RANKS_AGREEMENT_H_
#define MILLRACE_RUNTIME_RANKS_AGREEMENT_H_

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/communicator.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// An error that all ranks throw alike. Any other exception from a collective call concerns this
// rank alone, and the others may wait for it.
class AgreedError : public Error {
 public:
  using Error::Error;
};

// Collective. Returns if `error` is null on all ranks. Otherwise throws on all ranks the error of
// the lowest rank that has one: an AgreedError with its code and with "rank N: " before its
// message, unless it is an AgreedError already. If there is one rank only, it rethrows the
// exception itself. Messages are cut at 2 KiB.
void agree(Communicator& communicator, const std::exception_ptr& error);

// Collective. Calls `step`, which must not contain a collective operation, and throws its error on
// all ranks, as agree() does.
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

// Compares the arguments of a collective call over the ranks by checksums.
//
//   ArgumentCheck(communicator, "sort").add("order", order).add("value_bytes", 4).compare();
class ArgumentCheck {
 public:
  ArgumentCheck(Communicator& communicator, std::string call);

  // Adds an argument, of at most kMostArguments.
  ArgumentCheck& add(std::string name, std::int64_t value);
  ArgumentCheck& add(std::string name, std::string_view bytes);

  // Collective. Throws AgreedError (kInvalidArgument) on all ranks if an argument differs, with its
  // name and two ranks that differ.
  void compare();

  static constexpr std::size_t kMostArguments = 31;

 private:
  using Checksums = std::array<std::uint64_t, kMostArguments + 1>;  // The first is the call's.

  void compare(const Checksums& first, const Checksums& other, int rank) const;

  Communicator& communicator_;
  const std::string call_;
  std::vector<std::string> names_;
  Checksums checksums_{};
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_AGREEMENT_H_
