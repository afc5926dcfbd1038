// SPDX-License-Identifier: Apache-2.0

// Writes a zip archive whose members are stored as they are, such as a .npz file.
//
//   StoredZip zip(stream);
//   zip.begin("name.npy", bytes);
//   zip.write(data);  // Until all bytes are written.
//   zip.finish();
#ifndef MILLRACE_TOOLS_FILES_OUTPUT_STORED_ZIP_H_
#define MILLRACE_TOOLS_FILES_OUTPUT_STORED_ZIP_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <ostream>
#include <string>
#include <string_view>

struct archive;

namespace millrace::tools {

// libarchive writes the archive, from its first byte to its last without going back, with Zip64
// fields where a size needs them. The bytes depend on the members alone, not on the time of the
// run. The functions throw Error(kIo), and what the stream throws. Used by one thread at a time.
class StoredZip {
 public:
  // `out` must outlive this object.
  explicit StoredZip(std::ostream& out);
  ~StoredZip();
  StoredZip(const StoredZip&) = delete;
  StoredZip& operator=(const StoredZip&) = delete;

  // Begins a member, of which `bytes` bytes follow by write().
  void begin(const std::string& name, std::uint64_t bytes);
  void write(std::string_view data);

  // Writes the directory. Nothing may be written afterwards.
  void finish();

 private:
  // Takes what libarchive writes.
  std::int64_t take(const void* data, std::size_t bytes);
  // Throws what the stream has thrown, or the error of libarchive unless the last call succeeded.
  void check(bool has_succeeded) const;

  std::ostream& out_;
  std::exception_ptr failure_;  // Thrown by the stream; nothing is written afterwards.
  bool is_left_ = false;        // The object is destroyed; nothing is written any more.
  struct archive* archive_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_OUTPUT_STORED_ZIP_H_
