// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/command/features/output/npz/npz_writer.h>
#include <millrace/tools/files/test_folder.h>

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using NpzWriterTest = TestFolder;

// Returns the bytes of the archive from a member's first one on: members are stored. In its local
// header, the length of what is between name and data is in front of the name.
std::string member(const std::string& archive, const std::string& name) {
  const std::size_t at = archive.find(name);
  if (at == archive.npos) return "";
  const std::size_t extra = static_cast<unsigned char>(archive[at - 2]);
  return archive.substr(at + name.size() + extra);
}

TEST_F(NpzWriterTest, RowsMakeUpTheFirstDimension) {
  NpzWriter writer({{"small", "'|u1'", 1, {}}, {"large", "'<i2'", 2, {3, 2}}}, folder_.string());
  std::vector<std::int16_t> rows;
  for (std::int16_t row = 0; row < 10'000; ++row) {  // More than are kept in memory.
    const std::int16_t values[6] = {row, 1, 2, 3, 4, static_cast<std::int16_t>(-row)};
    const auto small = static_cast<std::uint8_t>(row);
    writer.append(0, &small, sizeof small);
    writer.append(1, values, sizeof values);
    rows.insert(rows.end(), values, values + 6);
  }
  writer.add_strings("names", {"a", "bcd"});
  OutputFile file(path("a.npz"), false);
  writer.write(file);
  file.commit();
  const std::string archive = text("a.npz");
  EXPECT_EQ(entries(), 1);  // Temporary files have no names.

  const std::string large = member(archive, "large.npy");
  const NpyHeader header = parse_npy_header(large, "large");
  EXPECT_EQ(header.element, "'<i2'");
  EXPECT_EQ(header.shape, (std::vector<std::uint64_t>{10'000, 3, 2}));
  EXPECT_FALSE(header.is_fortran_order);
  EXPECT_EQ(header.first_byte % 64, 0u);
  ASSERT_GE(large.size(), header.first_byte + 2 * rows.size());
  EXPECT_EQ(std::memcmp(large.data() + header.first_byte, rows.data(), 2 * rows.size()), 0);

  EXPECT_EQ(parse_npy_header(member(archive, "small.npy"), "small").shape,
            (std::vector<std::uint64_t>{10'000}));
  const std::string names = member(archive, "names.npy");
  const NpyHeader strings = parse_npy_header(names, "names");
  EXPECT_EQ(strings.element, "'|S3'");
  EXPECT_EQ(names.substr(strings.first_byte, 6), std::string("a\0\0bcd", 6));
}

TEST_F(NpzWriterTest, APipeGetsTheBytesOfTheFile) {
  NpzWriter writer({{"small", "'|u1'", 1, {}}}, folder_.string());
  writer.append(0, "abc", 3);
  OutputFile file(path("a.npz"), false);
  writer.write(file);
  file.commit();

  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  OutputFile pipe_file("/dev/fd/" + std::to_string(ends[1]), false);
  ASSERT_TRUE(pipe_file.is_direct());
  writer.write(pipe_file);  // Fits the pipe's memory.
  pipe_file.commit();
  close(ends[1]);
  std::string piped(4096, '\0');
  const ssize_t size = read(ends[0], piped.data(), piped.size());
  close(ends[0]);
  ASSERT_GT(size, 0);
  piped.resize(static_cast<std::size_t>(size));
  EXPECT_EQ(piped, text("a.npz"));
}

TEST_F(NpzWriterTest, WithoutRowsArraysAreEmpty) {
  NpzWriter writer({{"none", "'<f8'", 8, {2}}}, folder_.string());
  OutputFile file(path("a.npz"), false);
  writer.write(file);
  file.commit();
  EXPECT_EQ(parse_npy_header(member(text("a.npz"), "none.npy"), "none").shape,
            (std::vector<std::uint64_t>{0, 2}));
}

}  // namespace
}  // namespace millrace::tools
