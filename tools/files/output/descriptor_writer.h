// SPDX-License-Identifier: Apache-2.0

// Complete writes to an open descriptor.
#ifndef MILLRACE_TOOLS_FILES_OUTPUT_DESCRIPTOR_WRITER_H_
#define MILLRACE_TOOLS_FILES_OUTPUT_DESCRIPTOR_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::tools {

// Throws Error(kIo): a file of that name cannot be written, for the reason of an errno.
[[noreturn]] void fail_to_write(const std::string& name, int error_number);

// Opens the pipe `path` for writing once it has a reader; throws Error: kCancelled after a signal
// (see InterruptGuard), kIo otherwise.
int open_pipe_to_write(const std::string& path);

// Owns a descriptor. Errors name it by `name`.
class DescriptorWriter {
 public:
  DescriptorWriter(std::string name, int descriptor);
  ~DescriptorWriter();
  DescriptorWriter(const DescriptorWriter&) = delete;
  DescriptorWriter& operator=(const DescriptorWriter&) = delete;

  // Writes all of the bytes. The system starts to put those of a large regular file on the disk
  // while the rest is written, because a rename that replaces a file waits for them. Throws Error:
  // kIo with the system's reason, or kCancelled after a signal while a pipe's reader reads nothing.
  // A reader that has gone is noted (see has_lost_reader).
  void write(const char* data, std::size_t bytes);

  // Lets the next write begin at that byte of a regular file. Throws Error(kIo).
  void seek(std::int64_t byte);

  // Throws Error(kIo). Nothing may be written afterwards.
  void close();

 private:
  void wait_for_reader() const;
  void start_write_back(std::size_t written);
  [[noreturn]] void fail(int error_number) const;

  std::string name_;
  int descriptor_;
  bool is_waiting_;            // True if writes wait for a reader: for anything but a regular file.
  std::size_t unstarted_ = 0;  // Bytes since the last start_write_back() that started.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_OUTPUT_DESCRIPTOR_WRITER_H_
