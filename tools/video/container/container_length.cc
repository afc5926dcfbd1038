// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/container/container_length.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

namespace millrace::tools {
namespace {

// A regular file read at given positions; reads past its end return nothing.
class FileBytes {
 public:
  explicit FileBytes(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return;
    file_.open(path, std::ios::binary);
    size_ = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
    if (error) size_ = 0;
  }

  // Only the first bytes of `size` can be read.
  FileBytes(std::string_view start, std::int64_t size) : start_(start), size_(size) {}

  std::int64_t size() const { return size_; }

  std::string text(std::int64_t position, std::int64_t count) {
    if (position < 0 || position >= size_) return "";
    if (!start_.empty()) {
      const auto first = static_cast<std::size_t>(position);
      return first < start_.size() ? start_.substr(first, static_cast<std::size_t>(count)) : "";
    }
    std::string bytes(static_cast<std::size_t>(std::min(count, size_ - position)), '\0');
    file_.clear();
    file_.seekg(position);
    file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }

  std::optional<std::uint64_t> big_endian(std::int64_t position, int count) {
    const std::string bytes = text(position, count);
    if (static_cast<int>(bytes.size()) < count) return std::nullopt;
    std::uint64_t value = 0;
    for (unsigned char byte : bytes) value = value << 8 | byte;
    return value;
  }

  // Returns the line that starts at `position`, without its end; nothing if no line ends within 64
  // KiB.
  std::optional<std::string> line(std::int64_t position) {
    for (const std::int64_t most : {std::int64_t{64}, std::int64_t{1} << 16}) {
      const std::string bytes = text(position, most);
      const std::size_t end = bytes.find('\n');
      if (end != bytes.npos) return bytes.substr(0, end);
    }
    return std::nullopt;
  }

