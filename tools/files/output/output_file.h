// SPDX-License-Identifier: Apache-2.0

// A file that appears under its name only when it is complete.
//
//   OutputFile file("result.csv", /*force=*/false);
//   file.stream() << "frame,psnr_db\n";
//   file.commit();
//
// Several files that appear together or not at all:
//
//   commit_all({&table, &pictures});
#ifndef MILLRACE_TOOLS_FILES_OUTPUT_OUTPUT_FILE_H_
#define MILLRACE_TOOLS_FILES_OUTPUT_OUTPUT_FILE_H_

#include <millrace/tools/files/names/temporary_name.h>
#include <millrace/tools/files/output/file_attributes.h>
#include <millrace/tools/files/output/place_file.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace millrace::tools {

// Writes to a temporary file in the folder of the file; commit() renames it in one step. Destroyed
// without commit(), it leaves all as it was. Links are followed, also one to a file that is not
// there yet, and a file that is replaced gives its mode, owner and access control list to the new
// one (its other hard links keep the old content). Used by one thread at a time.
//
// "-", /dev/stdout, /dev/fd/N and links to them are written through the open descriptor, as it is;
// another pipe or device is opened and written directly. Waiting for its reader ends with
// Error(kCancelled) after a signal (see InterruptGuard).
class OutputFile {
 public:
  // Throws Error(kIo) if the file exists and `force` is false, or if it could not be written or
  // replaced, such as in a folder that takes no new file. `calls` are for tests.
  OutputFile(const std::string& path, bool force, const PlacementCalls& calls = kSystemPlacement);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws what the constructor throws, and opens no pipe. Called at the start of a long run.
  static void check(const std::string& path, bool force);

  // A failed write throws Error(kIo) with the path and the system's reason, from the operation on
  // the stream or from commit(). seekp() goes to a byte of a file that is not direct.
  std::ostream& stream() { return stream_; }

  // Flushes and closes; throws Error(kIo). Nothing may be written afterwards. The data is passed to
  // the system, not forced to the disk.
  void close();

  // Closes, if that was not done, and renames; throws Error(kIo). Without `force`, a file that
  // appeared under the path meanwhile is kept and the commit throws. If the rename fails, the
  // temporary file stays, and the error names it.
  void commit();

  // Returns the path as it was given.
  const std::string& path() const { return path_; }

  // Returns true for a pipe, a device or an open descriptor.
  bool is_direct() const { return is_direct_; }

  // Returns the path of the data of a file that is not direct: a temporary file until commit(),
  // then the file.
  const std::string& written_path() const {
    return temporary_.empty() ? target_ : temporary_.path();
  }

 private:
  class Buffer;
  friend void commit_all(const std::vector<OutputFile*>& files);

  void open_directly();
  void open_temporary();
  void keep_replaced();
  int rename_to_target();  // Returns 0 or the errno.
  void undo_rename();

  std::string path_;
  std::string target_;  // The path with links followed.
  bool force_;
  bool is_direct_;
  const PlacementCalls& calls_;
  std::optional<FileAttributes> attributes_;  // Attributes of the file that is replaced.
  TemporaryName temporary_;                   // Empty when written directly, and after the rename.
  TemporaryName replaced_;  // Another name of the file that the rename replaces, or empty.
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_;
};

// Commits all files or none: closes every one before the first is renamed and, when a rename
// fails, takes back those before it, so that every path is as it was; the results stay under
// temporary names, which the error says. (A replaced file comes back where the file system has hard
// links.) What was written directly stays. Throws Error(kIo).
void commit_all(const std::vector<OutputFile*>& files);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_OUTPUT_OUTPUT_FILE_H_
