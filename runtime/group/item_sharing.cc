// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/host/seconds_since.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>

namespace millrace {
namespace {

// Maximum factor by which the measured speed of a device that is tried again may exceed the known
// one, because its short piece is a poor measurement.
constexpr double kMostFasterByTrying = 16;

std::vector<std::string> names_of(const std::string& operation,
                                  const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> names = {operation};
  for (const DeviceInfo& device : devices) names.push_back(device.name);
  return names;
}

}  // namespace

double sum_of_weights(std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const bool are_good =
      std::all_of(weights.begin(), weights.end(), [](double weight) { return weight >= 0; });
  if (are_good && sum > 0 && std::isfinite(sum)) return sum;
  std::string list;
  for (const double weight : weights) list += (list.empty() ? "" : ", ") + std::to_string(weight);
  reject("weights are " + (list.empty() ? "none" : list) +
         "; they must be finite and not negative, and at least one must be positive");
}

DeviceSpeeds& DeviceSpeeds::shared() {
  static DeviceSpeeds instance;
  return instance;
}

void DeviceSpeeds::add(const std::string& operation, const std::string& device, double items,
                       double seconds) {
  if (!(items > 0) || !(seconds > 0)) return;
  const std::lock_guard lock(mutex_);
  const double speed = items / seconds;
  const auto [known, is_new] = speeds_.try_emplace({operation, device}, speed);
  if (!is_new) known->second = (known->second + speed) / 2;
}

std::vector<double> DeviceSpeeds::of(const std::string& operation,
                                     const std::vector<DeviceInfo>& devices) const {
  const std::lock_guard lock(mutex_);
  std::vector<double> speeds;
  std::vector<bool> are_measured;
  double measured = 0;  // Sum of the speeds of measured devices.
  double guessed = 0;   // Sum of the guesses for the same devices.
  for (const DeviceInfo& device : devices) {
    const double guess = std::max(1, device.compute_units) * std::max(1, device.warp_width);
    const auto found = speeds_.find({operation, device.name});
    are_measured.push_back(found != speeds_.end());
    speeds.push_back(are_measured.back() ? found->second : guess);
    if (!are_measured.back()) continue;
    measured += found->second;
    guessed += guess;
  }
  for (std::size_t i = 0; guessed > 0 && i < speeds.size(); ++i) {
    if (!are_measured[i]) speeds[i] *= measured / guessed;
  }
  return speeds;
}

double DeviceSpeeds::fastest(const std::string& operation,
                             const std::vector<DeviceInfo>& devices) const {
  const std::lock_guard lock(mutex_);
  double fastest = 0;
  for (const DeviceInfo& device : devices) {
    const auto found = speeds_.find({operation, device.name});
    if (found != speeds_.end()) fastest = std::max(fastest, found->second);
  }
  return fastest;
}

bool DeviceSpeeds::should_retry(const std::string& operation, const std::string& device) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t times = ++times_left_out_[{operation, device}];
  return times > 1 && std::has_single_bit(times);
}

void DeviceSpeeds::add_speed_error(const std::string& operation,
                                   const std::vector<DeviceInfo>& devices,
                                   const std::vector<double>& expected,
                                   const std::vector<double>& speeds) {
  double all_expected = 0;
  double all = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    if (!(speeds[i] > 0)) continue;
    all_expected += expected[i];
    all += speeds[i];
  }
  double most = all > 0 ? 0 : 1;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    if (!(speeds[i] > 0)) continue;
    most = std::max(most, std::abs(speeds[i] / all * all_expected / expected[i] - 1));
  }
  const std::lock_guard lock(mutex_);
  double& speed_error = speed_errors_[names_of(operation, devices)];
  speed_error = std::min(1.0, std::max(most, speed_error / 2));
}

double DeviceSpeeds::speed_error(const std::string& operation,
                                 const std::vector<DeviceInfo>& devices) const {
  const std::lock_guard lock(mutex_);
  const auto found = speed_errors_.find(names_of(operation, devices));
  return found == speed_errors_.end() ? 1 : found->second;
}

ItemSharing::ItemSharing(std::uint64_t items, std::vector<double> speeds, std::uint64_t least,
                         double first_fraction)
    : items_(items),
      speeds_(std::move(speeds)),
      all_speeds_(std::accumulate(speeds_.begin(), speeds_.end(), 0.0)),
      least_(least),
      first_fraction_(first_fraction),
      fastest_(static_cast<std::size_t>(std::max_element(speeds_.begin(), speeds_.end()) -
                                        speeds_.begin())),
      has_begun_(speeds_.size()),
      tries_(speeds_.size()) {}

