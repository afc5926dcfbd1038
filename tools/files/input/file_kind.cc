// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/input/file_kind.h>
#include <millrace/tools/files/input/text_kind.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace millrace::tools {
namespace {

using Family = FileKind::Family;
using namespace std::string_view_literals;

// The first bytes of a file, with access to numbers in either byte order.
struct Head {
  std::string_view bytes;
  char last;
  std::uint64_t size;

  unsigned byte(std::size_t at) const {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 256;
  }
  std::uint64_t little(std::size_t at, std::size_t count) const {
    std::uint64_t number = 0;
    for (std::size_t i = count; i-- > 0;) number = number << 8 | byte(at + i);
    return number;
  }
  std::uint64_t big(std::size_t at, std::size_t count) const {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < count; ++i) number = number << 8 | byte(at + i);
    return number;
  }
  bool has(std::size_t at, std::string_view text) const {
    return bytes.size() >= at + text.size() && bytes.substr(at, text.size()) == text;
  }
};

// A signature, and a further condition of every file of the kind; null: the signature is enough.
struct Signature {
  FileKind kind;
  std::size_t position;
  std::string_view bytes;
  bool (*is_confirmed)(const Head& head) = nullptr;
};

// The local header of the first member (APPNOTE.TXT 4.3.7): version, method, length of its name.
bool is_zip(const Head& head) {
  constexpr unsigned kMethods[] = {0, 8, 9, 12, 14, 93, 95, 98, 99};
  return head.little(4, 2) <= 63 && std::ranges::count(kMethods, head.little(8, 2)) > 0 &&
         head.little(26, 2) > 0 && head.little(26, 2) < 4096;
}

// RFC 1952, 2.3: the method is deflate, reserved flags are 0, XFL and OS have a stated value.
bool is_gzip(const Head& head) {
  const unsigned level = head.byte(8);
  const unsigned system = head.byte(9);
  return head.byte(2) == 8 && head.byte(3) < 32 && (level == 0 || level == 2 || level == 4) &&
         (system <= 13 || system == 255) && head.size >= 18;
}

bool is_bzip2(const Head& head) {
  return head.byte(3) >= '1' && head.byte(3) <= '9' &&
         (head.has(4, "\x31\x41\x59\x26\x53\x59") || head.has(4, "\x17\x72\x45\x38\x50\x90"));
}

// The reserved bit of the frame's descriptor is 0 (RFC 8878, 3.1.1.1.1).
bool is_zstd(const Head& head) { return (head.byte(4) & 8) == 0 && head.size >= 9; }

// Version 01 and no reserved bit in FLG and BD.
bool is_lz4(const Head& head) {
  return (head.byte(4) & 0xc2) == 0x40 && (head.byte(5) & 0x8f) == 0 && head.byte(5) >= 0x40;
}

bool is_parquet(const Head& head) { return head.last == '1' && head.size >= 12; }

// The segment behind the start of the image is one that may be first, and its length is sound.
bool is_jpeg(const Head& head) {
  const unsigned marker = head.byte(3);
  const bool is_first = marker == 0xdb || marker == 0xc4 || marker == 0xfe ||
                        (marker >= 0xe0 && marker <= 0xef) || marker == 0xc0 || marker == 0xc2;
  return is_first && head.big(4, 2) >= 2 && head.big(4, 2) < head.size;
}

bool is_bitmap(const Head& head) {
  return head.little(6, 4) == 0 && head.little(2, 4) <= head.size && head.little(10, 4) >= 26 &&
         head.little(10, 4) < head.size && head.little(14, 4) >= 12 && head.little(14, 4) <= 124;
}

// The first directory is in the file.
bool is_tiff(const Head& head) {
  const bool is_little = head.byte(0) == 'I';
  const std::uint64_t position = is_little ? head.little(4, 4) : head.big(4, 4);
  return position >= 8 && position < head.size && position % 2 == 0;
}

