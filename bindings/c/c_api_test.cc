// SPDX-License-Identifier: Apache-2.0

// Tests which arguments the C interface rejects and with which messages, and its use by many
// threads.
#include <millrace/bindings/c/expect_rejected.h>
#include <millrace/c/millrace.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

// Programs were compiled with these sizes, and bindings/fortran/millrace.f90 and
// bindings/python/millrace/_library.py repeat the structs. Members may only be added at the end,
// and these remain the smallest sizes that are accepted.
static_assert(sizeof(millrace_device_info) == 352);
static_assert(sizeof(millrace_queue_options) == 32);
static_assert(sizeof(millrace_sort_arguments) == 72);
static_assert(sizeof(millrace_motion_arguments) == 64);

class CApiTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(millrace_device_open("simt:1", &device), MILLRACE_OK);
    ASSERT_EQ(millrace_queue_create(device, nullptr, &queue), MILLRACE_OK);
  }
  void TearDown() override {
    EXPECT_EQ(millrace_queue_free(queue), MILLRACE_OK);
    EXPECT_EQ(millrace_device_close(device), MILLRACE_OK);
  }

  millrace_device* device = nullptr;
  millrace_queue* queue = nullptr;
};

TEST_F(CApiTest, NullHandlesAreRejected) {
  EXPECT_REJECTED(millrace_queue_wait(nullptr), MILLRACE_INVALID_ARGUMENT, "queue is null");
  EXPECT_REJECTED(millrace_queue_free(nullptr), MILLRACE_INVALID_ARGUMENT, "queue is null");
  EXPECT_REJECTED(millrace_buffer_free(nullptr), MILLRACE_INVALID_ARGUMENT, "buffer is null");
  EXPECT_REJECTED(millrace_device_close(nullptr), MILLRACE_INVALID_ARGUMENT, "device is null");
  EXPECT_REJECTED(millrace_sort(nullptr, nullptr), MILLRACE_INVALID_ARGUMENT, "queue is null");
  EXPECT_REJECTED(millrace_copy(queue, nullptr, 0, nullptr, 0, 1), MILLRACE_INVALID_ARGUMENT,
                  "target is null");
}

TEST_F(CApiTest, FreedHandlesAreRejectedWhateverReplacedThem) {
  millrace_buffer* old = nullptr;
  ASSERT_EQ(millrace_buffer_create(device, MILLRACE_HOST, 16, &old), MILLRACE_OK);
  ASSERT_EQ(millrace_buffer_free(old), MILLRACE_OK);
  EXPECT_REJECTED(millrace_buffer_free(old), MILLRACE_INVALID_ARGUMENT,
                  "buffer is a handle that was freed");
  millrace_buffer* successor = nullptr;
  ASSERT_EQ(millrace_buffer_create(device, MILLRACE_HOST, 16, &successor), MILLRACE_OK);
  EXPECT_NE(old, successor);
  EXPECT_REJECTED(millrace_buffer_get(old, nullptr, nullptr, nullptr), MILLRACE_INVALID_ARGUMENT,
                  "freed");
  EXPECT_EQ(millrace_buffer_free(successor), MILLRACE_OK);
}

TEST_F(CApiTest, OtherPointersAreRejected) {
  EXPECT_REJECTED(millrace_queue_wait(reinterpret_cast<millrace_queue*>(device)),
                  MILLRACE_INVALID_ARGUMENT, "queue is the handle of a device");
  int local = 0;
  EXPECT_REJECTED(millrace_queue_wait(reinterpret_cast<millrace_queue*>(&local)),
                  MILLRACE_INVALID_ARGUMENT, "queue is no handle of Millrace");
  const std::uint64_t number = 1;
  millrace_queue* small = nullptr;
  std::memcpy(static_cast<void*>(&small), &number, sizeof(small));
  EXPECT_REJECTED(millrace_queue_wait(small), MILLRACE_INVALID_ARGUMENT,
                  "queue is no handle of Millrace");
}

TEST_F(CApiTest, HeadersOfAnotherVersionAreRejected) {
  millrace_device* other = nullptr;
  EXPECT_REJECTED(millrace_device_open_version(MILLRACE_VERSION + 1, "tbb", &other),
                  MILLRACE_VERSION_MISMATCH, "headers of Millrace 0.1.1");
  EXPECT_REJECTED(millrace_device_open_version(20000, "tbb", &other), MILLRACE_VERSION_MISMATCH,
                  "headers of Millrace 2.0.0");
  EXPECT_REJECTED(millrace_device_open_version(-1, "tbb", &other), MILLRACE_VERSION_MISMATCH,
                  "library of Millrace 0.1.0");
  EXPECT_EQ(millrace_device_open_version(MILLRACE_VERSION - 1, "tbb", &other), MILLRACE_OK);
  EXPECT_EQ(millrace_device_close(other), MILLRACE_OK);
}

