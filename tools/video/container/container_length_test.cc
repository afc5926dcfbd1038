// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/container/container_length.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace millrace::tools {
namespace {

using namespace std::string_literals;

class ContainerLengthTest : public testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }

  std::int64_t missing_of(const std::string& bytes) { return missing_bytes(put(bytes)); }

  std::string put(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }

  const std::string path_ = testing::TempDir() + "/container_length_test_clip";
};

const std::string file_type = "\0\0\0\x10"s + "ftypisom\0\0\0\0"s;

TEST_F(ContainerLengthTest, WholeIsoMediaMissesNothing) {
  EXPECT_EQ(missing_of(file_type + "\0\0\0\x0cmdatABCD"s), 0);
}

TEST_F(ContainerLengthTest, ACutIsoBoxMissesItsRest) {
  EXPECT_EQ(missing_of(file_type + "\0\0\0\x0cmdatAB"s), 2);
  EXPECT_EQ(missing_of(file_type + "\0\0\0\x01mdat\0\0\0\1\0\0\0\0AB"s), (1LL << 32) - 18);
}

TEST_F(ContainerLengthTest, AnIsoBoxWithoutSizeEndsWithTheFile) {
  EXPECT_EQ(missing_of(file_type + "\0\0\0\0mdatABCD"s), 0);
}

TEST_F(ContainerLengthTest, BytesAfterTheLastIsoBoxAreNoTruncation) {
  EXPECT_EQ(missing_of(file_type + "\0\0\0\x0cmdatABCDtrailing words"s), 0);
}

TEST_F(ContainerLengthTest, KnowsTheSizeOfAMatroskaSegment) {
  const std::string header = "\x1A\x45\xDF\xA3\x84\1\2\3\4\x18\x53\x80\x67"s;
  EXPECT_EQ(missing_of(header + "\x84"
                                "ABCD"s),
            0);
  EXPECT_EQ(missing_of(header + "\x40\x05"
                                "ABC"s),
            2);
  EXPECT_EQ(missing_of(header + "\x01\xff\xff\xff\xff\xff\xff\xff"
                                "ABC"s),
            0);  // Unknown.
}

TEST_F(ContainerLengthTest, KnowsTheSizeOfAnAvi) {
  EXPECT_EQ(missing_of("RIFF\x08\0\0\0AVI ABCD"s), 0);
  EXPECT_EQ(missing_of("RIFF\x08\1\0\0AVI ABCD"s), 256);
}

TEST_F(ContainerLengthTest, AnAviWhoseSizeWasNeverWrittenPromisesNothing) {
  const std::string rest = "AVI LIST\x0c\0\0\0moviABCDEFGH"s;
  for (const std::string& size : {"\0\0\0\0"s, "\xff\xff\xff\xff"s, "\xf8\xff\xff\xff"s}) {
    std::string file = "RIFF";
    file.append(size).append(rest);
    EXPECT_EQ(missing_of(file), 0);
  }
}

TEST_F(ContainerLengthTest, AnAviWithAllPicturesIsWholeWhateverItsSize) {
  const std::string rest = "AVI LIST\x04\0\0\0hdrlLIST\x0c\0\0\0moviABCDEFGH"s;
  EXPECT_EQ(missing_of("RIFF\x24\0\0\0"s + rest), 0);
  EXPECT_EQ(missing_of("RIFF\xff\0\0\0"s + rest), 0);
  EXPECT_EQ(missing_of("RIFF\x24\0\0\0"s + rest.substr(0, rest.size() - 3)), 3);
}

TEST_F(ContainerLengthTest, OtherFilesPromiseNothing) {
  EXPECT_EQ(missing_of(""), 0);
  EXPECT_EQ(missing_of("any text that is not a container"), 0);
  EXPECT_EQ(missing_bytes("/nonexistent"), 0);
}

TEST_F(ContainerLengthTest, CountsWholeY4mFrames) {
  const std::string header = "YUV4MPEG2 W2 H2 F25:1\n";
  const Y4mLength whole = y4m_length(put(header + "FRAME\nABCDEFFRAME Ip\nABCDEF"), 6);
  EXPECT_EQ(whole.frames, 2);
  EXPECT_EQ(whole.missing_bytes, 0);
  const Y4mLength cut = y4m_length(put(header + "FRAME\nABCDEFFRAME\nAB"), 6);
  EXPECT_EQ(cut.frames, 1);
  EXPECT_EQ(cut.missing_bytes, 4);
  const std::string comment = "YUV4MPEG2 W2 H2 X" + std::string(300, 'x') + "\n";
  EXPECT_EQ(y4m_length(put(comment + "FRAME Xlong\nABCDEF"), 6).frames, 1);
  const Y4mLength in_header = y4m_length(put(header + "FRAME\nABCDEFFRA"), 6);
  EXPECT_EQ(in_header.frames, 1);
  EXPECT_EQ(in_header.missing_bytes, 6);
}

TEST_F(ContainerLengthTest, Y4mEndsBeforeWhatIsNoFrame) {
  const Y4mLength length = y4m_length(put("YUV4MPEG2 W2 H2\nFRAME\nABCDEFjunk"), 6);
  EXPECT_EQ(length.frames, 1);
  EXPECT_EQ(length.missing_bytes, 0);
}

}  // namespace
}  // namespace millrace::tools
