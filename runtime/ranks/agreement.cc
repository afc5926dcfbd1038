// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/fnv_hash.h>
#include <millrace/runtime/ranks/agreement.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace millrace {
namespace {

constexpr std::size_t kMostMessageBytes = 2048;

// The outcome of a rank, without the message, whose size varies.
struct Verdict {
  std::uint32_t is_error = 0;
  std::uint32_t is_agreed = 0;  // Not 0 if the message names a rank already.
  std::uint32_t code = 0;
  std::int32_t detail = 0;
  std::uint32_t length = 0;
};

struct Failure {
  Verdict verdict;
  std::string message;
};

Failure failure_of(const std::exception_ptr& error) {
  const auto made = [](ErrorCode code, int detail, std::string message) {
    message.resize(std::min(message.size(), kMostMessageBytes));
    const Verdict verdict = {.is_error = 1,
                             .code = static_cast<std::uint32_t>(code),
                             .detail = detail,
                             .length = static_cast<std::uint32_t>(message.size())};
    return Failure{verdict, std::move(message)};
  };
  try {
    if (error) std::rethrow_exception(error);
    return {};
  } catch (const AgreedError& thrown) {
    Failure failure = made(thrown.code(), thrown.detail(), thrown.what());
    failure.verdict.is_agreed = 1;
    return failure;
  } catch (const Error& thrown) {
    return made(thrown.code(), thrown.detail(), thrown.what());
  } catch (const std::bad_alloc&) {
    return made(ErrorCode::kOutOfMemory, 0, "out of host memory");
  } catch (const std::exception& thrown) {
    return made(ErrorCode::kInternal, 0, thrown.what());
  } catch (...) {
    return made(ErrorCode::kInternal, 0,
                "an exception was thrown that is not derived from std::exception");
  }
}

}  // namespace

void agree(Communicator& communicator, const std::exception_ptr& error) {
  if (communicator.size() == 1) {
    if (error) std::rethrow_exception(error);
    return;
  }
  Failure mine = failure_of(error);
  std::vector<Verdict> all(static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(&mine.verdict, sizeof(Verdict), all.data());
  const auto failed = std::ranges::find_if(all, [](const Verdict& v) { return v.is_error != 0; });
  if (failed == all.end()) return;
  const auto rank = static_cast<int>(failed - all.begin());
  mine.message.resize(failed->length);
  communicator.broadcast(mine.message.data(), failed->length, rank);
  const std::string prefix = failed->is_agreed != 0 ? "" : "rank " + std::to_string(rank) + ": ";
  throw AgreedError(static_cast<ErrorCode>(failed->code), prefix + mine.message, failed->detail);
}

ArgumentCheck::ArgumentCheck(Communicator& communicator, std::string call)
    : communicator_(communicator), call_(std::move(call)) {
  checksums_[0] = fnv1a_hash(call_);
}

ArgumentCheck& ArgumentCheck::add(std::string name, std::int64_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return add(std::move(name), std::string_view(bytes, sizeof bytes));
}

ArgumentCheck& ArgumentCheck::add(std::string name, std::string_view bytes) {
  if (names_.size() == kMostArguments) {
    throw Error(ErrorCode::kInternal, call_ + " has more than " + std::to_string(kMostArguments) +
                                          " arguments; fewer can be compared");
  }
  names_.push_back(std::move(name));
  checksums_[names_.size()] = fnv1a_hash(bytes);
  return *this;
}

void ArgumentCheck::compare() {
  std::vector<Checksums> all(static_cast<std::size_t>(communicator_.size()));
  communicator_.all_gather(&checksums_, sizeof checksums_, all.data());
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    compare(all[0], all[rank], static_cast<int>(rank));
  }
}

void ArgumentCheck::compare(const Checksums& first, const Checksums& other, int rank) const {
  const auto differs = std::ranges::mismatch(first, other);
  if (differs.in1 == first.end()) return;
  const auto index = static_cast<std::size_t>(differs.in1 - first.begin());
  const std::string ranks = "rank " + std::to_string(rank) + " and rank 0";
  if (index == 0 || index > names_.size()) {
    throw AgreedError(ErrorCode::kInvalidArgument, ranks + " are in different calls; this one is " +
                                                       call_ +
                                                       ", and all ranks must make the same");
  }
  throw AgreedError(ErrorCode::kInvalidArgument, ranks + " were given different values of " +
                                                     names_[index - 1] + " (" + call_ +
                                                     "); give all ranks the same");
}

}  // namespace millrace
