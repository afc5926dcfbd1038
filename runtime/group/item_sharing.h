// SPDX-License-Identifier: Apache-2.0

// Distributes the items of one call to the devices of a group: most of them by the speeds of
// earlier calls, the rest to devices that are idle.
//
//   const std::vector<DevicePortion> portions = share_items(
//       group, {.operation = "three-star", .items = plan.work()},
//       [&](std::size_t device, const ItemRange& items, const std::stop_token& stop) {
//         search(group.queue(device), items, stop);
//         return LinkBytes{.up = 0, .down = 8 * items.size()};
//       });
#ifndef MILLRACE_RUNTIME_GROUP_ITEM_SHARING_H_
#define MILLRACE_RUNTIME_GROUP_ITEM_SHARING_H_

#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_range.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace millrace {

// Returns the sum. Throws kInvalidArgument if a weight is negative, none is positive or the sum is
// not finite.
double sum_of_weights(std::span<const double> weights);

// The portion of a call that one device did.
struct DevicePortion {
  std::string device;            // DeviceInfo::name.
  std::uint64_t items = 0;       // Items done, in units of the operation.
  std::uint64_t pieces = 0;      // Number of pieces that the items came in.
  double seconds = 0;            // Time that the device worked on them.
  std::uint64_t bytes_up = 0;    // Bytes uploaded.
  std::uint64_t bytes_down = 0;  // Bytes downloaded.
};

// The measured speeds of this process: items per second of each device at each operation.
// Thread-safe.
class DeviceSpeeds {
 public:
  // Returns the one object of the process.
  static DeviceSpeeds& shared();

  // Adds a measurement. Later ones count more than earlier ones.
  void add(const std::string& operation, const std::string& device, double items, double seconds);

  // Returns a speed for each device, in proportion to the others. It is the measured one, or else a
  // guess from the number of lanes, scaled by the ratio of speeds and guesses of measured devices.
  std::vector<double> of(const std::string& operation,
                         const std::vector<DeviceInfo>& devices) const;

  // Returns the items per second of the fastest device, or 0 if none has been measured.
  double fastest(const std::string& operation, const std::vector<DeviceInfo>& devices) const;

  // Records that a call left out a device as too slow. Returns true the second time, the fourth,
  // the eighth and so on: the device then gets a piece, so that one slow run does not exclude it
  // for ever.
  bool should_retry(const std::string& operation, const std::string& device);

  // Records the largest relative error of a device's fraction of the total speed after a call of
  // these devices. `expected` is what of() returned; `speeds` are the measured ones, of which those
  // that are 0, of devices without items, are ignored. Older errors are halved at each call.
  void add_speed_error(const std::string& operation, const std::vector<DeviceInfo>& devices,
                       const std::vector<double>& expected, const std::vector<double>& speeds);

  // Returns the recorded relative error, 0 to 1, or 1 if there is none.
  double speed_error(const std::string& operation, const std::vector<DeviceInfo>& devices) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, double> speeds_;
  std::map<std::vector<std::string>, double> speed_errors_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> times_left_out_;
};

// Assigns the items of one call to devices, each item once. The portion of a device is the items
// that correspond to its fraction of the speed of all. Its first piece is most of its portion,
// which keeps the number of pieces small. The rest is given to idle devices in pieces that get
// smaller: half of the device's portion of the items left. A device whose portion is less than a
// piece gets none, unless it is the fastest or is tried again. Thread-safe, except for try_again().
class ItemSharing {
 public:
  // `speeds` has a positive value for each device. Each piece but the last has at least `least`
  // items, which must be positive. `first_fraction` is the size of the first piece as a fraction of
  // the device's portion, 0 to 1.
  ItemSharing(std::uint64_t items, std::vector<double> speeds, std::uint64_t least,
              double first_fraction = kFirstFraction);

  static constexpr double kFirstFraction = 0.8;

  // Returns true if the device gets no piece because its portion is too small.
  bool leaves_out(std::size_t device) const;

  // Gives a device that is left out its portion, at least one item, as its only piece. Must be
  // called before the first take().
  void try_again(std::size_t device);

  // Returns the next piece of a device, or nothing if no items are left.
  std::optional<ItemRange> take(std::size_t device);

 private:
  std::mutex mutex_;
  const std::uint64_t items_;
  const std::vector<double> speeds_;
  const double all_speeds_;
  const std::uint64_t least_;
  const double first_fraction_;
  const std::size_t fastest_;
  std::vector<bool> has_begun_;
  std::vector<std::optional<ItemRange>> tries_;  // Pieces of devices that are tried again.
  std::uint64_t next_ = 0;
};

// The work of one call.
struct SharedItems {
  std::string operation;    // Key under which DeviceSpeeds keeps the measured speeds.
  std::uint64_t items = 0;  // Number of items, in units that take about the same time.
  std::uint64_t least = 1;  // Minimum number of items in a piece.

  // Minimum size of a first piece as a fraction of the device's portion; with 1 most devices have
  // one piece. At most twice the relative error of the speeds is held back for idle devices, and
  // nothing if that is less than a piece.
  double first_fraction = ItemSharing::kFirstFraction;

  double least_seconds = 0;  // Minimum duration of a piece on the fastest measured device.
};

// Bytes that a piece moved over its device's link.
struct LinkBytes {
  std::uint64_t up = 0;
  std::uint64_t down = 0;
};

// Does a piece on device `device` of the group. Called on the thread of that device. A stop is
// requested if the result is not needed any more.
using PieceOfWork =
    std::function<LinkBytes(std::size_t device, const ItemRange& items, const std::stop_token&)>;

// Calls `work` until all items are done, records the speeds and returns each device's portion.
// Throws in the way of DeviceGroup::run. No piece starts after an error or a stop request;
// kCancelled is thrown if a stop left items undone.
std::vector<DevicePortion> share_items(const DeviceGroup& group, const SharedItems& shared,
                                       const PieceOfWork& work, const std::stop_token& stop = {});

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_ITEM_SHARING_H_
