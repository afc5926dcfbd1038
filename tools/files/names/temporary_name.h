// SPDX-License-Identifier: Apache-2.0

// Names of temporary files, which go with their owner or with the process.
//
//   TemporaryName name("/data/.millrace-1.part");
//   const int descriptor = open(name.path().c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
//   ...
//   rename(name.path().c_str(), "/data/result");
//   name.forget();
#ifndef MILLRACE_TOOLS_FILES_NAMES_TEMPORARY_NAME_H_
#define MILLRACE_TOOLS_FILES_NAMES_TEMPORARY_NAME_H_

#include <string>

namespace millrace::tools {

// A name whose file is removed with this object, and by remove_temporary_files(). Each is used by
// one thread at a time; several threads may make them at once.
class TemporaryName {
 public:
  // No name.
  TemporaryName() = default;

  // Made before the file is, so that no signal comes between.
  explicit TemporaryName(std::string path);

  TemporaryName(TemporaryName&& other) noexcept;
  TemporaryName& operator=(TemporaryName&& other) noexcept;
  ~TemporaryName() { remove(); }

  bool empty() const { return path_.empty(); }
  const std::string& path() const { return path_; }

  // Removes the file, if there is one, and is empty afterwards.
  void remove() noexcept;

  // Leaves the file, which has another name or another owner now, and is empty afterwards.
  void forget() noexcept;

 private:
  std::string path_;
  void* entry_ = nullptr;  // In the table of the process.
};

// A path in the folder of `path` that nobody else gives, on this machine, in a container of it, or
// on another that shares the folder: ".millrace-...part".
std::string temporary_path_beside(const std::string& path);

// Removes the files of all names of the process. Safe in a signal handler that ends the process.
void remove_temporary_files() noexcept;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_NAMES_TEMPORARY_NAME_H_
