// SPDX-License-Identifier: Apache-2.0

// Runs a fuzz target once with each of its seeds: what readers should take or reject, and inputs
// that once were findings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace millrace::fuzz {
namespace {

namespace fs = std::filesystem;

// The folder of the target's seeds: of //tests/fuzz:NAME_fuzz_test it is tests/fuzz/seeds/NAME.
// Empty where Bazel does not run the test.
fs::path seed_folder() {
  constexpr std::string_view kSuffix = "_fuzz_test";
  const char* const target = std::getenv("TEST_TARGET");
  if (target == nullptr) return {};
  std::string name = target;
  name.erase(0, name.find(':') + 1);
  EXPECT_TRUE(name.ends_with(kSuffix)) << name;
  return fs::path("tests/fuzz/seeds") / name.substr(0, name.size() - kSuffix.size());
}

// A vector of the file's exact size, so that AddressSanitizer sees what is read behind it.
std::vector<std::uint8_t> bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return {text.begin(), text.end()};
}

TEST(FuzzTest, SeedsAreTakenOrRejected) {
  const fs::path folder = seed_folder();
  if (folder.empty()) GTEST_SKIP() << "there are no seeds beside this program";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  ASSERT_FALSE(files.empty()) << folder;
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    std::cout << file.string() << std::endl;  // The last one that is there is the one that failed.
    const std::vector<std::uint8_t> bytes = bytes_of(file);
    EXPECT_EQ(LLVMFuzzerTestOneInput(bytes.data(), bytes.size()), 0);
  }
}

TEST(FuzzTest, NothingIsAnInputToo) { EXPECT_EQ(LLVMFuzzerTestOneInput(nullptr, 0), 0); }

}  // namespace
}  // namespace millrace::fuzz
