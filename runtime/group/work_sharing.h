// SPDX-License-Identifier: Apache-2.0

// Work of many items handed to the devices of a group: by how fast each was before, and what is
// left to whoever is idle.
//
//   const auto shares = share_work(group, {.operation = "three-star", .items = plan.work()},
//                                  [&](std::size_t device, const ItemRange& items, auto stop)
//                                  {...});
#ifndef MILLRACE_RUNTIME_GROUP_WORK_SHARING_H_
#define MILLRACE_RUNTIME_GROUP_WORK_SHARING_H_

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

// Shares of a whole: throws kInvalidArgument unless none is negative, one is positive and their sum
// is finite.
double sum_of_weights(std::span<const double> weights);

// What a device of a group did of a call.
struct DeviceShare {
  std::string device;
  std::uint64_t items = 0;  // In units of the operation.
  std::uint64_t pieces = 0;
  double seconds = 0;  // At work on them.
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
};

// Items a second of each device at each operation, of this process. Thread-safe.
class DeviceSpeeds {
 public:
  static DeviceSpeeds& shared();

  // Counts later measurements more than earlier ones.
  void add(const std::string& operation, const std::string& device, double items, double seconds);

  // In proportion to each other, for each device: what was measured, else a guess by its lanes, in
  // the proportion in which the others' guesses are to what was measured of them.
  std::vector<double> of(const std::string& operation,
                         const std::vector<DeviceInfo>& devices) const;

  // Items a second of the fastest of them; 0 where none has been measured.
  double fastest(const std::string& operation, const std::vector<DeviceInfo>& devices) const;

  // Notes that a call left a device out as too slow, and returns whether it is to have a piece all
  // the same, so that one slow run does not leave it out for good: the second time, the fourth, the
  // eighth, and so on.
  bool is_tried_again(const std::string& operation, const std::string& device);

  // After a call of these devices together: by what part of itself the share of all speed that one
  // of them had was off most, of what `expected`, as of() returned it, said. `speeds` are what was
  // measured; those of 0, of devices that had nothing to do, are passed over. It is forgotten by
  // halves.
  void add_doubt(const std::string& operation, const std::vector<DeviceInfo>& devices,
                 const std::vector<double>& expected, const std::vector<double>& speeds);

  // What is remembered of that; 1 where nothing is.
  double doubt(const std::string& operation, const std::vector<DeviceInfo>& devices) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, double> speeds_;
  std::map<std::vector<std::string>, double> doubts_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> times_left_out_;
};

// Who does which items of one call. A device's first piece is most of its share, so that it has few
// pieces; what is left goes out in pieces that get smaller, each half of the share of what is left
// then, to whoever asks. Each item goes out once. A device whose share is less than a piece gets
// none, unless it is the fastest or is tried again. Thread-safe, but for try_again().
class WorkSharing {
 public:
  // `speeds` are the devices', positive. No piece but the last has fewer than `least` items, which
  // are one or more. `first_share` is what a device's first piece is of its share, 0 to 1.
  WorkSharing(std::uint64_t items, std::vector<double> speeds, std::uint64_t least,
              double first_share = kFirstShare);

  static constexpr double kFirstShare = 0.8;

  // Whether a device's share is less than a piece.
  bool leaves_out(std::size_t device) const;

  // Before the first piece is taken: a device that is left out gets its share, one item or more, as
  // its only piece.
  void try_again(std::size_t device);

  // The next piece of a device, or none where nothing is left.
  std::optional<ItemRange> take(std::size_t device);

 private:
  std::mutex mutex_;
  const std::uint64_t items_;
  const std::vector<double> speeds_;
  const double all_speeds_;
  const std::uint64_t least_;
  const double first_share_;
  const std::size_t fastest_;
  std::vector<bool> has_begun_;
  std::vector<std::optional<ItemRange>> tries_;  // Pieces of devices that are tried again.
  std::uint64_t next_ = 0;
};

// What is to be shared.
struct SharedWork {
  std::string operation;    // What speeds are kept by.
  std::uint64_t items = 0;  // In units that take about the same time.
  std::uint64_t least = 1;  // Items that are worth a piece of their own.
  // See there; 1: few devices have another piece. No more is held back than twice what speeds were
  // off by, and nothing where that is less than a piece.
  double first_share = WorkSharing::kFirstShare;
  double least_seconds = 0;  // And no piece that a measured device is through with sooner.
};

// What a piece moved over its device's link.
struct LinkBytes {
  std::uint64_t up = 0;
  std::uint64_t down = 0;
};

// A piece for a device of the group, on the thread of that device. The token's stop is requested
// where there is no need to go on.
using PieceOfWork =
    std::function<LinkBytes(std::size_t device, const ItemRange& items, const std::stop_token&)>;

// Calls `work` until all items are done, and notes how fast that was. Throws as DeviceGroup::run;
// no piece is begun after an error or once `stop` is requested, when it throws kCancelled unless
// all was done.
std::vector<DeviceShare> share_work(const DeviceGroup& group, const SharedWork& shared,
                                    const PieceOfWork& work, const std::stop_token& stop = {});

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_WORK_SHARING_H_
