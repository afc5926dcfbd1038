// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/simt_test.h>

#include <atomic>
#include <cstddef>
#include <numeric>
#include <vector>

namespace millrace::simt_backend {
namespace {

class StreamTest : public SimtTest {
 protected:
  StreamTest() : other(create_stream()) {}
  ~StreamTest() override { destroy_stream(other); }

  Stream other;
};
INSTANTIATE_TEST_SUITE_P(Devices, StreamTest, testing::Values(0, 1), device_name);

void wait_for_flag(const unsigned* flag) {
  while (atomic_load<Scope::kSystem, Order::kAcquire>(flag) == 0) pause(1000);
}

void raise_flag(unsigned* flag) {
  if (thread_index() == 0) atomic_store<Scope::kSystem, Order::kRelease>(flag, 1);
}

void copy_value(const int* from, int* to) {
  if (thread_index() == 0) *to = *from;
}

TEST_P(StreamTest, WorkRunsInOrder) {
  std::vector<int> source(1000);
  std::iota(source.begin(), source.end(), 0);
  std::vector<int> target(1000);
  SimulatedArray<int> device(1000);
  copy(device.data(), source.data(), 4000, stream);
  fill(device.data(), std::byte{0xFF}, 400, stream);
  launch(&copy_value, LaunchShape{1, 64}, stream, device.data() + 999, device.data() + 1);
  copy(target.data(), device.data(), 4000, stream);
  synchronize(stream);
  EXPECT_EQ(target[0], -1);
  EXPECT_EQ(target[1], 999);
  EXPECT_EQ(target[99], -1);
  EXPECT_EQ(target[100], 100);
}

TEST_P(StreamTest, KernelsOfTwoStreamsRunAtTheSameTime) {
  SimulatedArray<unsigned> flag(1);
  launch(&wait_for_flag, LaunchShape{1, 64}, stream, flag.data());
  launch(&raise_flag, LaunchShape{1, 64}, other, flag.data());
  synchronize(stream);
  synchronize(other);
}

TEST_P(StreamTest, AStreamWaitsForAnothersEvent) {
  SimulatedArray<unsigned> flag(1);
  SimulatedArray<int> value(2);
  const StreamEvent event = create_event();
  launch(&wait_for_flag, LaunchShape{1, 64}, stream, flag.data());
  fill(value.data(), std::byte{1}, 4, stream);
  record(event, stream);
  wait_for(other, event);
  launch(&copy_value, LaunchShape{1, 64}, other, value.data(), value.data() + 1);
  EXPECT_FALSE(is_reached(event));
  EXPECT_FALSE(is_idle(other));
  std::atomic_ref(*flag.data()).store(1, std::memory_order_release);
  synchronize(event);
  EXPECT_TRUE(is_reached(event));
  synchronize(other);
  EXPECT_EQ(value.values()[1], 0x01010101);
  destroy_event(event);
}

TEST_P(StreamTest, AnEventIsReachedBeforeItIsRecorded) {
  const StreamEvent event = create_event();
  wait_for(stream, event);
  synchronize(stream);
  EXPECT_TRUE(is_reached(event));
  destroy_event(event);
}

TEST_P(StreamTest, EventsMayGoBeforeTheyAreReached) {
  SimulatedArray<unsigned> flag(1);
  const StreamEvent event = create_event();
  launch(&wait_for_flag, LaunchShape{1, 64}, stream, flag.data());
  record(event, stream);
  wait_for(other, event);
  destroy_event(event);
  std::atomic_ref(*flag.data()).store(1, std::memory_order_release);
  synchronize(other);
}

TEST_P(StreamTest, SecondsBetweenEventsHoldTheWorkBetweenThem) {
  const StreamEvent first = create_event();
  const StreamEvent last = create_event();
  record(first, stream);
  record(last, stream);
  synchronize(last);
  EXPECT_GE(seconds_between(first, last), 0);
  EXPECT_LE(seconds_between(last, first), 0);
  destroy_event(first);
  destroy_event(last);
}

void fail() { shuffle(0, -1); }

TEST_P(StreamTest, EventsBehindAnErrorAreReached) {
  const StreamEvent event = create_event();
  launch(&fail, LaunchShape{1, 64}, stream);
  record(event, stream);
  synchronize(event);
  EXPECT_NE(error(), "");
  EXPECT_EQ(error(), "");
  destroy_event(event);
}

TEST_P(StreamTest, IsIdleThrowsTheErrorToo) {
  launch(&fail, LaunchShape{1, 64}, stream);
  bool has_thrown = false;
  while (!has_thrown) {
    try {
      ASSERT_FALSE(is_idle(stream));
    } catch (const Error&) {
      has_thrown = true;
    }
  }
  EXPECT_TRUE(is_idle(stream));
}

struct Pair {
  short first;
  long second;
};

void add_arguments(long* sum, Pair pair, float factor) {
  if (thread_index() == 0) *sum = pair.first + static_cast<long>(factor * pair.second);
}

TEST_P(StreamTest, ArgumentsAreConvertedAndCopied) {
  SimulatedArray<long> sum(1);
  {
    Pair pair{3, 20};
    launch(&add_arguments, LaunchShape{1, 64}, stream, sum.data(), pair, 2);
    pair = {0, 0};
  }
  synchronize(stream);
  EXPECT_EQ(sum.values()[0], 43);
}

TEST_P(StreamTest, ShapesTheDeviceCannotRunAreRejected) {
  EXPECT_THROW(launch(&fail, LaunchShape{0, 64}, stream), Error);
  EXPECT_THROW(launch(&fail, LaunchShape{1, 48}, stream), Error);
  EXPECT_THROW(launch(&fail, LaunchShape{1, 256}, stream), Error);
  EXPECT_THROW(launch(&fail, LaunchShape{1, 64, 65 << 10}, stream), Error);
}

}  // namespace
}  // namespace millrace::simt_backend
