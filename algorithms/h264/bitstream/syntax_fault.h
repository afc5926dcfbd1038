// SPDX-License-Identifier: Apache-2.0

// The reason why a syntax structure was not parsed.
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_SYNTAX_FAULT_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_SYNTAX_FAULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace millrace::h264 {

struct SyntaxFault {
  std::string message;
  bool is_unsupported = false;  // The structure is valid, but needs an unsupported tool.
};

// Has no value if the structure was parsed, else the reason why it was not.
using SyntaxCheck = std::optional<SyntaxFault>;

inline SyntaxFault damaged(std::string message) { return {std::move(message), false}; }
inline SyntaxFault unsupported(std::string message) { return {std::move(message), true}; }

// Returns the fault of an element whose value is not in a range, which includes its ends.
inline SyntaxFault out_of_range(const char* element, std::int64_t value, std::int64_t least,
                                std::int64_t most) {
  return damaged(std::string(element) + " is " + std::to_string(value) + "; it must be in " +
                 std::to_string(least) + ".." + std::to_string(most));
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_SYNTAX_FAULT_H_
