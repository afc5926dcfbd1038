// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/header_version.h>

#include <millrace/runtime/core/error.h>

namespace millrace {

std::string version_text(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
         std::to_string(version % 100);
}

void check_header_version(int header_version) {
  if (header_version == MILLRACE_VERSION) return;
  throw Error(ErrorCode::kUnsupported,
              "the program was compiled with the headers of Millrace " +
                  version_text(header_version) + " and runs with the library of Millrace " +
                  version_text(MILLRACE_VERSION) + "; compile it again with that library's");
}

}  // namespace millrace
