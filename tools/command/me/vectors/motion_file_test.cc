// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/me/vectors/me_test_picture.h>
#include <millrace/tools/command/me/vectors/motion_file.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

const std::string kAdvice = "; write it again with `millrace me -o FILE.bin`";

class MotionFileTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  static std::string bytes_of(const MotionFileFormat& format,
                              const std::vector<MeTestPicture*>& pictures) {
    std::ostringstream out;
    MotionFileWriter writer(out, format);
    for (MeTestPicture* const picture : pictures) writer.write(picture->view().motion);
    writer.finish();
    return out.str();
  }

  void put(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  // Returns the error of reading the whole file, without the file's name; "" for none.
  std::string problem() const {
    try {
      MotionFileReader reader(path_);
      MotionFilePicture picture;
      while (reader.next(picture)) {
      }
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo);
      const std::string what = error.what();
      EXPECT_TRUE(what.starts_with(path_ + ": ")) << what;
      return what.substr(path_.size() + 2);
    }
  }

  const std::string path_ = testing::TempDir() + "/motion_file_test.bin";
  const MotionFileFormat format_ = {
      .width = 40, .height = 17, .references = 2, .range = 16, .qp = 30, .precision = 1};
};

void expect_same(const MotionFilePicture& read, MeTestPicture& written) {
  EXPECT_EQ(read.index, written.motion.index);
  ASSERT_EQ(read.fields.size(), written.vectors.size());
  for (std::size_t i = 0; i < read.fields.size(); ++i) {
    EXPECT_EQ(read.fields[i].vectors, written.vectors[i]);
    EXPECT_EQ(read.fields[i].costs, written.costs[i]);
  }
  EXPECT_EQ(read.modes, written.modes);
}

TEST_F(MotionFileTest, WhatWasWrittenIsRead) {
  SeededRandom random;
  MeTestPicture first(40, 17, 1);
  MeTestPicture second(40, 17, 2);
  first.randomise(random);
  second.randomise(random);
  second.motion.index = 5;
  put(bytes_of(format_, {&first, &second}));

  MotionFileReader reader(path_);
  EXPECT_EQ(reader.format(), format_);
  MotionFilePicture picture;
  ASSERT_TRUE(reader.next(picture));
  expect_same(picture, first);
  ASSERT_TRUE(reader.next(picture));
  expect_same(picture, second);
  EXPECT_FALSE(reader.next(picture));
  EXPECT_FALSE(reader.next(picture));
}

TEST_F(MotionFileTest, TheBytesAreAsDocumented) {
  MeTestPicture picture(16, 16);
  picture.vectors[0][0] = {-2, 0x0102};
  picture.costs[0][40] = 0x01020304;
  picture.modes[0] = {.cost = 7,
                      .shape = motion::MacroblockShape::k8x8,
                      .quarters = {motion::QuarterShape::k8x8, motion::QuarterShape::k8x4,
                                   motion::QuarterShape::k4x8, motion::QuarterShape::k4x4}};
  const std::string bytes = bytes_of({.width = 16, .height = 9, .range = 32, .qp = 28}, {&picture});
  constexpr std::size_t kField = 41 * 4;
  ASSERT_EQ(bytes.size(), 36 + 8 + 2 * kField + 16 + 8);
  const auto number = [&](std::size_t position) {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i)
      value = value << 8 | static_cast<std::uint8_t>(bytes[position + i]);
    return value;
  };
  EXPECT_EQ(bytes.substr(0, 8), "MRMOTION");
  const std::uint32_t header[] = {1, 16, 9, 1, 32, 28, 0, /*index*/ 1, /*references*/ 1};
  for (std::size_t i = 0; i < std::size(header); ++i) EXPECT_EQ(number(8 + 4 * i), header[i]) << i;
  EXPECT_EQ(bytes.substr(44, 4), std::string("\xfe\xff\x02\x01", 4));
  EXPECT_EQ(number(44 + 2 * kField - 4), 0x01020304U);
  const std::size_t mode = 44 + 2 * kField;
  EXPECT_EQ(number(mode), 7U);
  EXPECT_EQ(bytes.substr(mode + 4, 12), std::string("\3\0\1\2\3\0\0\0\0\0\0\0", 12));
  EXPECT_EQ(number(mode + 16), 0xffffffffU);
  EXPECT_EQ(number(mode + 20), 1U);
}

TEST_F(MotionFileTest, OtherFilesAreRejected) {
  for (const std::string& bytes : {std::string(), std::string("MRMOT"), std::string(1000, 'x')}) {
    put(bytes);
    EXPECT_THAT(problem(), testing::StartsWith("is no file of motion vectors"));
  }
  put(std::string("MRMOTION\2\0\0\0", 12));
  EXPECT_EQ(problem(), "is a file of motion vectors of version 2, not 1" + kAdvice);
  put(bytes_of({.width = 0, .height = 16}, {}));
  EXPECT_EQ(problem(), "has a broken header" + kAdvice);
}

TEST_F(MotionFileTest, AFileThatIsCutAnywhereIsRejected) {
  MeTestPicture picture(40, 17, 2);
  const std::string bytes = bytes_of(format_, {&picture});
  SeededRandom random;
  for (int i = 0; i < 50; ++i) {
    put(bytes.substr(0, random(8, bytes.size() - 1)));
    EXPECT_THAT(problem(), testing::StartsWith("is truncated: it ends after "));
  }
}

TEST_F(MotionFileTest, DamageIsNoticed) {
  MeTestPicture picture(40, 17);
  const std::string bytes = bytes_of(format_, {&picture, &picture});
  put(bytes);
  EXPECT_EQ(problem(), "is damaged after picture 1" + kAdvice);  // The same index twice.
  put(bytes_of(format_, {&picture}) + "x");
  EXPECT_EQ(problem(), "is damaged at its end" + kAdvice);
  std::string many_references = bytes_of(format_, {&picture});
  many_references[40] = 5;
  put(many_references);
  EXPECT_EQ(problem(), "is damaged at its first picture" + kAdvice);
}

}  // namespace
}  // namespace millrace::tools
