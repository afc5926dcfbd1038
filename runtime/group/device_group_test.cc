// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/testing/fake_backend.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace millrace {
namespace {

using testing::HasSubstr;

const RegisterBackend registered_mills(std::make_unique<FakeBackend>("mill", 3));
const RegisterBackend registered_race(std::make_unique<FakeBackend>("race", 1));

std::string error_of(const std::function<void()>& call, ErrorCode code) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "no error";
}

std::string opening(const std::string& names, ErrorCode code) {
  return error_of([&] { open_device_group(names); }, code);
}

TEST(DeviceGroup, HasDevicesInTheirOrder) {
  const DeviceGroup group = open_device_group("mill:2,race,mill");
  ASSERT_EQ(group.size(), 3U);
  EXPECT_EQ(group.name(), "mill:2,race:0,mill:0");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(&group.queue(i).device(), group.device(i).get());
  }
  EXPECT_EQ(open_device_group("race").size(), 1U);
}

TEST(DeviceGroup, RejectsNamesThatAreNone) {
  EXPECT_THAT(opening("", ErrorCode::kInvalidArgument), HasSubstr("empty device name"));
  EXPECT_THAT(opening("mill,", ErrorCode::kInvalidArgument), HasSubstr("'mill,' has an empty"));
  EXPECT_THAT(opening("mill,,race", ErrorCode::kInvalidArgument), HasSubstr("empty device name"));
  EXPECT_THAT(opening("mill:0,mill:3", ErrorCode::kNotFound), HasSubstr("no device 'mill:3'"));
  EXPECT_THAT(opening("race:0,race:1", ErrorCode::kNotFound), HasSubstr("no device 'race:1'"));
  EXPECT_THAT(opening("mill:1,mill:1", ErrorCode::kInvalidArgument),
              HasSubstr("device 'mill:1' is listed twice"));
  EXPECT_THAT(opening("mill,race,mill:0", ErrorCode::kInvalidArgument),
              HasSubstr("device 'mill:0' is listed twice"));
}

TEST(DeviceGroup, RejectsDevicesThatAreNone) {
  const auto mill = open_device("mill");
  const auto make = [](std::vector<std::shared_ptr<Device>> devices,
                       std::vector<QueueOptions> options) {
    return error_of([&] { const DeviceGroup group(devices, options); },
                    ErrorCode::kInvalidArgument);
  };
  EXPECT_THAT(make({}, {}), HasSubstr("no device"));
  EXPECT_THAT(make({mill, nullptr}, {}), HasSubstr("null"));
  EXPECT_THAT(make({mill, mill}, {}), HasSubstr("twice"));
  EXPECT_THAT(make({mill}, {{}, {}}), HasSubstr("1 devices but 2 queue options"));
}

TEST(DeviceGroup, WorksOnAThreadForEachDevice) {
  const DeviceGroup group = open_device_group("mill:0,mill:1,mill:2");
  std::vector<std::thread::id> threads(3);
  std::atomic<int> waiting = 0;
  group.run([&](std::size_t i, const std::stop_token&) {
    threads[i] = std::this_thread::get_id();
    ++waiting;
    while (waiting < 3) std::this_thread::yield();  // All work at the same time.
  });
  EXPECT_EQ(threads[0], std::this_thread::get_id());
  EXPECT_NE(threads[1], threads[2]);
}

TEST(DeviceGroup, ThrowsTheFirstErrorWithItsDevice) {
  const DeviceGroup group = open_device_group("mill:0,mill:1,race");
  const auto fail = [&] {
    group.run([](std::size_t i, const std::stop_token& stop) {
      if (i == 1) throw Error(ErrorCode::kDeviceLost, "it fell off");
      while (!stop.stop_requested()) std::this_thread::yield();
      throw Error(ErrorCode::kCancelled, "stopped");
    });
  };
  EXPECT_EQ(error_of(fail, ErrorCode::kDeviceLost), "mill:1: it fell off");
}

TEST(DeviceGroup, ThrowsOtherExceptionsAsTheyAre) {
  const DeviceGroup group = open_device_group("mill:0,mill:1");
  EXPECT_THROW(
      group.run([](std::size_t, const std::stop_token&) { throw std::runtime_error("no paper"); }),
      std::runtime_error);
}

// During its life no thread can be started, because stacks are larger than the address space.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 48);
    EXPECT_EQ(pthread_setattr_default_np(&huge), 0);
    pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_;
};

TEST(DeviceGroup, SaysThatAThreadCannotBeMade) {
  const DeviceGroup group = open_device_group("mill:0,mill:1");
  const NoThreads none;
  const auto run = [&] {
    group.run([](std::size_t, const std::stop_token&) { ADD_FAILURE() << "work has begun"; });
  };
  EXPECT_THAT(error_of(run, ErrorCode::kOutOfMemory), HasSubstr("mill:0,mill:1"));
}

}  // namespace
}  // namespace millrace
