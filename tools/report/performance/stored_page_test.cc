// SPDX-License-Identifier: Apache-2.0

// docs/performance.md, its pictures and the table in README.md are made from docs/results/*.json
// by tools/update_performance.
#include <millrace/tools/report/compliance/compliance.h>
#include <millrace/tools/report/page/markdown.h>
#include <millrace/tools/report/performance/performance.h>
#include <millrace/tools/report/results/results.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class StoredPageTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists("docs/results") && std::getenv("TEST_SRCDIR") == nullptr) {
      GTEST_SKIP() << "SKIPPED: no stored results, outside of Bazel";
    }
    for (const auto& entry : fs::directory_iterator("docs/results")) {
      if (entry.path().extension() == ".json") files_.push_back(entry.path().string());
    }
    std::ranges::sort(files_);
    ASSERT_FALSE(files_.empty());
    std::ostringstream page;
    write_markdown(page, performance_of(merge_results(files_), {}), "performance",
                   [&](const std::string& name, const std::string& svg) { pictures_[name] = svg; });
    page_ = page.str();
  }

  // Returns the first table of the page, which ends with a line.
  std::string first_table() const {
    const std::size_t begin = page_.find("\n|") + 1;
    return page_.substr(begin, page_.find("\n\n", begin) + 1 - begin);
  }

  std::vector<std::string> files_;
  std::string page_;
  std::map<std::string, std::string> pictures_;
};

constexpr const char* kHint = " differs from docs/results; tools/update_performance makes it";

TEST_F(StoredPageTest, IsMadeFromTheStoredResults) {
  EXPECT_TRUE(contents("docs/performance.md") == page_) << "docs/performance.md" << kHint;
}

TEST_F(StoredPageTest, HasItsPicturesAndNoOthers) {
  std::map<std::string, std::string> stored;
  for (const auto& entry : fs::directory_iterator("docs")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("performance-")) stored[name] = contents(entry.path());
  }
  ASSERT_GE(stored.size(), 2U);
  for (const auto& [name, svg] : pictures_) EXPECT_TRUE(stored[name] == svg) << name << kHint;
  EXPECT_EQ(stored.size(), pictures_.size()) << "docs/performance-*.svg" << kHint;
}

TEST_F(StoredPageTest, BeginsWithTheTableOfReadme) {
  const std::string begin = "<!-- performance -->\n";
  const std::string end = "<!-- end of performance -->\n";
  EXPECT_GT(std::ranges::count(first_table(), '\n'), 3);
  EXPECT_THAT(contents("README.md"), testing::HasSubstr(begin + first_table() + end))
      << "README.md" << kHint;
}

TEST_F(StoredPageTest, HasThePicturesOfReadme) {
  const std::string readme = contents("README.md");
  for (const std::string name : {"performance-1.svg", "performance-2.svg"}) {
    EXPECT_THAT(readme, testing::HasSubstr("docs/" + name));
    EXPECT_TRUE(pictures_.contains(name)) << name;
  }
}

// The run rules (docs/guide/run_rules.md) hold for the project's own figures, too.
TEST_F(StoredPageTest, HasResultsThatKeepTheBaseRules) {
  for (const std::string& file : files_) {
    const Compliance compliance = compliance_of(read_results(file));
    EXPECT_THAT(compliance.violations, testing::IsEmpty()) << file;
    EXPECT_FALSE(compliance.is_peak) << file;
  }
}

}  // namespace
}  // namespace millrace::tools