bool ItemSharing::leaves_out(std::size_t device) const {
  const double fraction = speeds_[device] / all_speeds_;
  return device != fastest_ && fraction * static_cast<double>(items_) < static_cast<double>(least_);
}

void ItemSharing::try_again(std::size_t device) {
  if (next_ == items_) return;
  const double portion = speeds_[device] / all_speeds_ * static_cast<double>(items_);
  const std::uint64_t size =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(portion), 1, items_ - next_);
  tries_[device] = ItemRange{next_, next_ + size};
  next_ += size;
}

std::optional<ItemRange> ItemSharing::take(std::size_t device) {
  const std::lock_guard lock(mutex_);
  if (tries_[device]) return std::exchange(tries_[device], std::nullopt);
  const std::uint64_t left = items_ - next_;
  if (left == 0 || leaves_out(device)) return std::nullopt;
  const double fraction = speeds_[device] / all_speeds_;
  const double wanted = has_begun_[device]
                            ? fraction * static_cast<double>(left) / 2
                            : fraction * first_fraction_ * static_cast<double>(items_);
  has_begun_[device] = true;
  std::uint64_t size =
      std::max(least_, static_cast<std::uint64_t>(std::min(wanted, static_cast<double>(left))));
  if (size > left || left - size < least_) size = left;
  next_ += size;
  return ItemRange{next_ - size, next_};
}

namespace {

// Returns for each device if it is tried again, and gives it a piece if so.
std::vector<bool> try_devices_again(ItemSharing& sharing, const std::string& operation,
                                    const std::vector<DeviceInfo>& infos) {
  std::vector<bool> are_tried(infos.size(), false);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (!sharing.leaves_out(i)) continue;
    are_tried[i] = DeviceSpeeds::shared().should_retry(operation, infos[i].name);
    if (are_tried[i]) sharing.try_again(i);
  }
  return are_tried;
}

}  // namespace

std::vector<DevicePortion> share_items(const DeviceGroup& group, const SharedItems& shared,
                                       const PieceOfWork& work, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const std::vector<DeviceInfo> infos = group.infos();
  DeviceSpeeds& speeds = DeviceSpeeds::shared();
  const double long_enough = shared.least_seconds * speeds.fastest(shared.operation, infos);
  const std::uint64_t least = std::max(
      shared.least,
      static_cast<std::uint64_t>(std::min(long_enough, static_cast<double>(shared.items))));
  const std::vector<double> expected = speeds.of(shared.operation, infos);
  const double held_back =
      std::min(1 - shared.first_fraction, 2 * speeds.speed_error(shared.operation, infos));
  const bool is_a_piece =
      held_back * static_cast<double>(shared.items) >= static_cast<double>(least);
  ItemSharing sharing(shared.items, expected, least, is_a_piece ? 1 - held_back : 1);
  // Small amounts of work run on one device, at any speeds of the others.
  const bool is_little = shared.items < 2 * least;
  const std::vector<bool> are_tried = is_little
                                          ? std::vector<bool>(infos.size(), false)
                                          : try_devices_again(sharing, shared.operation, infos);
  std::vector<DevicePortion> portions(group.size());
  std::atomic<std::uint64_t> done = 0;
  group.run([&](std::size_t device, const std::stop_token& failed) {
    DevicePortion& portion = portions[device];
    portion.device = infos[device].name;
    std::stop_source either;
    const auto request = [&either] { either.request_stop(); };
    const std::stop_callback on_failure(failed, request);
    const std::stop_callback on_stop(stop, request);
    while (!either.stop_requested()) {
      const std::optional<ItemRange> piece = sharing.take(device);
      if (!piece) break;
      const auto begin = Clock::now();
      const LinkBytes moved = work(device, *piece, either.get_token());
      portion.seconds += seconds_since(begin);
      portion.items += piece->size();
      portion.bytes_up += moved.up;
      portion.bytes_down += moved.down;
      ++portion.pieces;
      done += piece->size();
    }
    auto items = static_cast<double>(portion.items);
    if (are_tried[device]) {
      items = std::min(items, kMostFasterByTrying * expected[device] * portion.seconds);
    }
    speeds.add(shared.operation, portion.device, items, portion.seconds);
  });
  if (done < shared.items) {
    throw Error(ErrorCode::kCancelled, "the group's work was stopped by request after " +
                                           std::to_string(done) + " of " +
                                           std::to_string(shared.items) + " items");
  }
  std::vector<double> measured;
  for (std::size_t i = 0; i < portions.size(); ++i) {
    const bool is_measured = portions[i].seconds > 0 && !are_tried[i];
    measured.push_back(is_measured ? static_cast<double>(portions[i].items) / portions[i].seconds
                                   : 0);
  }
  speeds.add_speed_error(shared.operation, infos, expected, measured);
  return portions;
}

}  // namespace millrace
