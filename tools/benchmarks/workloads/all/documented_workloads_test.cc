// SPDX-License-Identifier: Apache-2.0

// The pages of docs name workloads that exist, and the guide's table has each of them.
#include <millrace/tools/benchmarks/workloads/all/workloads.h>
#include <millrace/tools/report/results/results.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns the files of a folder with the extension.
std::vector<fs::path> files_of(const std::string& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  return files;
}

// Returns the first groups of all matches.
std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    found.push_back((*match)[1]);
  }
  return found;
}

// True for a name of a workload and for the beginning of names up to a '-'.
bool names(const std::string& word, const std::string& workload) {
  return workload == word || workload.starts_with(word + '-');
}

bool is_known(const std::string& word) {
  return std::ranges::any_of(all_workloads(),
                             [&](const Workload& each) { return names(word, each.name); });
}

// Expects of each `millrace bench` in a text that the words behind it, up to an option, are
// workloads. Returns the number of these words.
int expect_workloads_exist(const std::string& text, const fs::path& path) {
  int count = 0;
  for (const std::string& words :
       matches(text, R"((?:millrace|\$M)\s+bench((?:\s+[a-z0-9][a-z0-9_-]*)+))")) {
    std::istringstream in(words);
    for (std::string word; in >> word; ++count) {
      EXPECT_TRUE(is_known(word)) << path << ": 'millrace bench' has no workload '" << word << "'";
    }
  }
  return count;
}

TEST(DocumentedWorkloads, OfTheGuideExist) {
  int words = 0;
  for (const fs::path& page : files_of("docs/guide", ".md"))
    words += expect_workloads_exist(text_of(page), page);
  EXPECT_GE(words, 20);
}

// The files of docs/results can be measured again.
TEST(DocumentedWorkloads, OfStoredResultsExist) {
  int words = 0;
  for (const fs::path& file : files_of("docs/results", ".json")) {
    words += expect_workloads_exist(read_results(file.string()).command, file);
  }
  EXPECT_GE(words, 20);
}

// Commands of an older tool are those of a commit; "Again" has today's.
TEST(DocumentedWorkloads, OfExperimentsExistOrHaveACommandOfToday) {
  int words = 0;
  for (const fs::path& page : files_of("docs/experiments", ".md")) {
    const std::string text = text_of(page);
    words += expect_workloads_exist(text, page);
    if (page.stem() == "README" || text.find("`bench ") == text.npos) continue;
    EXPECT_NE(text.find("\nAgain: `millrace "), text.npos)
        << page << ": add a line 'Again: `millrace bench ...`' with today's command";
  }
  EXPECT_GE(words, 20);
}

TEST(DocumentedWorkloads, TheTableOfTheGuideHasEachWorkload) {
  std::vector<std::string> listed;
  for (const std::string& cell :
       matches(text_of("docs/guide/measuring.md"), R"(\n\| ((?:`[a-z0-9-]+`(?:, )?)+) \|)")) {
    for (const std::string& word : matches(cell, "`([a-z0-9-]+)`")) {
      EXPECT_TRUE(is_known(word)) << "a row has '" << word << "', which no workload is";
      listed.push_back(word);
    }
  }
  for (const Workload& workload : all_workloads()) {
    EXPECT_TRUE(std::ranges::any_of(
        listed, [&](const std::string& word) { return names(word, workload.name); }))
        << "no row of docs/guide/measuring.md has '" << workload.name << "'";
  }
}

}  // namespace
}  // namespace millrace::tools
