// SPDX-License-Identifier: Apache-2.0

// Writes a zip archive whose members are stored as they are, such as a .npz file.
//
//   StoredZip zip(stream);
//   zip.begin("name.npy", bytes, crc);
//   zip.write(data);  // Until all bytes are written.
//   zip.finish();
#ifndef MILLRACE_TOOLS_FILES_OUTPUT_STORED_ZIP_H_
#define MILLRACE_TOOLS_FILES_OUTPUT_STORED_ZIP_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tools {

// Format: APPNOTE.TXT 6.3 of PKWARE, with its Zip64 extensions where a size needs them. Errors of
// the stream are the stream's. Used by one thread at a time.
class StoredZip {
 public:
  // `out` must outlive this object.
  explicit StoredZip(std::ostream& out) : out_(out) {}

  // Begins a member, of which `bytes` bytes follow by write(); `crc` is their crc_32().
  void begin(const std::string& name, std::uint64_t bytes, std::uint32_t crc);
  void write(std::string_view data);

  // Writes the directory. Nothing may be written afterwards.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint32_t crc = 0;
    std::uint64_t position = 0;
  };

  void write_entry(const Member& member);

  std::ostream& out_;
  std::uint64_t position_ = 0;
  std::vector<Member> members_;
};

// Returns the CRC-32 (ISO-HDLC) of `data` after bytes of which it was `crc`; 0 for none.
std::uint32_t crc_32(std::string_view data, std::uint32_t crc = 0);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_OUTPUT_STORED_ZIP_H_
