// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/testing/fake_backend.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace millrace {
namespace {

const RegisterBackend registered(std::make_unique<FakeBackend>("mill", 3));

// Simulates devices of different speeds with a clock of their own: the device that is done first
// takes the next piece.
class Simulation {
 public:
  Simulation(std::uint64_t items, std::vector<double> believed, std::vector<double> real,
             std::uint64_t least)
      : sharing_(items, std::move(believed), least), speeds_(std::move(real)) {
    times_.resize(speeds_.size());
    items_.resize(speeds_.size());
    while (step()) {
    }
  }

  // Expects ranges in order, each of which begins at the end of the one before.
  std::vector<ItemRange> pieces() {
    std::sort(pieces_.begin(), pieces_.end(),
              [](const ItemRange& a, const ItemRange& b) { return a.begin < b.begin; });
    return pieces_;
  }
  std::uint64_t items_of(std::size_t device) const { return items_[device]; }
  double seconds() const { return *std::max_element(times_.begin(), times_.end()); }

 private:
  bool step() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < speeds_.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return times_[a] < times_[b]; });
    for (const std::size_t device : order) {
      const auto piece = sharing_.take(device);
      if (!piece) continue;
      pieces_.push_back(*piece);
      items_[device] += piece->size();
      times_[device] += static_cast<double>(piece->size()) / speeds_[device];
      return true;
    }
    return false;
  }

  ItemSharing sharing_;
  const std::vector<double> speeds_;
  std::vector<double> times_;
  std::vector<std::uint64_t> items_;
  std::vector<ItemRange> pieces_;
};

TEST(ItemSharing, HandsOutEachItemOnce) {
  for (const std::uint64_t items : {0, 1, 2, 7, 1000, 1000003}) {
    for (const std::uint64_t least : {1, 10, 5000}) {
      Simulation simulation(items, {3, 1, 1}, {1, 1, 3}, least);
      std::uint64_t next = 0;
      for (const ItemRange& piece : simulation.pieces()) {
        EXPECT_EQ(piece.begin, next);
        EXPECT_GE(piece.size(), std::min(least, items));
        next = piece.end;
      }
      EXPECT_EQ(next, items);
    }
  }
}

