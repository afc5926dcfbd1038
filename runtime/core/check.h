// SPDX-License-Identifier: Apache-2.0

// Rejects wrong arguments and damaged files. Every function throws Error with the source location
// of its caller; the message states the value that is wrong and what is accepted.
//
//   check_not_null("frame.data", frame.data);
//   check_range("options.window", options.window, 1, 64);
//   if (a.width != b.width) {
//     reject("a is " + std::to_string(a.width) + " wide and b " + std::to_string(b.width) +
//            "; the widths must match");
//   }
//   if (magic != kMagic) reject_file(path, "is no .npy file");
#ifndef MILLRACE_RUNTIME_CORE_CHECK_H_
#define MILLRACE_RUNTIME_CORE_CHECK_H_

#include <millrace/runtime/core/error.h>

#include <concepts>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

namespace millrace {

// Throws kInvalidArgument.
[[noreturn]] inline void reject(const std::string& message,
                                std::source_location where = std::source_location::current()) {
  throw Error(ErrorCode::kInvalidArgument, message, where);
}

// Throws kIo with "FILE: MESSAGE".
[[noreturn]] inline void reject_file(std::string_view file, std::string_view message,
                                     std::source_location where = std::source_location::current()) {
  throw Error(ErrorCode::kIo, std::string(file).append(": ").append(message), where);
}

// Throws kInvalidArgument, "NAME is null; pass the address of its memory", if the pointer is.
inline void check_not_null(std::string_view name, const void* pointer,
                           std::source_location where = std::source_location::current()) {
  if (pointer != nullptr) return;
  reject(std::string(name) + " is null; pass the address of its memory", where);
}

// Throws kInvalidArgument, "NAME is VALUE; it must be LEAST to MOST", if the value is outside
// [least, most].
template <std::integral T>
void check_range(std::string_view name, T value, std::type_identity_t<T> least,
                 std::type_identity_t<T> most,
                 std::source_location where = std::source_location::current()) {
  if (value >= least && value <= most) return;
  reject(std::string(name) + " is " + std::to_string(value) + "; it must be " +
             std::to_string(least) + " to " + std::to_string(most),
         where);
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_CHECK_H_