TEST_F(CApiTest, UnknownDevicesAreRejected) {
  millrace_device* other = nullptr;
  EXPECT_REJECTED(millrace_device_open("abacus:0", &other), MILLRACE_NOT_FOUND,
                  "this build has the backends ");
  EXPECT_REJECTED(millrace_device_open("simt:9", &other), MILLRACE_NOT_FOUND, "no device 'simt:9'");
  EXPECT_REJECTED(millrace_device_open(nullptr, &other), MILLRACE_INVALID_ARGUMENT, "name is null");
  EXPECT_REJECTED(millrace_device_open("tbb", nullptr), MILLRACE_INVALID_ARGUMENT,
                  "device is null");
  millrace_device_info info{};
  info.size = sizeof(info);
  EXPECT_REJECTED(millrace_device_describe(1000, &info), MILLRACE_INVALID_ARGUMENT,
                  "index is 1000; there are ");
}

TEST_F(CApiTest, StructsWithoutTheirSizeAreRejected) {
  millrace_sort_arguments sort{};
  EXPECT_REJECTED(millrace_sort(queue, &sort), MILLRACE_INVALID_ARGUMENT, "arguments->size is 0");
  EXPECT_REJECTED(millrace_sort(queue, nullptr), MILLRACE_INVALID_ARGUMENT, "arguments is null");
  millrace_device_info info{};
  info.size = sizeof(info) - 8;
  EXPECT_REJECTED(millrace_device_get_info(device, &info), MILLRACE_INVALID_ARGUMENT, "info->size");
}

TEST_F(CApiTest, StructsOfNewerHeadersAreRead) {
  struct Newer {
    millrace_device_info info;
    std::uint64_t more;
  } newer{};
  newer.more = 7;
  newer.info.size = sizeof(newer);
  EXPECT_EQ(millrace_device_get_info(device, &newer.info), MILLRACE_OK);
  EXPECT_STREQ(newer.info.name, "simt:1");
  EXPECT_EQ(newer.info.warp_width, 64);
  EXPECT_EQ(newer.more, 7u);
}

TEST_F(CApiTest, BadEnumsAndSizesAreRejected) {
  millrace_buffer* buffer = nullptr;
  EXPECT_REJECTED(millrace_buffer_create(device, static_cast<millrace_space>(3), 8, &buffer),
                  MILLRACE_INVALID_ARGUMENT, "space is 3");
  EXPECT_REJECTED(millrace_buffer_create(device, MILLRACE_DEVICE, SIZE_MAX / 2, &buffer),
                  MILLRACE_OUT_OF_MEMORY, "could not allocate");
  std::uint32_t key = 0;
  millrace_sort_arguments sort{};
  sort.size = sizeof(sort);
  sort.count = 1;
  sort.keys_in = &key;
  sort.keys_out = &key;
  sort.key_type = static_cast<millrace_key_type>(11);
  EXPECT_REJECTED(millrace_sort(queue, &sort), MILLRACE_INVALID_ARGUMENT, "key_type is 11");
  sort.key_type = MILLRACE_U32;
  sort.policy = static_cast<millrace_policy>(4);
  EXPECT_REJECTED(millrace_sort(queue, &sort), MILLRACE_INVALID_ARGUMENT, "policy is 4");
  sort.policy = MILLRACE_AUTO;
  sort.value_bytes = 3;
  EXPECT_REJECTED(millrace_sort(queue, &sort), MILLRACE_INVALID_ARGUMENT, "value_bytes is 3");
  const std::uint8_t tag = 2;
  std::int16_t samples[256] = {};
  std::int16_t residual[256] = {};
  EXPECT_REJECTED(millrace_idct(queue, MILLRACE_HOST, &tag, samples, 1, residual, MILLRACE_AUTO),
                  MILLRACE_INVALID_ARGUMENT, "a root has tag 2");
  std::uint64_t found = 0;
  EXPECT_REJECTED(millrace_three_star_count(queue, nullptr, 1, 5, &found),
                  MILLRACE_INVALID_ARGUMENT, "points is null");
  const millrace_point point = {0, 0};
  EXPECT_REJECTED(millrace_three_star_count(queue, &point, 1, 0, &found), MILLRACE_INVALID_ARGUMENT,
                  "radius");
  std::int32_t lambda = 0;
  EXPECT_REJECTED(millrace_motion_lambda(52, &lambda), MILLRACE_INVALID_ARGUMENT, "qp");
}

