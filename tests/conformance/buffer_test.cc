// SPDX-License-Identifier: Apache-2.0

// Buffers, and copies of every memory space to every memory space.
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <numeric>
#include <thread>

namespace millrace::conformance {
namespace {

using BufferTest = ConformanceTest;

TEST_P(BufferTest, HoldsWhatWasRequested) {
  for (const MemorySpace space : kMemorySpaces) {
    const Buffer<double> buffer(device, space, 1001);
    EXPECT_EQ(buffer.size(), 1001u);
    EXPECT_EQ(buffer.size_bytes(), 8008u);
    EXPECT_EQ(buffer.space(), space);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % Device::kAlignment, 0u);
  }
}

TEST_P(BufferTest, MayBeEmpty) {
  for (const MemorySpace space : kMemorySpaces) {
    Buffer<int> buffer(device, space, 0);
    EXPECT_EQ(buffer.size(), 0u);
    copy(*queue, buffer.span(), buffer.span());
    fill_bytes(*queue, buffer.span(), std::byte{1});
    EXPECT_NO_THROW(queue->wait());
  }
}

TEST_P(BufferTest, MovesWithoutMovingMemory) {
  Buffer<int> first(device, MemorySpace::kDevice, 10);
  const int* data = first.data();
  Buffer<int> second(std::move(first));
  EXPECT_EQ(second.data(), data);
  first = std::move(second);
  EXPECT_EQ(first.data(), data);
  EXPECT_EQ(first.size(), 10u);
}

TEST_P(BufferTest, RejectsSpansPastTheEnd) {
  Buffer<int> buffer(device, MemorySpace::kHost, 10);
  EXPECT_EQ(buffer.span(10, 0).size(), 0u);
  EXPECT_THROW(buffer.span(11, 0), Error);
  EXPECT_THROW(buffer.span(5, 6), Error);
  EXPECT_THROW(buffer.span(1, std::numeric_limits<std::size_t>::max()), Error);
}

TEST_P(BufferTest, RejectsCopiesOfUnequalSize) {
  Buffer<int> buffer(device, MemorySpace::kHost, 10);
  EXPECT_THROW(copy(*queue, buffer.span(0, 3), buffer.span(3, 4)), Error);
}

TEST_P(BufferTest, SaysHowMuchMemoryThereWasNot) {
  try {
    const Buffer<char> exabyte(device, MemorySpace::kDevice, std::size_t{1} << 60);
    FAIL() << "an exabyte was allocated";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_NE(std::string(error.what()).find("1152921504606846976"), std::string::npos);
  }
  constexpr std::size_t kLargest = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(Buffer<double>(device, MemorySpace::kDevice, std::size_t{1} << 62), Error);
  for (const std::size_t below : {0u, 1u, 1000u, 10'000'000u}) {
    EXPECT_THROW(Buffer<char>(device, MemorySpace::kDevice, kLargest - below), Error);
  }
}

TEST_P(BufferTest, OutlivesItsNameWhileACopyIsInFlight) {
  std::vector<int> host(100'000);
  {
    std::vector<int> values(host.size());
    std::iota(values.begin(), values.end(), 7);
    Buffer<int> source(device, MemorySpace::kDevice, values.size());
    copy(*queue, source.span(), BufferSpan<const int>(std::span<const int>(values)));
    queue->wait();
    copy(*queue, BufferSpan<int>(std::span<int>(host)), source.span());
  }
  queue->wait();
  for (std::size_t i = 0; i < host.size(); ++i) ASSERT_EQ(host[i], static_cast<int>(i) + 7);
}

TEST_P(BufferTest, FillsBytesAndNothingElse) {
  for (const MemorySpace space : kMemorySpaces) {
    Buffer<std::uint8_t> buffer(device, space, 1000);
    fill_bytes(*queue, buffer.span(), std::byte{0x11});
    fill_bytes(*queue, buffer.span(13, 701), std::byte{0xee});
    std::vector<std::uint8_t> host(1000);
    copy(*queue, BufferSpan<std::uint8_t>(std::span<std::uint8_t>(host)), buffer.span());
    queue->wait();
    for (std::size_t i = 0; i < host.size(); ++i) {
      ASSERT_EQ(host[i], i >= 13 && i < 714 ? 0xee : 0x11) << to_string(space) << " at " << i;
    }
  }
}

TEST_P(BufferTest, CopiesEverySpaceToEverySpaceAtOddOffsets) {
  constexpr std::size_t kBytes = 70'001;
  std::vector<std::uint8_t> pattern(kBytes);
  for (std::size_t i = 0; i < kBytes; ++i) pattern[i] = static_cast<std::uint8_t>(i * 31 + 7);
  const BufferSpan<const std::uint8_t> pattern_span{std::span<const std::uint8_t>(pattern)};

  for (const MemorySpace from : kMemorySpaces) {
    for (const MemorySpace to : kMemorySpaces) {
      for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{4097}, kBytes}) {
        const std::size_t read_at = count < 100 ? 5 : 0;
        const std::size_t write_at = 11;
        Buffer<std::uint8_t> source(device, from, kBytes);
        Buffer<std::uint8_t> target(device, to, kBytes + 20);
        std::vector<std::uint8_t> result(kBytes + 20);

        copy(*queue, source.span(), pattern_span);
        fill_bytes(*queue, target.span(), std::byte{0xa5});
        copy(*queue, target.span(write_at, count), source.span(read_at, count));
        copy(*queue, BufferSpan<std::uint8_t>(std::span<std::uint8_t>(result)), target.span());
        queue->wait();

        std::vector<std::uint8_t> expected(kBytes + 20, 0xa5);
        std::copy_n(pattern.begin() + read_at, count, expected.begin() + write_at);
        ASSERT_TRUE(result == expected)
            << to_string(from) << " to " << to_string(to) << ", " << count << " bytes";
      }
    }
  }
}

TEST_P(BufferTest, MayComeFromAPool) {
  for (const MemorySpace space : kMemorySpaces) {
    const auto pool = device->pool(space);
    Buffer<int> buffer(pool, 1000);
    EXPECT_EQ(buffer.space(), space);
    fill_bytes(*queue, buffer.span(), std::byte{0x33});
    std::vector<int> host(1000);
    copy(*queue, BufferSpan<int>(std::span<int>(host)), buffer.span());
    queue->wait();
    EXPECT_EQ(host, std::vector<int>(1000, 0x33333333)) << to_string(space);
  }
}

TEST_P(BufferTest, OfAPoolIsNotGivenToOthersWhileACopyOfItIsInFlight) {
  constexpr std::size_t kCount = 10'000;
  std::atomic<bool> open = false;
  queue->call([&open] {
    while (!open) std::this_thread::yield();
  });
  std::vector<int> host(kCount);
  for (const MemorySpace space : kMemorySpaces) {
    const auto pool = device->pool(space);
    const int* in_flight = nullptr;
    {
      Buffer<int> source(pool, kCount);
      fill_bytes(*queue, source.span(), std::byte{0});
      in_flight = source.data();
      copy(*queue, BufferSpan<int>(std::span<int>(host)), source.span());
    }
    EXPECT_NE(Buffer<int>(pool, kCount).data(), in_flight) << to_string(space);
  }
  open = true;
  queue->wait();
  for (const MemorySpace space : kMemorySpaces) {
    EXPECT_EQ(device->pool(space)->statistics().bytes_in_use, 0u) << to_string(space);
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, BufferTest, testing::ValuesIn(device_names()),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
