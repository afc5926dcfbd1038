// SPDX-License-Identifier: Apache-2.0

// The exception type of Millrace. Every error that the library throws is an Error or derives from
// it.
//
//   try {
//     run_tasks(queue, roots);
//   } catch (const millrace::Error& error) {
//     if (error.code() == millrace::ErrorCode::kTaskFailed) { ... error.detail() ... }
//   }
#ifndef MILLRACE_RUNTIME_CORE_ERROR_H_
#define MILLRACE_RUNTIME_CORE_ERROR_H_

#include <source_location>
#include <stdexcept>
#include <string>

namespace millrace {

enum class ErrorCode {
  kInvalidArgument,  // A value that the caller gave is outside its stated range.
  kNotFound,         // A backend, device or file of that name does not exist.
  kUnsupported,      // The device cannot do this; the message says why.
  kOutOfMemory,      // The message states the requested size and, if known, the free memory, or
                     // what a vendor's library could not do.
  kTaskFailed,       // A task called Context::fail or threw; see Error::detail.
  kCancelled,        // The run was stopped by request.
  kDeviceLost,       // The device no longer responds; its other users will fail too.
  kIo,               // Reading or writing a file failed.
  kInternal,         // A defect of Millrace.
};

// Returns the enumerator's name without the k, for messages and logs.
const char* to_string(ErrorCode code);

// Carries a code for programs, a sentence for people, and the source location that raised it. The
// sentence is one line: control characters in it are escaped. For a wrong argument it states the
// argument, its value and what is accepted (core/check.h).
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message,
        std::source_location where = std::source_location::current());

  // The error of a failed task. `detail` is the number that the task gave to Context::fail.
  Error(ErrorCode code, const std::string& message, int detail,
        std::source_location where = std::source_location::current());

  ErrorCode code() const noexcept { return code_; }

  // Returns the number given to Context::fail, or 0 for every other error.
  int detail() const noexcept { return detail_; }

  // Returns the source location that raised the error.
  const std::source_location& where() const noexcept { return where_; }

 private:
  ErrorCode code_;
  int detail_;
  std::source_location where_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_ERROR_H_
