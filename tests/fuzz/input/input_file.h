// SPDX-License-Identifier: Apache-2.0

// Shared code of the fuzz targets: bytes as a file, and the errors that a reader may throw.
//
//   extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
//     static const fuzz::InputFile file("keys.npy");
//     file.write({data, size});
//     fuzz::read_or_reject([&] { SortInput input(file.path(), ...); ... });
//     return 0;
//   }
#ifndef MILLRACE_TESTS_FUZZ_INPUT_INPUT_FILE_H_
#define MILLRACE_TESTS_FUZZ_INPUT_INPUT_FILE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace millrace::fuzz {

// A file with a fixed name, which readers may depend on, in a new folder below TEST_TMPDIR or the
// system's folder for temporary files. Both are removed with this object. Used by one thread at a
// time.
class InputFile {
 public:
  // `name` may contain folders, which are created.
  explicit InputFile(const std::string& name);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  const std::filesystem::path& folder() const { return folder_; }

  // Replaces the file's content. Ends the process if the file cannot be written.
  void write(std::span<const std::uint8_t> bytes) const;

 private:
  std::filesystem::path folder_;
  std::string path_;
};

// Calls `read`. A reader may return, or throw an Error of one line; anything else ends the process,
// which libFuzzer and the replay report as a finding.
void read_or_reject(const std::function<void()>& read);

// Prints `what` and ends the process, unless `is_true`.
void require(bool is_true, const char* what);

}  // namespace millrace::fuzz

#endif  // MILLRACE_TESTS_FUZZ_INPUT_INPUT_FILE_H_