bool is_riff_of(const Head& head, std::string_view form) { return head.has(8, form); }

// The length of a first box of ISO base media files; 1 stands for one of 64 bits, 0 for the rest.
bool is_box(const Head& head) { return head.big(0, 4) <= 1 || head.big(0, 4) >= 8; }
bool is_small_box(const Head& head) { return head.big(0, 4) >= 8 && head.big(0, 4) <= 4096; }

bool is_transport_stream(const Head& head) {
  constexpr std::size_t kPacket = 188;
  return head.byte(kPacket) == 0x47 && head.byte(2 * kPacket) == 0x47 &&
         head.byte(3 * kPacket) == 0x47;
}

// The pack header of MPEG-1 or MPEG-2 with its marker bits, or a sequence header.
bool is_program_stream(const Head& head) {
  return (head.byte(4) & 0xc4) == 0x44 ? (head.byte(6) & 4) != 0 : (head.byte(4) & 0xf1) == 0x21;
}

// A sequence parameter set of a known profile (ITU-T H.264, 7.3.2.1.1).
bool is_h264(const Head& head) {
  constexpr unsigned kProfiles[] = {66, 77, 88, 100, 110, 122, 244};
  return std::ranges::count(kProfiles, head.byte(5)) > 0 && (head.byte(6) & 3) == 0 &&
         head.byte(7) >= 9 && head.byte(7) <= 62;
}

bool is_mp3(const Head& head) {
  return head.byte(3) >= 2 && head.byte(3) <= 4 && head.byte(4) < 16 && (head.byte(5) & 15) == 0 &&
         (head.big(6, 4) & 0x80808080U) == 0;
}

bool is_elf(const Head& head) {
  const auto is_one_or_two = [&](std::size_t at) {
    return head.byte(at) == 1 || head.byte(at) == 2;
  };
  return is_one_or_two(4) && is_one_or_two(5) && head.byte(6) == 1;
}

// The new header that the old one names is one.
bool is_portable_executable(const Head& head) {
  return head.has(static_cast<std::size_t>(head.little(60, 4)), "PE\0\0"sv);
}

// The tag of the list of dimensions is 0 or 10; the number of records before it is any.
bool is_netcdf(const Head& head) {
  const unsigned version = head.byte(3);
  const std::uint64_t tag = head.big(version == 5 ? 12 : 8, 4);
  return (version == 1 || version == 2 || version == 5) && (tag == 0 || tag == 10);
}

// Protocols 4 and 5 begin with a frame that is in the file.
bool is_framed_pickle(const Head& head) {
  return (head.byte(1) == 4 || head.byte(1) == 5) && head.byte(2) == 0x95 &&
         head.little(3, 8) <= head.size && head.last == '.';
}

// Protocols 2 and 3 begin with an object: a list, dictionary, tuple, class, string or number.
bool is_plain_pickle(const Head& head) {
  constexpr std::string_view kFirst = "]}()cXUKMJGNB\x88\x89\x8a";
  return (head.byte(1) == 2 || head.byte(1) == 3) && head.byte(2) < 256 &&
         kFirst.find(static_cast<char>(head.byte(2))) != kFirst.npos && head.last == '.' &&
         head.size > 3 && (head.byte(3) == 'q' || head.byte(4) == 'q' || head.byte(2) == 'c');
}

bool is_grib(const Head& head) { return head.byte(7) == 1 || head.byte(7) == 2; }
bool is_matroska(const Head& head) { return head.byte(4) >= 0x80 || head.byte(4) == 1; }
bool is_java_class(const Head& head) { return head.big(6, 2) >= 45 && head.big(6, 2) < 100; }
bool is_ogg(const Head& head) { return head.byte(4) == 0 && head.byte(5) < 8; }

