// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_memory.h>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHugePage = std::size_t{2} << 20;

using Touched = std::unique_ptr<unsigned char, decltype(&free_host_memory)>;

Touched touched(std::size_t bytes) {
  return Touched(static_cast<unsigned char*>(allocate_touched(bytes)), &free_host_memory);
}

TEST(HostMemory, IsWholePages) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(touched(1).get()) % page, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(touched(kHugePage).get()) % kHugePage, 0u);
}

TEST(HostMemory, HasItsPages) {
  constexpr std::size_t kBytes = 3 * kHugePage + 5;
  const Touched memory = touched(kBytes);
  std::vector<unsigned char> is_there(kBytes / static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + 1);
  ASSERT_EQ(mincore(memory.get(), kBytes, is_there.data()), 0);
  for (const unsigned char page : is_there) ASSERT_EQ(page & 1, 1);
}

TEST(HostMemory, IsWritableToTheLastByte) {
  constexpr std::size_t kBytes = kHugePage + 12'345;
  const Touched memory = touched(kBytes);
  std::memset(memory.get(), 7, kBytes);
  EXPECT_EQ(memory.get()[kBytes - 1], 7);
}

TEST(HostMemory, IsNullWhereMemoryDoesNotSuffice) {
  for (const std::size_t below : {0u, 1u, 5'000'000u}) {
    EXPECT_EQ(touched(std::numeric_limits<std::size_t>::max() - below), nullptr);
  }
  EXPECT_EQ(touched(std::size_t{1} << 50), nullptr);
}

TEST(HostMemory, IsCopiedToTheByte) {
  constexpr std::size_t kLargest = (std::size_t{20} << 20) + 77;
  std::vector<std::uint8_t> source(kLargest);
  std::iota(source.begin(), source.end(), std::uint8_t{1});
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{1'000'001}, kLargest - 13}) {
    std::vector<std::uint8_t> target(kLargest, 0xee);
    std::vector<std::uint8_t> expected = target;
    if (bytes > 0) std::memcpy(expected.data() + 9, source.data() + 3, bytes);
    copy_host_memory(target.data() + 9, source.data() + 3, bytes);
    EXPECT_TRUE(target == expected) << bytes << " bytes";
  }
}

// Makes a tree of files like the kernel's.
class MemoryLimitTest : public testing::Test {
 protected:
  MemoryLimitTest()
      : root(fs::path(testing::TempDir()) /
             testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(root);
    put("proc/meminfo",
        "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    600 kB\n");
    put("proc/self/cgroup", "0::/outer/inner\n");
  }
  ~MemoryLimitTest() override { fs::remove_all(root); }

  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  }

  const fs::path root;
};

TEST_F(MemoryLimitTest, IsTheMachinesWhereNoGroupHasALimit) {
  put("sys/fs/cgroup/outer/memory.max", "max\n");
  EXPECT_EQ(memory_limit(root.string()), 1000U << 10);
  EXPECT_EQ(available_memory(root.string()), 600U << 10);
}

TEST_F(MemoryLimitTest, IsTheLeastOfTheGroups) {
  put("sys/fs/cgroup/outer/memory.max", "300000\n");
  put("sys/fs/cgroup/outer/memory.current", "250000\n");
  put("sys/fs/cgroup/outer/inner/memory.max", "400000\n");
  put("sys/fs/cgroup/outer/inner/memory.current", "200000\n");
  EXPECT_EQ(memory_limit(root.string()), 300'000U);
  EXPECT_EQ(available_memory(root.string()), 50'000U);
}

TEST_F(MemoryLimitTest, IsWhatAContainersRootAllows) {
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/memory.max", "300000\n");
  put("sys/fs/cgroup/memory.current", "100000\n");
  EXPECT_EQ(memory_limit(root.string()), 300'000U);
  EXPECT_EQ(available_memory(root.string()), 200'000U);
}

TEST_F(MemoryLimitTest, CachedFilesAreGivenBack) {
  put("sys/fs/cgroup/outer/memory.max", "300000\n");
  put("sys/fs/cgroup/outer/memory.current", "290000\n");
  put("sys/fs/cgroup/outer/memory.stat", "anon 60000\ninactive_file 150000\nactive_file 50000\n");
  EXPECT_EQ(available_memory(root.string()), 210'000U);
}

TEST_F(MemoryLimitTest, MoreThanTheLimitIsNothingLeft) {
  put("sys/fs/cgroup/outer/memory.max", "300000\n");
  put("sys/fs/cgroup/outer/memory.current", "310000\n");
  EXPECT_EQ(available_memory(root.string()), 0U);
}

TEST_F(MemoryLimitTest, IsNoLimitWhereTheKernelSaysNothing) {
  EXPECT_GT(memory_limit((root / "none").string()), std::size_t{1} << 60);
  EXPECT_GT(available_memory((root / "none").string()), std::size_t{1} << 60);
}

TEST(MemoryOfThisProcess, IsThere) {
  EXPECT_GT(available_memory(), 0U);
  EXPECT_LE(available_memory(), memory_limit());
}

}  // namespace
}  // namespace millrace
