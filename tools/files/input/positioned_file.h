// SPDX-License-Identifier: Apache-2.0

// Files that several threads read and write at given positions.
#ifndef MILLRACE_TOOLS_FILES_INPUT_POSITIONED_FILE_H_
#define MILLRACE_TOOLS_FILES_INPUT_POSITIONED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::tools {

// All members may be called from any thread. Failures throw Error(kIo) with the name and the
// system's reason.
class PositionedFile {
 public:
  // Opens a file for reading: a regular file, or a pipe: "-", /dev/stdin, /dev/fd/N, a FIFO or a
  // socket. A pipe is read to its end, into a nameless file in `folder` (empty: see
  // temporary_folder), the first time that this process opens it; later openings give the same
  // bytes. A descriptor of a regular file is read from its present offset on. Throws Error: kIo for
  // other kinds of files, kCancelled after a signal while a pipe is read.
  static PositionedFile open(const std::string& path, const std::string& folder = "");

  // Creates a file for writing and reading in `folder` (empty: the current one). It has no name
  // there and disappears with this object, whatever ends the process. Errors name it by the folder
  // and its use: "/tmp (for sorted runs)".
  static PositionedFile make_nameless(const std::string& folder, const std::string& use);

  PositionedFile(PositionedFile&& other) noexcept;
  PositionedFile& operator=(PositionedFile&& other) noexcept;
  ~PositionedFile();

  // Returns the name for messages.
  const std::string& name() const { return name_; }

  // Returns the size when it was opened.
  std::uint64_t bytes() const { return bytes_; }

  // Returns another object for the same file. Throws Error(kIo).
  PositionedFile duplicate() const;

  // Returns the `bytes` bytes from `begin` on as a file of another name. Throws Error(kIo).
  PositionedFile segment(std::uint64_t begin, std::uint64_t bytes, const std::string& name) const;

  // Returns a path by which streams of this process can open the whole file while this object
  // lives.
  std::string stream_path() const;

  // Reads all of the bytes from `position` on; throws Error(kIo) if the file ends before.
  void read(std::uint64_t position, void* data, std::size_t bytes) const;

  void write(std::uint64_t position, const void* data, std::size_t bytes) const;

 private:
  PositionedFile(std::string name, int descriptor, std::uint64_t bytes, std::uint64_t begin = 0);

  std::string name_;
  int descriptor_;
  std::uint64_t bytes_;
  std::uint64_t begin_;  // Offset of the first byte in the file that is open.
};

// Returns true if PositionedFile::open would read `path` as a pipe, which is read once and by one
// process.
bool is_pipe(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_INPUT_POSITIONED_FILE_H_