constexpr FileKind kZip = {Family::kPacked, "a zip archive (.npz, .zip)"};
constexpr FileKind kMovie = {Family::kVideo, "a QuickTime or MPEG-4 file"};
constexpr FileKind kTiff = {Family::kPicture, "a TIFF picture"};
constexpr FileKind kNetcdf = {Family::kTable, "a NetCDF file"};
constexpr FileKind kPickle = {Family::kTable, "a pickle of Python"};
constexpr FileKind kMpeg = {Family::kVideo, "an MPEG program stream"};
constexpr FileKind kH264 = {Family::kVideo, "an H.264 stream"};

constexpr Signature kSignatures[] = {
    {{Family::kNpy, "a .npy array"}, 0, "\x93NUMPY"},
    {{Family::kStars, "a file of 3-stars"}, 0, "3STAFIL"},
    {{Family::kVectors, "a file of motion vectors"}, 0, "MRMOTION"},
    {kZip, 0, "PK\3\4", is_zip},
    {kZip, 0, "PK\5\6\0\0\0\0"sv},
    {{Family::kPacked, "a gzip file"}, 0, "\x1f\x8b", is_gzip},
    {{Family::kPacked, "a bzip2 file"}, 0, "BZh", is_bzip2},
    {{Family::kPacked, "an xz file"},
     0,
     "\xfd"
     "7zXZ\0"sv},
    {{Family::kPacked, "a zstd file"}, 0, "\x28\xb5\x2f\xfd", is_zstd},
    {{Family::kPacked, "an lz4 file"}, 0, "\x04\x22\x4d\x18", is_lz4},
    {{Family::kPacked, "a 7z archive"}, 0, "7z\xbc\xaf\x27\x1c"},
    {{Family::kPacked, "a rar archive"}, 0, "Rar!\x1a\x07"},
    {{Family::kPacked, "a tar archive"}, 257, "ustar\0"sv},
    {{Family::kPacked, "a tar archive"}, 257, "ustar  \0"sv},
    {{Family::kTable, "an HDF5 file"}, 0, "\x89HDF\r\n\x1a\n"},
    {{Family::kTable, "an HDF4 file"}, 0, "\x0e\x03\x13\x01\0"sv},
    {{Family::kTable, "a MATLAB file (.mat)"}, 0, "MATLAB 5.0 MAT-file"},
    {{Family::kTable, "a MATLAB file (.mat)"}, 0, "MATLAB 7.3 MAT-file"},
    {{Family::kParquet, "a Parquet file"}, 0, "PAR1\x15", is_parquet},
    {{Family::kArrow, "an Arrow file"}, 0, "ARROW1\0\0"sv},
    {{Family::kTable, "a Feather file"}, 0, "FEA1\0\0\0\0"sv},
    {{Family::kTable, "an ORC file"}, 0, "ORC\x08\x03\x10"},
    {{Family::kTable, "an Avro file"},
     0,
     "Obj\x01\x04\x14"
     "avro."},
    {{Family::kTable, "an SQLite database"}, 0, "SQLite format 3\0"sv},
    {{Family::kTable, "a FITS file"}, 0, "SIMPLE  ="},
    {kNetcdf, 0, "CDF", is_netcdf},
    {{Family::kTable, "a GRIB file"}, 0, "GRIB", is_grib},
    {kPickle, 0, "\x80", is_framed_pickle},
    {kPickle, 0, "\x80", is_plain_pickle},
    {{Family::kTable, "a file of R data"}, 0, "RDX3\nX\n"},
    {{Family::kTable, "a file of R data"}, 0, "RDX2\nX\n"},
    {{Family::kPicture, "a PNG picture"}, 0, "\x89PNG\r\n\x1a\n"},
    {{Family::kPicture, "a JPEG picture"}, 0, "\xff\xd8\xff", is_jpeg},
    {{Family::kPicture, "a GIF picture"}, 0, "GIF87a"},
    {{Family::kPicture, "a GIF picture"}, 0, "GIF89a"},
    {{Family::kPicture, "a bitmap picture (.bmp)"}, 0, "BM", is_bitmap},
    {kTiff, 0, "II*\0"sv, is_tiff},
    {kTiff, 0, "MM\0*"sv, is_tiff},
    {{Family::kPicture, "a WebP picture"},
     0,
     "RIFF",
     [](const Head& head) { return is_riff_of(head, "WEBP"); }},
    {{Family::kSound, "a WAVE file"},
     0,
     "RIFF",
     [](const Head& head) { return is_riff_of(head, "WAVE"); }},
    {{Family::kSound, "a FLAC file"}, 0, "fLaC\0\0\0\x22"sv},
    {{Family::kSound, "an MP3 file"}, 0, "ID3", is_mp3},
    {{Family::kSound, "an Ogg file"}, 0, "OggS", is_ogg},
    {{Family::kVideo, "an AVI file"},
     0,
     "RIFF",
     [](const Head& head) { return is_riff_of(head, "AVI "); }},
    {{Family::kVideo, "a y4m file"}, 0, "YUV4MPEG2 "},
    {{Family::kVideo, "a y4m file"}, 0, "YUV4MPEG2\n"},
    {{Family::kVideo, "a Matroska or WebM file"}, 0, "\x1a\x45\xdf\xa3", is_matroska},
    {kMovie, 4, "ftyp", is_small_box},
    {kMovie, 4, "moov", is_box},
    {kMovie, 4, "mdat", is_box},
    {kMovie, 4, "wide", is_small_box},
    {{Family::kVideo, "an IVF file"}, 0, "DKIF\0\0\x20\0"sv},
    {{Family::kVideo, "an FLV file"},
     0,
     "FLV\x01",
     [](const Head& head) { return head.byte(4) < 8; }},
    {{Family::kVideo, "an MPEG transport stream"}, 0, "G", is_transport_stream},
    {kMpeg, 0, "\0\0\x01\xba"sv, is_program_stream},
    {kH264, 0, "\0\0\0\x01\x67"sv, is_h264},
    {{Family::kDocument, "a PDF document"}, 0, "%PDF-"},
    {{Family::kDocument, "a Microsoft Office document"}, 0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"},
    {{Family::kProgram, "a program (ELF)"},
     0,
     "\x7f"
     "ELF",
     is_elf},
    {{Family::kProgram, "a program of Windows"}, 0, "MZ", is_portable_executable},
    {{Family::kProgram, "a class of Java"}, 0, "\xca\xfe\xba\xbe", is_java_class},
};

std::string_view advice_for(Family family) {
  switch (family) {
    case Family::kPacked: return "unpack it first";
    case Family::kText: return "convert it to binary first";
    case Family::kParquet:
    case Family::kArrow:
    case Family::kTable: return "write its array with numpy.save first";
    default: return "";
  }
}

}  // namespace

FileKind kind_of(std::string_view head, char last, std::uint64_t bytes) {
  const Head of = {head, last, bytes};
  for (const Signature& signature : kSignatures) {
    if (!of.has(signature.position, signature.bytes)) continue;
    if (signature.is_confirmed == nullptr || signature.is_confirmed(of)) return signature.kind;
  }
  const std::string_view text = text_kind(head, bytes);
  return text.empty() ? FileKind{} : FileKind{Family::kText, text};
}

FileKind kind_of(const PositionedFile& file) {
  if (file.bytes() == 0) return {};
  std::string head(std::min<std::uint64_t>(file.bytes(), kKindHeadBytes), '\0');
  file.read(0, head.data(), head.size());
  char last = '\0';
  file.read(file.bytes() - 1, &last, 1);
  return kind_of(head, last, file.bytes());
}

std::string rejection(const std::string& file, const FileKind& kind, const std::string& wanted) {
  const std::string_view advice = advice_for(kind.family);
  return file + ": is " + std::string(kind.name) + ", not " + wanted +
         (advice.empty() ? "" : "; " + std::string(advice));
}

}  // namespace millrace::tools
