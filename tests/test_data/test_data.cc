// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/test_data/test_data.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace millrace::test_data {
namespace {

namespace fs = std::filesystem;

fs::path data_folder() {
  if (const char* folder = std::getenv("MILLRACE_TEST_DATA")) return folder;
  std::error_code error;
  fs::path folder = fs::canonical(__FILE__, error).parent_path();
  for (; !folder.empty() && folder != folder.root_path(); folder = folder.parent_path()) {
    if (fs::is_directory(folder / "shared/data/video", error)) return folder / "shared/data";
  }
  return {};
}

std::string first_file(const fs::path& folder, const std::string& start) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with(start)) return entry.path().string();
  }
  return "";
}

}  // namespace

bool is_there() { return fs::is_directory(data_folder()); }

std::string find(const std::string& start) {
  const fs::path folder = data_folder();
  for (const char* kind : {"video", "h264", "points", "sortkeys"}) {
    const std::string file = first_file(folder / kind, start);
    if (!file.empty()) return file;
  }
  return "";
}

std::string demo_clip() {
  const char* clip = std::getenv("MILLRACE_TEST_CLIP");
  return clip == nullptr ? "" : clip;
}

}  // namespace millrace::test_data
