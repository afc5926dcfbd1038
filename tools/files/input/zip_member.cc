// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/zip_member.h>

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

namespace millrace::tools {
namespace {

constexpr std::size_t kEndBytes = 22;        // Bytes of the record behind the directory.
constexpr std::size_t kMostComment = 65535;  // Most bytes of the comment behind that record.
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kPiece = std::size_t{1} << 20;

[[noreturn]] void reject_member(const PositionedFile& archive, const ZipMember& member) {
  reject_file(archive.name(), "'" + member.name + "' is damaged; copy the archive again");
}

// Little-endian numbers in bytes.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number(std::size_t at, std::size_t count) const {
    std::uint64_t number = 0;
    for (std::size_t i = count; i-- > 0;) {
      number = number << 8 | static_cast<unsigned char>(bytes_.at(at + i));
    }
    return number;
  }

 private:
  std::string_view bytes_;
};

std::string read(const PositionedFile& archive, std::uint64_t position, std::uint64_t bytes) {
  if (position > archive.bytes() || bytes > archive.bytes() - position) {
    reject_file(archive.name(), "is a zip archive that is cut or damaged; copy it again");
  }
  std::string data(bytes, '\0');
  archive.read(position, data.data(), data.size());
  return data;
}

struct Directory {
  std::uint64_t position = 0;
  std::uint64_t bytes = 0;
  std::uint64_t members = 0;
};

// Fields of an archive of more than 4 GiB (zip64) are in a record of their own.
Directory zip64_directory(const PositionedFile& archive, std::uint64_t end) {
  constexpr std::uint64_t kLocatorBytes = 20;
  if (end < kLocatorBytes)
    reject_file(archive.name(), "is a zip archive that is cut or damaged; copy it again");
  const std::string locator = read(archive, end - kLocatorBytes, kLocatorBytes);
  if (!locator.starts_with("PK\x06\x07")) {
    reject_file(archive.name(), "is a zip archive that is cut or damaged; copy it again");
  }
  const std::string record = read(archive, Fields(locator).number(8, 8), 56);
  if (!record.starts_with("PK\x06\x06"))
    reject_file(archive.name(), "is a zip archive that is damaged; copy it again");
  const Fields fields(record);
  return {fields.number(48, 8), fields.number(40, 8), fields.number(32, 8)};
}

Directory find_directory(const PositionedFile& archive) {
  const std::uint64_t tail_bytes =
      std::min<std::uint64_t>(archive.bytes(), kEndBytes + kMostComment);
  const std::string tail = read(archive, archive.bytes() - tail_bytes, tail_bytes);
  const std::size_t at = tail.rfind("PK\x05\x06");
  if (at == tail.npos || tail.size() - at < kEndBytes) {
    reject_file(archive.name(),
                "is a zip archive without a directory; it may be cut; copy it again");
  }
  const Fields end(std::string_view(tail).substr(at));
  if (end.number(4, 2) != 0) {
    reject_file(archive.name(), "is a part of a zip archive of several files; join them to one");
  }
  const Directory directory = {end.number(16, 4), end.number(12, 4), end.number(10, 2)};
  const bool is_large = directory.position == 0xffffffff || directory.bytes == 0xffffffff ||
                        directory.members == 0xffff;
  return is_large ? zip64_directory(archive, archive.bytes() - tail_bytes + at) : directory;
}

// Replaces numbers of 2^32 - 1 by those of the zip64 field (4.5.3).
void read_zip64(std::string_view extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const Fields fields(extra);
    const std::size_t bytes = std::min<std::size_t>(fields.number(2, 2), extra.size() - 4);
    if (fields.number(0, 2) == 1) {
      const Fields values(extra.substr(4, bytes));
      std::size_t at = 0;
      for (std::uint64_t* const number : {&member.bytes, &member.packed_bytes, &member.header}) {
        if (*number != 0xffffffff || at + 8 > bytes) continue;
        *number = values.number(at, 8);
        at += 8;
      }
    }
    extra.remove_prefix(4 + bytes);
  }
}