TEST_F(CApiTest, KeysOfOneAndTwoBytesAreSorted) {
  // -1.5, 2, -infinity and 0 in binary16.
  std::uint16_t halves[] = {0xbe00, 0x4000, 0xfc00, 0x0000};
  const std::uint16_t sorted_halves[] = {0xfc00, 0xbe00, 0x0000, 0x4000};
  std::int8_t bytes[] = {5, -7, 127, -128};
  const std::int8_t sorted_bytes[] = {-128, -7, 5, 127};
  millrace_sort_arguments sort{};
  sort.size = sizeof(sort);
  sort.count = 4;
  sort.space = MILLRACE_HOST;
  sort.keys_in = halves;
  sort.keys_out = halves;
  sort.key_type = MILLRACE_F16;
  EXPECT_EQ(millrace_sort(queue, &sort), MILLRACE_OK) << millrace_error_message();
  EXPECT_TRUE(std::equal(halves, halves + 4, sorted_halves));
  sort.keys_in = bytes;
  sort.keys_out = bytes;
  sort.key_type = MILLRACE_I8;
  EXPECT_EQ(millrace_sort(queue, &sort), MILLRACE_OK) << millrace_error_message();
  EXPECT_TRUE(std::equal(bytes, bytes + 4, sorted_bytes));
}

// Returns the search of the second of two pictures of one macroblock each.
template <class Sample>
millrace_motion_arguments search_of(const std::vector<Sample>& samples,
                                    std::vector<millrace_vector>& vectors) {
  millrace_motion_arguments search{};
  search.size = sizeof(search);
  search.samples = samples.data();
  search.frames = 2;
  search.width = 16;
  search.height = 16;
  search.sample_bytes = sizeof(Sample);
  search.range = 8;
  search.vectors = vectors.data();
  return search;
}

TEST_F(CApiTest, BadMotionSearchesAreRejected) {
  std::vector<std::uint8_t> samples(2 * 16 * 16);
  std::vector<millrace_vector> vectors(MILLRACE_PARTITIONS);
  millrace_motion_arguments search = search_of(samples, vectors);
  EXPECT_EQ(millrace_motion_search(device, &search), MILLRACE_OK) << millrace_error_message();
  search.width = 17;
  EXPECT_REJECTED(millrace_motion_search(device, &search), MILLRACE_INVALID_ARGUMENT, "17");
  search.width = 16;
  search.sample_bytes = 3;
  EXPECT_REJECTED(millrace_motion_search(device, &search), MILLRACE_INVALID_ARGUMENT,
                  "sample_bytes is 3");
  search.sample_bytes = 1;
  search.range = 129;
  EXPECT_REJECTED(millrace_motion_search(device, &search), MILLRACE_INVALID_ARGUMENT, "129");
  search.range = 8;
  search.vectors = nullptr;
  EXPECT_REJECTED(millrace_motion_search(device, &search), MILLRACE_INVALID_ARGUMENT,
                  "arguments->vectors is null");
}

TEST_F(CApiTest, SamplesOfMoreThan10BitsAreRejected) {
  std::vector<std::uint16_t> samples(2 * 16 * 16, 1023);
  std::vector<millrace_vector> vectors(MILLRACE_PARTITIONS);
  const millrace_motion_arguments search = search_of(samples, vectors);
  EXPECT_EQ(millrace_motion_search(device, &search), MILLRACE_OK) << millrace_error_message();
  samples.back() = 1024;
  EXPECT_REJECTED(millrace_motion_search(device, &search), MILLRACE_INVALID_ARGUMENT,
                  "picture 1 has a sample of 1024; samples of 10 bits are 0 to 1023");
}

TEST_F(CApiTest, CopiesBeyondABufferAreRejected) {
  millrace_buffer* buffer = nullptr;
  ASSERT_EQ(millrace_buffer_create(device, MILLRACE_DEVICE, 16, &buffer), MILLRACE_OK);
  char bytes[32] = {};
  EXPECT_REJECTED(millrace_copy_in(queue, buffer, 8, bytes, 9), MILLRACE_INVALID_ARGUMENT,
                  "target has 16 bytes; a copy of 9 from offset 8 on reaches past its end");
  EXPECT_REJECTED(millrace_copy_out(queue, bytes, buffer, SIZE_MAX, 2), MILLRACE_INVALID_ARGUMENT,
                  "reaches past its end");
  EXPECT_REJECTED(millrace_copy_in(queue, buffer, 0, nullptr, 4), MILLRACE_INVALID_ARGUMENT,
                  "source is null");
  EXPECT_EQ(millrace_buffer_free(buffer), MILLRACE_OK);
}

