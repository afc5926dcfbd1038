// SPDX-License-Identifier: Apache-2.0

// Members of zip archives (APPNOTE.TXT 6.3), such as the arrays of a .npz file.
//
// No library reads them: libarchive gives bytes of a member but not their position in the file, by
// which stored members of any size are read in place and by several threads. Minizip gives that
// position, but the one of Debian 12 does not read Zip64 fields, which members over 4 GiB have.
#ifndef MILLRACE_TOOLS_FILES_INPUT_ZIP_MEMBER_H_
#define MILLRACE_TOOLS_FILES_INPUT_ZIP_MEMBER_H_

#include <millrace/tools/files/input/positioned_file.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

struct ZipMember {
  std::string name;
  std::uint16_t method = 0;  // 0: stored; 8: deflated.
  std::uint32_t crc = 0;
  std::uint64_t packed_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t header = 0;  // Position of its local header.
};

// Returns the members in the order of the directory. Throws Error(kIo) for what is no whole archive
// of one file.
std::vector<ZipMember> zip_members(const PositionedFile& archive);

// Opens a member: a stored one where it is, a deflated one as a nameless file in `folder` (empty:
// the current one). Throws Error(kIo) for other methods, and for data that are damaged.
PositionedFile open_zip_member(const PositionedFile& archive, const ZipMember& member,
                               const std::string& folder);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_INPUT_ZIP_MEMBER_H_
