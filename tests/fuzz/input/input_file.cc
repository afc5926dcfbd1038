// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tests/fuzz/input/input_file.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace millrace::fuzz {
namespace {

namespace fs = std::filesystem;

fs::path new_folder() {
  const char* const given = std::getenv("TEST_TMPDIR");
  std::string name =
      ((given != nullptr ? fs::path(given) : fs::temp_directory_path()) / "millrace-fuzz-XXXXXX")
          .string();
  require(mkdtemp(name.data()) != nullptr, "there is no folder for temporary files");
  return name;
}

}  // namespace

InputFile::InputFile(const std::string& name)
    : folder_(new_folder()), path_((folder_ / name).string()) {
  fs::create_directories(fs::path(path_).parent_path());
}

InputFile::~InputFile() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void InputFile::write(std::span<const std::uint8_t> bytes) const {
  std::ofstream out(path_, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  require(out.flush().good(), "the input file cannot be written");
}

void read_or_reject(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string message = error.what();
    require(!message.empty(), "an error says nothing");
    require(message.find_first_of("\r\n") == message.npos, "an error is not of one line");
    require(error.code() != ErrorCode::kInternal, "a reader takes bytes for a defect");
  }
}

void require(bool is_true, const char* what) {
  if (is_true) return;
  std::fprintf(stderr, "fuzz target: %s\n", what);
  std::abort();
}

}  // namespace millrace::fuzz
