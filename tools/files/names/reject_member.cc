// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/nearest_name.h>
#include <millrace/tools/files/names/joined_names.h>
#include <millrace/tools/files/names/reject_member.h>

#include <algorithm>
#include <cstddef>
#include <span>

namespace millrace::tools {

void reject_member(const std::string& file, std::string_view what,
                   const std::vector<std::string>& names, const std::string& wanted) {
  constexpr std::size_t kMost = 20;
  std::string message = file + ": has ";
  if (names.empty()) {
    message.append("no ").append(what);
  } else {
    message.append("the ").append(what).append(" ");
    message += joined_names(std::span(names).first(std::min(names.size(), kMost)));
    if (names.size() > kMost) {
      message += " and " + std::to_string(names.size() - kMost) + " others";
    }
  }
  if (names.empty()) reject(message + "; give a file that has some");
  if (wanted.empty()) reject(message + "; name one: " + file + ":NAME");
  const std::string nearest = suggestion(wanted, names);
  reject(message + ", and none is named '" + wanted + "'" +
         (nearest.empty() ? "; name one of these" : nearest));
}

}  // namespace millrace::tools
