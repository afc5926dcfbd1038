// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/output/make_folder.h>

#include <filesystem>
#include <system_error>

namespace millrace::tools {

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(ErrorCode::kIo, path + ": cannot be made: " + error.message());
}

}  // namespace millrace::tools
