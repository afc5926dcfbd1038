// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/files/input/file_kind.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <string_view>

namespace millrace::tools {
namespace {

using Family = FileKind::Family;
using namespace std::string_literals;

FileKind kind_of(const std::string& bytes) {
  return tools::kind_of(std::string_view(bytes).substr(0, kKindHeadBytes),
                        bytes.empty() ? '\0' : bytes.back(), bytes.size());
}

struct Sample {
  std::string name;
  std::string bytes;
  Family family;
  std::string kind;  // Empty for raw data.
};

std::ostream& operator<<(std::ostream& out, const Sample& sample) { return out << sample.name; }

const std::string kZeros(600, '\0');

std::string at(std::size_t position, const std::string& bytes) {
  return std::string(position, '\0') + bytes + kZeros;
}

const Sample kSamples[] = {
    {"Npy", "\x93NUMPY\1\0"s, Family::kNpy, "a .npy array"},
    {"Stars", "3STAFIL3", Family::kStars, "a file of 3-stars"},
    {"OlderStars", "3STAFIL2", Family::kStars, "a file of 3-stars"},
    {"Vectors", "MRMOTION", Family::kVectors, "a file of motion vectors"},
    {"Zip", "PK\3\4\x14\0\0\0\0\0"s + std::string(16, 'x') + "\x09\0"s + "arr_0.npy",
     Family::kPacked, "a zip archive (.npz, .zip)"},
    {"EmptyZip", "PK\5\6"s + kZeros, Family::kPacked, "a zip archive (.npz, .zip)"},
    {"Gzip", "\x1f\x8b\x08\0\0\0\0\0\2\xff"s + kZeros, Family::kPacked, "a gzip file"},
    {"GzipOfAnUnknownMethod", "\x1f\x8b\x07\0\0\0\0\0\2\xff"s + kZeros, Family::kUnknown, ""},
    {"Bzip2", "BZh91AY&SY"s + kZeros, Family::kPacked, "a bzip2 file"},
    {"Xz",
     "\xfd"
     "7zXZ\0"s +
         kZeros,
     Family::kPacked, "an xz file"},
    {"Zstd", "\x28\xb5\x2f\xfd\x20"s + kZeros, Family::kPacked, "a zstd file"},
    {"Lz4", "\x04\x22\x4d\x18\x64\x40"s + kZeros, Family::kPacked, "an lz4 file"},
    {"SevenZip", "7z\xbc\xaf\x27\x1c"s + kZeros, Family::kPacked, "a 7z archive"},
    {"Tar", at(257, "ustar\0"s), Family::kPacked, "a tar archive"},
    {"Hdf5", "\x89HDF\r\n\x1a\n"s + kZeros, Family::kTable, "an HDF5 file"},
    {"Matlab", "MATLAB 5.0 MAT-file, Platform"s + kZeros, Family::kTable, "a MATLAB file (.mat)"},
    {"Parquet", "PAR1\x15\x04"s + kZeros + "PAR1", Family::kParquet, "a Parquet file"},
    {"Arrow", "ARROW1\0\0"s + kZeros, Family::kArrow, "an Arrow file"},
    {"Sqlite", "SQLite format 3\0"s + kZeros, Family::kTable, "an SQLite database"},
    {"Fits", "SIMPLE  =                    T", Family::kTable, "a FITS file"},
    {"Netcdf", "CDF\1\0\0\0\0\0\0\0\x0a"s + kZeros, Family::kTable, "a NetCDF file"},
    {"Pickle4", "\x80\4\x95\x05\0\0\0\0\0\0\0]\x94(K\1e."s, Family::kTable, "a pickle of Python"},
    {"Pickle2", "\x80\2]q\0(K\1e."s, Family::kTable, "a pickle of Python"},
    {"Png", "\x89PNG\r\n\x1a\n"s + kZeros, Family::kPicture, "a PNG picture"},
    {"Jpeg", "\xff\xd8\xff\xe0\0\x10JFIF"s + kZeros, Family::kPicture, "a JPEG picture"},
    {"Gif", "GIF89a"s + kZeros, Family::kPicture, "a GIF picture"},
    {"Tiff", "II*\0\x08\0\0\0"s + kZeros, Family::kPicture, "a TIFF picture"},
    {"Wave", "RIFF\0\0\0\0WAVEfmt "s, Family::kSound, "a WAVE file"},
    {"Avi", "RIFF\0\0\0\0AVI LIST"s, Family::kVideo, "an AVI file"},
    {"Y4m", "YUV4MPEG2 W16 H16\nFRAME\n"s + kZeros, Family::kVideo, "a y4m file"},
    {"Matroska", "\x1a\x45\xdf\xa3\xa3"s + kZeros, Family::kVideo, "a Matroska or WebM file"},
    {"Mp4",
     "\0\0\0\x18"
     "ftypisom"s +
         kZeros,
     Family::kVideo, "a QuickTime or MPEG-4 file"},
    {"Mov",
     "\0\0\1\x18"
     "moov"s +
         kZeros,
     Family::kVideo, "a QuickTime or MPEG-4 file"},
    {"H264", "\0\0\0\1\x67\x64\0\x28"s + kZeros, Family::kVideo, "an H.264 stream"},
    {"Pdf", "%PDF-1.7\n"s + kZeros, Family::kDocument, "a PDF document"},
    {"Elf",
     "\x7f"
     "ELF\2\1\1\0"s +
         kZeros,
     Family::kProgram, "a program (ELF)"},

    {"Json", "{\n  \"items\": 3\n}\n", Family::kText, "JSON text"},
    {"JsonOfOneLine", R"({"items":3,"x":4})", Family::kText, "JSON text"},
    {"Xml", "<?xml version='1.0'?>\n<kml/>\n", Family::kText, "XML text"},
    {"Html", "<!DOCTYPE html>\n<p>Not found</p>\n", Family::kText, "HTML text"},
    {"Csv", "x,y\n1.5,2.5\n3,4\n", Family::kText, "text"},
    {"Numbers", "17\n-4\n250000\n99\n8\n", Family::kText, "text"},
    {"TwoNumbers", "1 2\n", Family::kText, "text"},
    {"NumbersInALine", "17, 18, 19, 20, 21, 22", Family::kText, "text"},
    {"Utf8",
     "Stra\xc3\x9f"
     "e,L\xc3\xa4nge\n1,2\n3,4\n",
     Family::kText, "text"},
    {"Utf8WithAMark", "\xef\xbb\xbfx,y\n", Family::kText, "text"},
    {"Utf16",
     "\xff\xfe"
     "1\0,\0"
     "2\0\n\0"s,
     Family::kText, "UTF-16 text"},
    {"Utf16OfBigEndian",
     "\xfe\xff\0"
     "1\0,\0"
     "2\0\n"s,
     Family::kText, "UTF-16 text"},
    {"TextWithZerosBehindIt", "12\n15\n17\n18\n190\n" + kZeros, Family::kUnknown, ""},

    {"Nothing", "", Family::kUnknown, ""},
    {"Zeros", kZeros, Family::kUnknown, ""},
    {"SmallNumbers", "\1\0\0\0\2\0\0\0\3\0\0\0"s, Family::kUnknown, ""},
    {"FourLetters", "abcd", Family::kUnknown, ""},
    {"FourDigits", "1234", Family::kUnknown, ""},
    {"LettersOfEight", std::string(400, 'x'), Family::kUnknown, ""},
    {"NumbersThatLookLikeUtf16", "\xff\xfe\x12\x34\xff\xfe\x56\x78", Family::kUnknown, ""},
    {"TheFirstFourBytesOfZip", "PK\3\4"s + std::string(600, '\xee'), Family::kUnknown, ""},
    {"OnlyTheFirstBytesOfPng", "\x89PNG"s + kZeros, Family::kUnknown, ""},
    {"ATiffWithItsDirectoryBehindTheEnd", "II*\0\xff\xff\xff\x7f"s, Family::kUnknown, ""},
};

class FileKindTest : public testing::TestWithParam<Sample> {};

TEST_P(FileKindTest, IsFoundByContent) {
  const FileKind kind = kind_of(GetParam().bytes);
  EXPECT_EQ(kind.family, GetParam().family);
  EXPECT_EQ(kind.name, GetParam().kind);
  EXPECT_EQ(kind.is_known(), !GetParam().kind.empty());
}

INSTANTIATE_TEST_SUITE_P(All, FileKindTest, testing::ValuesIn(kSamples),
                         [](const auto& info) { return info.param.name; });

// Every signature of two bytes is among the first keys many times.
TEST(FileKindOfKeysTest, RandomKeysAreNoOtherKind) {
  SeededRandom random;
  for (int file = 0; file < 300'000; ++file) {
    std::string bytes(32, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random(0, 255));
    const FileKind kind = kind_of(bytes);
    ASSERT_FALSE(kind.is_known()) << kind.name << ", file " << file;
  }
}

TEST(FileKindOfKeysTest, SmallKeysAreNoOtherKind) {
  for (std::uint32_t key = 0; key < 2'000'000; ++key) {
    std::string bytes(16, '\0');
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<char>(key >> 8 * i);
    const FileKind kind = kind_of(bytes);
    ASSERT_FALSE(kind.is_known()) << kind.name << ", key " << key;
  }
}

TEST(FileKindOfFilesTest, ReadsAFile) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "kind_of_file";
  std::ofstream(path) << "x,y\n1,2\n3,4\n5,6\n";
  EXPECT_EQ(tools::kind_of(PositionedFile::open(path)).name, "text");
  std::ofstream(path, std::ios::trunc) << "";
  EXPECT_FALSE(tools::kind_of(PositionedFile::open(path)).is_known());
  std::filesystem::remove(path);
}

TEST(FileKindOfFilesTest, ARejectionSaysWhatToDo) {
  EXPECT_EQ(rejection("a.gz", {Family::kPacked, "a gzip file"}, "raw keys"),
            "a.gz: is a gzip file, not raw keys; unpack it first");
  EXPECT_EQ(rejection("a.png", {Family::kPicture, "a PNG picture"}, "points"),
            "a.png: is a PNG picture, not points");
}

}  // namespace
}  // namespace millrace::tools
