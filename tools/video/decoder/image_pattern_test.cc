// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/decoder/image_pattern.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

class ImagePatternTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/image_pattern_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The number of the first file, -1 for a shell's pattern, or the sentence of the error.
  std::string found(const std::vector<std::string>& files, const std::string& pattern) {
    for (const auto& file : fs::directory_iterator(folder_)) fs::remove(file.path());
    for (const std::string& file : files) std::ofstream(folder_ / file) << "x";
    const std::string path = (folder_ / pattern).string();
    try {
      const ImagePattern images(path);
      return images.is_numbered() ? std::to_string(images.first_number()) : "-1";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo);
      const std::string sentence = error.what();
      EXPECT_TRUE(sentence.starts_with(path + ": ")) << sentence;
      return sentence.substr(path.size() + 2);
    }
  }

  fs::path folder_;
};

TEST_F(ImagePatternTest, FindsTheFirstNumber) {
  EXPECT_EQ(found({"shot0.png", "shot1.png"}, "shot%d.png"), "0");
  EXPECT_EQ(found({"shot99.png", "shot100.png", "shot101.png"}, "shot%d.png"), "99");
  EXPECT_EQ(found({"shot007.png", "shot008.png", "shot7.png"}, "shot%03d.png"), "7");
  EXPECT_EQ(found({"50%-1.png"}, "50%%-%d.png"), "1");
  EXPECT_EQ(found({"1.png", "2.png", "x.png", "3.jpg"}, "%d.png"), "1");
}

TEST_F(ImagePatternTest, TakesOtherPatternsAsAShellDoes) {
  EXPECT_EQ(found({"a.png", "b.png"}, "*.png"), "-1");
  EXPECT_EQ(found({"a.png"}, "?.png"), "-1");
}

TEST_F(ImagePatternTest, SaysWhatIsWrong) {
  EXPECT_EQ(found({"shot1.jpg"}, "shot%d.png"),
            "no file has a name of this pattern; give one that names files, such as shot%03d.png");
  EXPECT_EQ(found({}, "*.png"),
            "no file has a name of this pattern; give one that names files, such as shot%03d.png");
  EXPECT_EQ(found({"shot1.png"}, "shot1.png"),
            "--pattern needs one number such as %d or %03d in the name, or * or ?");
  EXPECT_EQ(found({"1-1.png"}, "%d-%d.png"),
            "--pattern needs one number such as %d or %03d in the name, or * or ?");
  EXPECT_EQ(found({"shot1.png", "shot2.png", "shot4.png", "shot5.png"}, "shot%d.png"),
            "number 3 is missing, and 2 files come after it; name them by * instead to take all");
}

}  // namespace
}  // namespace millrace::tools
