// SPDX-License-Identifier: Apache-2.0

// Names of temporary files, which are removed with their owner or at the end of the process.
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

// A name whose file is removed with this object, and by remove_temporary_files(). Each object is
// used by one thread at a time; several threads may construct them at once.
class TemporaryName {
 public:
  // Constructs an empty name.
  TemporaryName() = default;

  // Constructed before the file is created, so that no signal comes in between.
  explicit TemporaryName(std::string path);

  TemporaryName(TemporaryName&& other) noexcept;
  TemporaryName& operator=(TemporaryName&& other) noexcept;
  ~TemporaryName() { remove(); }

  bool empty() const { return path_.empty(); }
  const std::string& path() const { return path_; }

  // Removes the file, if there is one; the name is empty afterwards.
  void remove() noexcept;

  // Keeps the file, which has another name or owner now; this name is empty afterwards.
  void forget() noexcept;

 private:
  std::string path_;
  void* entry_ = nullptr;  // Entry in the process's table of names.
};

// Returns a path in the folder of `path` that is unique on this machine, its containers and other
// machines that share the folder: ".millrace-...part".
std::string temporary_path_beside(const std::string& path);

// Removes the files of all names of the process. Safe in a signal handler that ends the process.
void remove_temporary_files() noexcept;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_NAMES_TEMPORARY_NAME_H_