// Writes the data of a deflated member. Returns its checksum.
std::uint32_t inflate_to(const PositionedFile& archive, const ZipMember& member,
                         std::uint64_t first, const PositionedFile& to) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    throw Error(ErrorCode::kOutOfMemory, "no memory to unpack " + archive.name());
  }
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> ended(&stream, &inflateEnd);
  std::string out(kPiece, '\0');
  std::uint64_t written = 0;
  std::uint32_t crc = 0;
  int status = Z_OK;
  for (std::uint64_t done = 0; done < member.packed_bytes && status != Z_STREAM_END;) {
    const auto bytes = std::min<std::uint64_t>(kPiece, member.packed_bytes - done);
    std::string in = read(archive, first + done, bytes);
    done += bytes;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      status = inflate(&stream, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        reject_member(archive, member);
      }
      const std::size_t some = out.size() - stream.avail_out;
      if (written + some > member.bytes) reject_member(archive, member);
      to.write(written, out.data(), some);
      crc = static_cast<std::uint32_t>(
          crc32(crc, reinterpret_cast<const Bytef*>(out.data()), static_cast<uInt>(some)));
      written += some;
    } while (stream.avail_out == 0 && status != Z_STREAM_END);
  }
  if (status != Z_STREAM_END || written != member.bytes) {
    reject_member(archive, member);
  }
  return crc;
}

}  // namespace

std::vector<ZipMember> zip_members(const PositionedFile& archive) {
  const Directory directory = find_directory(archive);
  const std::string entries = read(archive, directory.position, directory.bytes);
  std::vector<ZipMember> members;
  std::string_view rest = entries;
  for (std::uint64_t i = 0; i < directory.members; ++i) {
    if (rest.size() < kEntryBytes || !rest.starts_with("PK\x01\x02")) {
      reject_file(archive.name(), "is a zip archive whose directory is damaged; copy it again");
    }
    const Fields fields(rest);
    const std::size_t name = fields.number(28, 2);
    const std::size_t extra = fields.number(30, 2);
    const std::size_t all = kEntryBytes + name + extra + fields.number(32, 2);
    if (rest.size() < all)
      reject_file(archive.name(), "is a zip archive whose directory is damaged; copy it again");
    ZipMember member = {.name = std::string(rest.substr(kEntryBytes, name)),
                        .method = static_cast<std::uint16_t>(fields.number(10, 2)),
                        .crc = static_cast<std::uint32_t>(fields.number(16, 4)),
                        .packed_bytes = fields.number(20, 4),
                        .bytes = fields.number(24, 4),
                        .header = fields.number(42, 4)};
    read_zip64(rest.substr(kEntryBytes + name, extra), member);
    if ((fields.number(8, 2) & 1) != 0) {
      reject_file(archive.name(), "'" + member.name + "' is encrypted; pack it without a password");
    }
    members.push_back(std::move(member));
    rest.remove_prefix(all);
  }
  return members;
}

PositionedFile open_zip_member(const PositionedFile& archive, const ZipMember& member,
                               const std::string& folder) {
  const std::string header = read(archive, member.header, kLocalBytes);
  if (!header.starts_with("PK\x03\x04")) reject_member(archive, member);
  const Fields fields(header);
  const std::uint64_t first =
      member.header + kLocalBytes + fields.number(26, 2) + fields.number(28, 2);
  const std::string name = archive.name() + ":" + member.name;
  if (first > archive.bytes() || member.packed_bytes > archive.bytes() - first) {
    reject_file(archive.name(), "is a zip archive that is cut or damaged; copy it again");
  }
  if (member.method == 0) return archive.segment(first, member.packed_bytes, name);
  if (member.method != 8) {
    reject_file(archive.name(), "'" + member.name + "' is packed by method " +
                                    std::to_string(member.method) +
                                    "; write it by numpy.savez, or unpack it");
  }
  PositionedFile unpacked = PositionedFile::make_nameless(folder, "for a member of an archive");
  if (inflate_to(archive, member, first, unpacked) != member.crc) {
    reject_file(archive.name(),
                "'" + member.name + "' is damaged: its checksum differs; copy the archive again");
  }
  return unpacked.segment(0, member.bytes, name);
}

}  // namespace millrace::tools