TEST(ItemSharing, SharesBySpeed) {
  const Simulation simulation(1'000'000, {5, 3, 2}, {5, 3, 2}, 100);
  EXPECT_NEAR(static_cast<double>(simulation.items_of(0)), 500'000, 5'000);
  EXPECT_NEAR(static_cast<double>(simulation.items_of(1)), 300'000, 5'000);
  EXPECT_NEAR(static_cast<double>(simulation.items_of(2)), 200'000, 5'000);
  EXPECT_LT(simulation.seconds(), 1.01 * 100'000);
}

TEST(ItemSharing, LetsIdleDevicesTakeFromBusyOnes) {
  // One device is a third slower than before. Without help it would take 1.5 times as long.
  const Simulation simulation(1'000'000, {1, 1}, {1, 2.0 / 3}, 100);
  EXPECT_LT(simulation.seconds(), 1.01 * 600'000);
  EXPECT_GT(simulation.items_of(0), 590'000U);
}

TEST(ItemSharing, LeavesDevicesOutThatAreTooSlowForAPiece) {
  const Simulation simulation(1000, {1, 100}, {1, 100}, 50);
  EXPECT_EQ(simulation.items_of(0), 0U);
  EXPECT_EQ(simulation.items_of(1), 1000U);
}

TEST(ItemSharing, GivesADeviceThatIsTriedAgainItsPortionOnce) {
  ItemSharing sharing(1000, {1, 99}, 50);
  EXPECT_TRUE(sharing.leaves_out(0));
  EXPECT_FALSE(sharing.leaves_out(1));
  sharing.try_again(0);
  std::uint64_t others = 0;
  while (const auto piece = sharing.take(1)) others += piece->size();
  EXPECT_EQ(others, 990U) << "what it is given waits for it";
  EXPECT_EQ(sharing.take(0)->size(), 10U);
  EXPECT_FALSE(sharing.take(0));
}

TEST(ItemSharing, GivesEachDeviceItsWholePortionAtOnceOnRequest) {
  ItemSharing sharing(100, {3, 1}, 1, 1);
  EXPECT_EQ(sharing.take(0)->size(), 75U);
  EXPECT_EQ(sharing.take(1)->size(), 25U);
  EXPECT_FALSE(sharing.take(0));
}

TEST(DeviceSpeeds, AreMeasuredOrGuessed) {
  DeviceSpeeds speeds;
  const std::vector<DeviceInfo> devices = {
      {.backend = "", .name = "a", .target = "", .description = "", .compute_units = 4},
      {.backend = "",
       .name = "b",
       .target = "",
       .description = "",
       .compute_units = 10,
       .warp_width = 32}};
  EXPECT_EQ(speeds.of("mill", devices), (std::vector<double>{4, 320}));
  speeds.add("mill", "a", 100, 2);
  EXPECT_EQ(speeds.of("mill", devices), (std::vector<double>{50, 4000})) << "b is guessed by a";
  speeds.add("mill", "b", 30, 1);
  EXPECT_EQ(speeds.of("mill", devices), (std::vector<double>{50, 30}));
  speeds.add("mill", "a", 100, 1);
  EXPECT_EQ(speeds.of("mill", devices), (std::vector<double>{75, 30}));
  speeds.add("mill", "a", 0, 0);
  EXPECT_EQ(speeds.of("mill", devices), (std::vector<double>{75, 30}));
  EXPECT_EQ(speeds.of("race", devices), (std::vector<double>{4, 320}));
}

TEST(DeviceSpeeds, SayHowFarThePortionsWereOff) {
  DeviceSpeeds speeds;
  const std::vector<DeviceInfo> devices(2);
  EXPECT_DOUBLE_EQ(speeds.speed_error("sort", devices), 1);
  speeds.add_speed_error("sort", devices, {1, 1}, {30, 30});  // Both are faster than expected.
  EXPECT_DOUBLE_EQ(speeds.speed_error("sort", devices), 0);
  speeds.add_speed_error("sort", devices, {1, 3}, {2, 2});
  EXPECT_DOUBLE_EQ(speeds.speed_error("sort", devices), 1);
  speeds.add_speed_error("sort", devices, {1, 1}, {1.1, 0.9});
  EXPECT_DOUBLE_EQ(speeds.speed_error("sort", devices), 0.5);
  for (int i = 0; i < 9; ++i) speeds.add_speed_error("sort", devices, {1, 1}, {1.1, 0.9});
  EXPECT_NEAR(speeds.speed_error("sort", devices), 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(speeds.speed_error("search", devices), 1);
  EXPECT_DOUBLE_EQ(speeds.speed_error("sort", {DeviceInfo{}}), 1);
}

TEST(DeviceSpeeds, HaveNoDoubtOfADeviceThatHadNothingToDo) {
  DeviceSpeeds speeds;
  const std::vector<DeviceInfo> devices(3);
  speeds.add_speed_error("sort", devices, {100, 100, 1}, {30, 30, 0});
  EXPECT_DOUBLE_EQ(speeds.speed_error("sort", devices), 0);
  speeds.add_speed_error("sort", devices, {100, 100, 1}, {0, 0, 0});
  EXPECT_DOUBLE_EQ(speeds.speed_error("sort", devices), 1);
}

TEST(ShareWork, DoesAllItemsAndSaysWho) {
  const DeviceGroup group = open_device_group("mill:0,mill:1,mill:2");
  std::mutex mutex;
  std::vector<int> times_done(1000);
  const auto portions =
      share_items(group, {.operation = "all", .items = 1000},
                  [&](std::size_t, const ItemRange& items, const std::stop_token&) {
                    const std::lock_guard lock(mutex);
                    for (auto i = items.begin; i < items.end; ++i) ++times_done[i];
                    return LinkBytes{items.size(), 2 * items.size()};
                  });
  EXPECT_TRUE(std::all_of(times_done.begin(), times_done.end(), [](int n) { return n == 1; }));
  ASSERT_EQ(portions.size(), 3U);
  std::uint64_t items = 0;
  for (const DevicePortion& portion : portions) {
    items += portion.items;
    EXPECT_EQ(portion.bytes_up, portion.items);
    EXPECT_EQ(portion.bytes_down, 2 * portion.items);
  }
  EXPECT_EQ(items, 1000U);
  EXPECT_EQ(portions[1].device, "mill:1");
}

// Otherwise a slow first run, as of a device that wakes up, would exclude it for ever.
TEST(ShareWork, TriesADeviceThatItLeavesOutAgainAsCallsDouble) {
  const DeviceGroup group = open_device_group("mill:0,mill:1");
  DeviceSpeeds::shared().add("once slow", "mill:0", 1, 1);
  DeviceSpeeds::shared().add("once slow", "mill:1", 1'000'000'000, 1);
  std::vector<std::uint64_t> pieces;
  for (int call = 1; call <= 8; ++call) {
    const auto portions = share_items(
        group, {.operation = "once slow", .items = 1'000'000, .least = 50'000},
        [](std::size_t, const ItemRange&, const std::stop_token&) { return LinkBytes{}; });
    pieces.push_back(portions[0].pieces);
    EXPECT_EQ(portions[0].items + portions[1].items, 1'000'000U);
  }
  EXPECT_EQ(pieces, (std::vector<std::uint64_t>{0, 1, 0, 1, 0, 0, 0, 1}));
}

TEST(ShareWork, EndsWithTheErrorOfALostDevice) {
  const DeviceGroup group = open_device_group("mill:0,mill:1");
  std::atomic<std::uint64_t> done = 0;
  try {
    share_items(group, {.operation = "lost", .items = 1'000'000},
                [&](std::size_t device, const ItemRange& items, const std::stop_token& stop) {
                  if (device == 1) throw Error(ErrorCode::kDeviceLost, "it fell off");
                  while (!stop.stop_requested()) {
                  }
                  done += items.size();
                  return LinkBytes{};
                });
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kDeviceLost);
    EXPECT_STREQ(error.what(), "mill:1: it fell off");
  }
  EXPECT_LT(done, 1'000'000U);
}

TEST(ShareWork, StopsOnRequest) {
  const DeviceGroup group = open_device_group("mill:0,mill:1");
  std::stop_source stop;
  try {
    share_items(
        group, {.operation = "stopped", .items = 1000},
        [&](std::size_t, const ItemRange&, const std::stop_token&) {
          stop.request_stop();
          return LinkBytes{};
        },
        stop.get_token());
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

TEST(ShareWork, OfNothingIsDone) {
  const DeviceGroup group = open_device_group("mill:0,mill:1");
  const auto portions =
      share_items(group, {.operation = "none", .items = 0},
                  [](std::size_t, const ItemRange&, const std::stop_token&) -> LinkBytes {
                    throw Error(ErrorCode::kInternal, "there is nothing to do");
                  });
  EXPECT_EQ(portions.size(), 2U);
}

}  // namespace
}  // namespace millrace
