// SPDX-License-Identifier: Apache-2.0

// The call of docs/guide/many_machines.md, on the ranks that this process was started with.
#include <millrace/algorithms/radix_sort/ranks/distributed_sort.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/ranks/world.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace {

TEST(RanksGuideTest, SortsTheKeysOfAllRanks) {
  const std::unique_ptr<millrace::Queue> queue = millrace::open_device("tbb")->make_queue();
  std::vector<float> keys;
  for (int i = 0; i < 10'000; ++i) keys.push_back(static_cast<float>(i * 7919 % 10'007));
  std::vector<float> sorted(keys.size());
  const std::span<const float> my_keys = keys;
  const std::span<float> my_range = sorted;

  // clang-format off
millrace::DistributedQueue ranks{millrace::world_communicator(), *queue};   // in place of *queue
millrace::radix_sort::sort_keys<float>(ranks, my_keys, my_range);
  // clang-format on

  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(sorted, keys);
}

// Each line of C++ in the guide stands above.
TEST(RanksGuideTest, ShowsTheSource) {
  std::vector<std::string> source;
  std::ifstream file("docs/examples/ranks/ranks_test.cc");
  for (std::string line; std::getline(file, line);) source.push_back(line);
  std::ifstream page("docs/guide/many_machines.md");
  int lines = 0;
  bool is_inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      is_inside = line == "```cpp";
    } else if (is_inside) {
      ++lines;
      EXPECT_NE(std::find(source.begin(), source.end(), line), source.end()) << line;
    }
  }
  EXPECT_GE(lines, 5);
}

}  // namespace
