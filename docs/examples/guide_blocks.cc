// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/guide_blocks.h>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace millrace::examples {
namespace {

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

void expect_blocks_of_sources(const std::string& page, const std::vector<std::string>& sources,
                              int count) {
  std::string all;
  for (const std::string& source : sources) all += contents(source);
  std::istringstream lines(contents(page));
  std::string block;
  int blocks = 0;
  bool is_inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      EXPECT_NE(all.find(block), std::string::npos) << page << " shows\n" << block;
      is_inside = line == "```cpp";
      blocks += is_inside ? 1 : 0;
      block.clear();
    } else if (is_inside) {
      block += line + '\n';
    }
  }
  EXPECT_EQ(blocks, count) << page;
}

}  // namespace millrace::examples