 private:
  std::ifstream file_;
  std::string start_;
  std::int64_t size_ = 0;
};

// Returns the bytes that are missing of `size` bytes from `position` on in a file of `file_size`; a
// wrong size cannot overflow.
std::int64_t lacking(std::int64_t file_size, std::int64_t position, std::uint64_t size) {
  const auto there = static_cast<std::uint64_t>(file_size - position);
  return size > there ? static_cast<std::int64_t>(std::min<std::uint64_t>(size - there, INT64_MAX))
                      : 0;
}

bool is_first_box(std::string_view type) {
  constexpr std::string_view kFirstBoxes[] = {"ftyp", "moov", "mdat", "wide", "free", "skip"};
  return std::find(std::begin(kFirstBoxes), std::end(kFirstBoxes), type) != std::end(kFirstBoxes);
}

std::int64_t missing_of_iso_media(FileBytes& file) {
  std::int64_t position = 0;
  while (const auto word = file.big_endian(position, 4)) {
    const std::string type = file.text(position + 4, 4);
    // Size 1: the size is in 64 bits after the type. Size 0: to the end of the file.
    const auto size = *word == 1 ? file.big_endian(position + 8, 8) : word;
    if (!size || *size < 8) return 0;
    const std::int64_t missing = lacking(file.size(), position, *size);
    // Anything may stand after the last box; only a box that matters counts as cut.
    const bool matters = type == "mdat" || type == "moov" || type == "moof";
    if (missing > 0) return matters ? missing : 0;
    position += static_cast<std::int64_t>(*size);
  }
  return 0;
}

struct EbmlSize {
  int length = 0;           // Length of the size field itself, in bytes.
  std::uint64_t value = 0;  // All ones when unknown.
  bool known = false;
};

// The leading zero bits of the first byte say how many more bytes follow (RFC 8794, 4).
std::optional<EbmlSize> ebml_size(FileBytes& file, std::int64_t position) {
  const auto first = file.big_endian(position, 1);
  if (!first || *first == 0) return std::nullopt;
  const int length = std::countl_zero(static_cast<std::uint8_t>(*first)) + 1;
  const auto bits = file.big_endian(position, length);
  if (!bits) return std::nullopt;
  const std::uint64_t mask = (std::uint64_t{1} << (7 * length)) - 1;
  return EbmlSize{length, *bits & mask, (*bits & mask) != mask};
}

std::int64_t missing_of_matroska(FileBytes& file) {
  constexpr std::uint64_t kSegment = 0x18538067;
  const auto header = ebml_size(file, 4);
  if (!header) return 0;
  const std::int64_t segment = 4 + header->length + static_cast<std::int64_t>(header->value);
  if (file.big_endian(segment, 4) != kSegment) return 0;
  const auto size = ebml_size(file, segment + 4);
  if (!size || !size->known) return 0;
  return lacking(file.size(), segment + 4 + size->length, size->value);
}

std::optional<std::uint64_t> little_endian(FileBytes& file, std::int64_t position) {
  const auto value = file.big_endian(position, 4);
  if (!value) return std::nullopt;
  return __builtin_bswap32(static_cast<std::uint32_t>(*value));
}

// Recorders write the size at the end; until then it is 0 or the largest value.
bool is_known_riff_size(std::optional<std::uint64_t> size) {
  return size.has_value() && *size != 0 && *size < 0xFFFFFF00U;
}

std::int64_t missing_of_riff(FileBytes& file) {
  const auto riff_size = little_endian(file, 4);
  if (!is_known_riff_size(riff_size)) return 0;
  const std::int64_t missing = lacking(file.size(), 8, *riff_size);
  std::int64_t position = 12;
  while (missing > 0) {
    const auto size = little_endian(file, position + 4);
    if (!size) break;
    // All pictures are complete: the size is wrong, or only an index is missing.
    if (file.text(position, 4) == "LIST" && file.text(position + 8, 4) == "movi") {
      const bool is_whole =
          is_known_riff_size(size) && lacking(file.size(), position + 8, *size) == 0;
      return is_whole ? 0 : missing;
    }
    position += 8 + static_cast<std::int64_t>(*size + *size % 2);
  }
  return missing;
}

bool has_first_box(std::string_view start) {
  return start.size() >= 8 && is_first_box(start.substr(4, 4));
}

std::int64_t missing_bytes_of(FileBytes& file) {
  const std::string start = file.text(0, 12);
  if (start.size() < 12) return 0;
  if (has_first_box(start)) return missing_of_iso_media(file);
  if (start.starts_with("\x1A\x45\xDF\xA3")) return missing_of_matroska(file);
  if (start.starts_with("RIFF") && start.ends_with("AVI ")) return missing_of_riff(file);
  return 0;
}

}  // namespace

std::int64_t missing_bytes(const std::string& path) {
  FileBytes file(path);
  return missing_bytes_of(file);
}

std::int64_t missing_bytes(std::string_view start, std::int64_t size) {
  FileBytes file(start, size);
  return missing_bytes_of(file);
}

bool is_iso_media(std::string_view start) { return has_first_box(start); }

std::string bytes_missing(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " byte is" : " bytes are") + " missing";
}

Y4mLength y4m_length(const std::string& path, std::int64_t frame_bytes) {
  FileBytes file(path);
  Y4mLength length;
  const auto header = file.line(0);
  if (!header || !header->starts_with("YUV4MPEG2")) return length;
  std::int64_t position = static_cast<std::int64_t>(header->size()) + 1;
  constexpr std::string_view kFrame = "FRAME";
  while (position < file.size()) {
    if (!kFrame.starts_with(file.text(position, kFrame.size()))) return length;
    const auto frame_header = file.line(position);
    if (!frame_header) {
      length.missing_bytes = frame_bytes;
      return length;
    }
    position += static_cast<std::int64_t>(frame_header->size()) + 1 + frame_bytes;
    if (position > file.size()) {
      length.missing_bytes = position - file.size();
      return length;
    }
    ++length.frames;
  }
  return length;
}

}  // namespace millrace::tools
