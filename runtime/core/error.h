// SPDX-License-Identifier: Apache-2.0

// The one exception type of Millrace.
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
  kInvalidArgument,  // A value the caller gave is outside its stated range.
  kNotFound,         // A backend, device or file of that name does not exist.
  kUnsupported,      // The device cannot do this; the message says why.
  kOutOfMemory,      // The message says what was asked for and, where known, what was free.
  kTaskFailed,       // A task called Context::fail or threw; see Error::detail.
  kCancelled,        // The run was stopped by its owner.
  kDeviceLost,       // The device no longer answers; its other users will fail too.
  kIo,               // Reading or writing a file failed.
  kInternal,         // A defect of Millrace.
};

// The enumerator's name without the k, for messages and logs.
const char* to_string(ErrorCode code);

// Carries a code for programs, a sentence for people, and the place that raised it.
// A wrong argument's sentence names the argument, its value and the range.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message,
        std::source_location where = std::source_location::current());

  // A failed task: `detail` is the number the task gave to Context::fail.
  Error(ErrorCode code, const std::string& message, int detail,
        std::source_location where = std::source_location::current());

  ErrorCode code() const noexcept { return code_; }

  // The number given to Context::fail; 0 for every other error.
  int detail() const noexcept { return detail_; }

  const std::source_location& where() const noexcept { return where_; }

 private:
  ErrorCode code_;
  int detail_;
  std::source_location where_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_ERROR_H_
