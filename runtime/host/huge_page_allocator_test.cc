// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/huge_page_allocator.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace millrace {
namespace {

using Bytes = std::vector<std::uint8_t, HugePageAllocator<std::uint8_t>>;

TEST(HugePageAllocator, MemoryHoldsValuesOfAnySize) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  for (const std::size_t size : {std::size_t{1}, std::size_t{63}, kHugePage / 2 - 1, kHugePage / 2,
                                 kHugePage, kHugePage + 1, 3 * kHugePage / 2 + 5}) {
    Bytes bytes(size);
    std::ranges::fill(bytes, std::uint8_t{7});
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(bytes, 7)), size);
    bytes.resize(size + 1, 9);
    EXPECT_EQ(bytes.front(), 7);
    EXPECT_EQ(bytes.back(), 9);
  }
}

TEST(HugePageAllocator, LargeMemoryBeginsWithAHugePage) {
  const Bytes bytes(std::size_t{3} << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % (std::size_t{2} << 20), 0u);
}

TEST(HugePageAllocator, GivenValuesAreThere) {
  const Bytes bytes(100, 5);
  EXPECT_EQ(std::ranges::count(bytes, 5), 100);
  const Bytes copy = bytes;
  EXPECT_EQ(copy, bytes);
}

TEST(HugePageAllocator, TooMuchMemoryThrows) {
  HugePageAllocator<std::uint64_t> allocator;
  EXPECT_THROW(allocator.allocate(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  EXPECT_THROW(allocator.allocate(std::numeric_limits<std::size_t>::max() / 32), std::bad_alloc);
}

}  // namespace
}  // namespace millrace
