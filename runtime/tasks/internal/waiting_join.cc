// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/internal/waiting_join.h>

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace millrace::internal {
namespace {

std::string name_of(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : type.name();
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

void throw_waiting(std::size_t joins, const std::type_info& continuation, std::uint32_t missing) {
  throw Error(ErrorCode::kTaskFailed, "the run has ended with " + counted(joins, "open join") +
                                          ": the continuation " + name_of(continuation) +
                                          " misses " + counted(missing, "arrival") +
                                          "; call arrive as often as open_join and expect state");
}

}  // namespace millrace::internal
