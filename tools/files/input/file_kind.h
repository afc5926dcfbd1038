// SPDX-License-Identifier: Apache-2.0

// Detection of a file's kind by its content: its first bytes, for some kinds its last one, never
// its name.
//
//   const FileKind kind = kind_of(PositionedFile::open(path));
//   if (kind.is_known()) throw Error(ErrorCode::kIo, rejection(path, kind, "raw keys"));
#ifndef MILLRACE_TOOLS_FILES_INPUT_FILE_KIND_H_
#define MILLRACE_TOOLS_FILES_INPUT_FILE_KIND_H_

#include <millrace/tools/files/input/positioned_file.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::tools {

struct FileKind {
  enum class Family {
    kUnknown,  // Raw data, or a kind that is not listed.
    kNpy,      // An array of NumPy.
    kText,     // Text in ASCII, UTF-8 or UTF-16.
    kPacked,   // A compressed file or an archive.
    kParquet,
    kArrow,  // An IPC file of Arrow, which is also Feather of version 2.
    kTable,  // Another container of arrays or tables.
    kPicture,
    kSound,
    kVideo,
    kDocument,
    kProgram,
    kStars,    // 3-stars as `millrace three-star -o NAME.3star` writes them.
    kVectors,  // Motion vectors as `millrace me -o NAME.bin` writes them.
  };

  Family family = Family::kUnknown;
  std::string_view name{};  // Name for messages: "a gzip file". Empty for kUnknown.

  bool is_known() const { return family != Family::kUnknown; }
};

// Number of bytes from the start of a file that decide its kind.
inline constexpr std::size_t kKindHeadBytes = 4096;

// Returns the kind of a file of `bytes` bytes that begins with `head`, its first kKindHeadBytes
// bytes or all of them, and ends with the byte `last`. A short signature counts only together with
// the fields behind it, so that at most one file of random keys in 2^30 is taken for another kind.
// The kind is text if all of `head` is text and it has lines, or is a list of numbers.
FileKind kind_of(std::string_view head, char last, std::uint64_t bytes);

// The same for an open file. Throws Error(kIo) if it cannot be read.
FileKind kind_of(const PositionedFile& file);

// Returns a message for a file of the wrong kind, with a way to mend it:
// "keys.npz: is a zip archive (.npz?), not raw keys; unpack it first".
std::string rejection(const std::string& file, const FileKind& kind, const std::string& wanted);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_INPUT_FILE_KIND_H_