TEST_F(CApiTest, WrappedMemoryIsReleasedOnceNothingUsesIt) {
  std::vector<int> memory(100, 3);
  int releases = 0;
  const auto release = [](void* context) { ++*static_cast<int*>(context); };
  millrace_buffer* buffer = nullptr;
  EXPECT_REJECTED(
      millrace_buffer_wrap(nullptr, MILLRACE_HOST, memory.data(), 400, release, &releases, &buffer),
      MILLRACE_INVALID_ARGUMENT, "device is null");
  EXPECT_EQ(releases, 0);
  ASSERT_EQ(
      millrace_buffer_wrap(device, MILLRACE_HOST, memory.data(), 400, release, &releases, &buffer),
      MILLRACE_OK);
  void* data = nullptr;
  std::size_t bytes = 0;
  millrace_space space = MILLRACE_DEVICE;
  EXPECT_EQ(millrace_buffer_get(buffer, &data, &bytes, &space), MILLRACE_OK);
  EXPECT_EQ(data, memory.data());
  EXPECT_EQ(bytes, 400u);
  EXPECT_EQ(space, MILLRACE_HOST);
  std::vector<int> target(100);
  ASSERT_EQ(millrace_copy_out(queue, target.data(), buffer, 0, 400), MILLRACE_OK);
  EXPECT_EQ(millrace_buffer_free(buffer), MILLRACE_OK);
  EXPECT_EQ(millrace_queue_wait(queue), MILLRACE_OK);
  EXPECT_EQ(target, memory);
  EXPECT_EQ(releases, 1);
}

TEST(CApiErrors, AreThoseOfTheirThread) {
  EXPECT_EQ(millrace_queue_wait(nullptr), MILLRACE_INVALID_ARGUMENT);
  std::thread([] {
    EXPECT_STREQ(millrace_error_message(), "");
    millrace_device* device = nullptr;
    EXPECT_EQ(millrace_device_open("abacus", &device), MILLRACE_NOT_FOUND);
  }).join();
  EXPECT_NE(std::string(millrace_error_message()).find("queue is null"), std::string::npos);
}

TEST(CApiErrors, HaveNames) {
  EXPECT_STREQ(millrace_status_name(MILLRACE_OK), "ok");
  EXPECT_STREQ(millrace_status_name(MILLRACE_VERSION_MISMATCH), "version mismatch");
  EXPECT_STREQ(millrace_status_name(static_cast<millrace_status>(99)), "unknown");
}

// Each thread has a queue of its own. They share a buffer handle that is freed while others use it.
TEST(CApiThreads, WorkBesideEachOther) {
  constexpr int kThreads = 8;
  millrace_device* device = nullptr;
  ASSERT_EQ(millrace_device_open("tbb", &device), MILLRACE_OK);
  millrace_buffer* shared = nullptr;
  ASSERT_EQ(millrace_buffer_create(device, MILLRACE_HOST, 64, &shared), MILLRACE_OK);
  std::vector<std::thread> threads;
  std::vector<int> is_sorted(kThreads);
  std::vector<int> frees(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        if (millrace_buffer_get(shared, nullptr, nullptr, nullptr) != MILLRACE_OK) break;
      }
      frees[t] = millrace_buffer_free(shared) == MILLRACE_OK ? 1 : 0;
      millrace_queue* queue = nullptr;
      if (millrace_queue_create(device, nullptr, &queue) != MILLRACE_OK) return;
      std::vector<std::int64_t> keys;
      for (int i = 0; i < 10000; ++i) keys.push_back((i * std::int64_t{7919}) % 10007 - 5000 + t);
      millrace_sort_arguments sort{};
      sort.size = sizeof(sort);
      sort.count = keys.size();
      sort.keys_in = keys.data();
      sort.keys_out = keys.data();
      sort.key_type = MILLRACE_I64;
      if (millrace_sort(queue, &sort) == MILLRACE_OK) {
        is_sorted[t] = std::is_sorted(keys.begin(), keys.end()) ? 1 : 0;
      }
      millrace_queue_free(queue);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(is_sorted, std::vector<int>(kThreads, 1));
  EXPECT_EQ(std::count(frees.begin(), frees.end(), 1), 1);
  EXPECT_EQ(millrace_device_close(device), MILLRACE_OK);
}

}  // namespace
