// A file that appears under its name only when it is complete.
//
//   OutputFile file("result.csv", /*force=*/false);
//   file.stream() << "frame,psnr_db\n";
//   file.commit();
//
// Several that appear together or not at all:
//
//   commit_all({&table, &pictures});
#ifndef MILLRACE_TOOLS_FILES_OUTPUT_FILE_H_
#define MILLRACE_TOOLS_FILES_OUTPUT_FILE_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace millrace::tools {

// Writes to a temporary file in the folder of `path`; commit() renames it to `path` in one step.
// Destroyed without commit(), it leaves `path` as it was. A `path` that is a device or a pipe is
// written directly, because it cannot be replaced. Used by one thread at a time.
class OutputFile {
 public:
  // Throws Error(kIo) if `path` exists and not `force`, or if its folder cannot take a new file.
  OutputFile(const std::string& path, bool force);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // A failed write throws Error(kIo) with the path and the system's reason, from the operation on
  // the stream that met it or from commit().
  std::ostream& stream() { return stream_; }

  // Writes out what is left and closes; throws Error(kIo). Nothing may be written afterwards. The
  // data is handed to the system, not forced to the disk.
  void close();

  // Closes, if that was not done, and renames; throws Error(kIo). Without `force`, a file that
  // appeared under `path` meanwhile is kept and the commit throws.
  void commit();

  const std::string& path() const { return path_; }

  // Where the data is: a temporary file until commit(), then path().
  const std::string& written_path() const { return temporary_.empty() ? path_ : temporary_; }

 private:
  class Buffer;
  friend void commit_all(const std::vector<OutputFile*>& files);

  void keep_replaced();
  void rename_to_path();
  void undo_rename();

  std::string path_;
  std::string temporary_;  // Empty when `path` is written directly, and after the rename.
  std::string replaced_;   // Another name of the file that the rename replaces, or empty.
  bool force_;
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_;
};

// Commits all files or none: closes every one before the first is renamed and, when a rename
// fails, takes back those before it, so that every `path` is as it was. (A replaced file comes back
// where the file system has hard links.) What was written directly stays. Throws Error(kIo).
void commit_all(const std::vector<OutputFile*>& files);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_OUTPUT_FILE_H_
