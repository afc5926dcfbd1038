// SPDX-License-Identifier: Apache-2.0

// The error for a name of a file's part, such as an array or a column, that is not there.
#ifndef MILLRACE_TOOLS_FILES_NAMES_REJECT_MEMBER_H_
#define MILLRACE_TOOLS_FILES_NAMES_REJECT_MEMBER_H_

#include <string>
#include <string_view>
#include <vector>

namespace millrace::tools {

// Throws Error(kInvalidArgument) for the member `wanted` (empty: none was named) of a file whose
// members are `names`; `what` is their word in the plural: "a.npz: has the arrays x, y, and none is
// named 'z'; name one of these". The message has the nearest name and at most 20 others.
[[noreturn]] void reject_member(const std::string& file, std::string_view what,
                                const std::vector<std::string>& names, const std::string& wanted);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_NAMES_REJECT_MEMBER_H_
