// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/pivot_choice.h>

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace millrace::radix_sort {
namespace {

// Returns a line of /proc/cpuinfo; empty if there is none.
std::string processor_says(const std::string& name) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(name) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

TEST(PivotChoice, IsForSomeHundredThousandKeysAndNeverOnZen4) {
  const std::string family = processor_says("cpu family");
  const bool is_zen4_or_older =
      !family.empty() && processor_says("vendor_id") == "AuthenticAMD" && std::stoi(family) <= 25;
  EXPECT_EQ(is_vqsort_fast(), !is_zen4_or_older);
  EXPECT_EQ(is_profitable_to_split(500'000, 2), !is_zen4_or_older);
  EXPECT_EQ(is_profitable_to_split(100'000, 16), !is_zen4_or_older);
  EXPECT_FALSE(is_profitable_to_split(1'000'000, 2));
  EXPECT_FALSE(is_profitable_to_split(200'000, 16));
}

}  // namespace
}  // namespace millrace::radix_sort
