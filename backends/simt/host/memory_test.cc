// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/launch/sanitizers.h>
#include <millrace/backends/simt/simt_test.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::simt_backend {
namespace {

class MemoryTest : public SimtTest {};
INSTANTIATE_TEST_SUITE_P(Devices, MemoryTest, testing::Values(0, 1), device_name);

TEST_P(MemoryTest, DeviceMemoryIsCountedAndLimited) {
  const std::size_t before = free_memory();
  void* some = allocate_device(1 << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(some) % 256, 0u);
  EXPECT_EQ(free_memory(), before - (1 << 20));
  EXPECT_EQ(allocate_device(before), nullptr);
  free_device(some);
  EXPECT_EQ(free_memory(), before);
}

TEST_P(MemoryTest, SpacesFollowFromTheAddress) {
  const std::vector<char> pageable(10);
  char* const on_device = static_cast<char*>(allocate_device(10));
  char* const pinned = static_cast<char*>(allocate_pinned(10));
  EXPECT_EQ(space_of(pageable.data()), MemorySpace::kHost);
  EXPECT_EQ(space_of(on_device + 9), MemorySpace::kDevice);
  EXPECT_EQ(space_of(pinned + 9), MemorySpace::kPinned);
  EXPECT_EQ(space_of(nullptr), MemorySpace::kHost);
  free_device(on_device);
  free_pinned(pinned);
  EXPECT_EQ(space_of(pinned), MemorySpace::kHost);
}

TEST_P(MemoryTest, CopiesOfPageableMemoryHaveReadOrWrittenItWhenTheyReturn) {
  SimulatedArray<int> values(1);
  int pageable = 5;
  copy(values.data(), &pageable, sizeof(int), stream);
  pageable = 6;
  copy(&pageable, values.data(), sizeof(int), stream);
  EXPECT_EQ(pageable, 5);
}

TEST_P(MemoryTest, FillOfOtherMemoryIsRejected) {
  std::vector<int> pageable(10);
  EXPECT_THROW(fill(pageable.data(), std::byte{0}, 40, stream), Error);
}

void read_uninitialised(unsigned char* result) {
  if (thread_index() == 0) *result = static_cast<unsigned char>(shared_memory()[100]);
}

TEST_P(MemoryTest, SharedMemoryDoesNotStartAsZeros) {
  SimulatedArray<unsigned char> result(1);
  launch(&read_uninitialised, LaunchShape{1, 64, 128}, stream, result.data());
  synchronize(stream);
  EXPECT_NE(result.values()[0], 0);
}

void write_behind() {
  if (thread_index() == 0) shared_memory()[128] = 1;
}

TEST_P(MemoryTest, AddressSanitizerSeesTheEndOfSharedMemory) {
  if (!simt::has_address_sanitizer()) GTEST_SKIP() << "built without AddressSanitizer";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        launch(&write_behind, LaunchShape{1, 64, 128}, stream);
        synchronize(stream);
      },
      "heap-buffer-overflow");
}

void write_behind_array(int* values) { values[thread_index()] = 1; }

TEST_P(MemoryTest, AddressSanitizerSeesTheEndOfDeviceMemory) {
  if (!simt::has_address_sanitizer()) GTEST_SKIP() << "built without AddressSanitizer";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  SimulatedArray<int> values(63);
  EXPECT_DEATH(
      {
        launch(&write_behind_array, LaunchShape{1, 64}, stream, values.data());
        synchronize(stream);
      },
      "heap-buffer-overflow");
}

void count_in_shared_memory(int* result) {
  auto* count = reinterpret_cast<int*>(shared_memory());
  if (thread_index() == 0) *count = 0;
  sync_block();
  atomic_add<Scope::kBlock, Order::kRelaxed>(count, 1);
  sync_block();
  if (thread_index() == 0) *result = *count;
}

TEST_P(MemoryTest, AtomicsOfBlockScopeWorkOnSharedMemory) {
  SimulatedArray<int> result(1);
  launch(&count_in_shared_memory, LaunchShape{1, 128, 4}, stream, result.data());
  synchronize(stream);
  EXPECT_EQ(result.values()[0], 128);
}

void count_with_block_scope(int* count) { atomic_add<Scope::kBlock, Order::kRelaxed>(count, 1); }

TEST_P(MemoryTest, AtomicsOfBlockScopeOnDeviceMemoryAreAnError) {
  SimulatedArray<int> count(1);
  launch(&count_with_block_scope, LaunchShape{1, 64}, stream, count.data());
  EXPECT_NE(error().find("block scope"), std::string::npos);
}

void use_all_atomics(std::int64_t* values, double* sum) {
  const std::int64_t own = block_index() * block_threads() + thread_index() + 1;
  atomic_add<Scope::kDevice, Order::kRelaxed>(values, own);
  atomic_max<Scope::kDevice, Order::kRelaxed>(values + 1, own);
  std::int64_t seen = atomic_load<Scope::kDevice, Order::kRelaxed>(values + 2);
  while (true) {
    const std::int64_t before =
        atomic_compare_exchange<Scope::kDevice, Order::kRelaxed>(values + 2, seen, seen + own);
    if (before == seen) break;
    seen = before;
  }
  if (atomic_exchange<Scope::kDevice, Order::kRelaxed>(values + 3, 1) == 0) {
    reduce_add(values + 4, 100);
  }
  reduce_add(sum, 0.5);
}

TEST_P(MemoryTest, AtomicsOfManyThreadsLoseNothing) {
  SimulatedArray<std::int64_t> values(5);
  SimulatedArray<double> sum(1);
  launch(&use_all_atomics, LaunchShape{6, 128}, stream, values.data(), sum.data());
  synchronize(stream);
  EXPECT_EQ(values.values(), (std::vector<std::int64_t>{295'296, 768, 295'296, 1, 100}));
  EXPECT_EQ(sum.values()[0], 384);
}

void fetch_element(Texture texture, int x, int y, std::uint32_t* result) {
  if (thread_index() == 0) *result = fetch(texture, x, y).words[2];
}

TEST_P(MemoryTest, TexturesAreReadByPosition) {
  SimulatedArray<gpu::Vector16> elements(8 * 4);
  elements.data()[3 * 8 + 5].words[2] = 77;
  const Texture texture = create_texture(elements.data(), 6, 4, 8 * sizeof(gpu::Vector16));
  SimulatedArray<std::uint32_t> result(1);
  launch(&fetch_element, LaunchShape{1, 64}, stream, texture, 5, 3, result.data());
  synchronize(stream);
  EXPECT_EQ(result.values()[0], 77u);
  destroy_texture(texture);
}

TEST_P(MemoryTest, AFetchOutsideATextureIsAnError) {
  SimulatedArray<gpu::Vector16> elements(8 * 4);
  const Texture texture = create_texture(elements.data(), 6, 4, 8 * sizeof(gpu::Vector16));
  SimulatedArray<std::uint32_t> result(1);
  launch(&fetch_element, LaunchShape{1, 64}, stream, texture, 6, 0, result.data());
  EXPECT_NE(error().find("fetches element (6, 0) of a texture of 6 x 4"), std::string::npos);
  destroy_texture(texture);
}

}  // namespace
}  // namespace millrace::simt_backend
