#include <millrace/runtime/work_sharing.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>

#include <millrace/runtime/error.h>

namespace millrace {
namespace {

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
  throw Error(ErrorCode::kInvalidArgument,
              "weights are " + (list.empty() ? "none" : list) +
                  "; they are 0 or more and finite, and one of them is more");
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
  double measured = 0;  // Of those that have been,
  double guessed = 0;   // and what would have been guessed of these.
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

void DeviceSpeeds::add_doubt(const std::string& operation, const std::vector<DeviceInfo>& devices,
                             const std::vector<double>& expected,
                             const std::vector<double>& speeds) {
  const double all_expected = sum_of_weights(expected);
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  double most = all > 0 ? 0 : 1;
  for (std::size_t i = 0; all > 0 && i < speeds.size(); ++i) {
    most = std::max(most, std::abs(speeds[i] / all * all_expected / expected[i] - 1));
  }
  const std::lock_guard lock(mutex_);
  double& doubt = doubts_[names_of(operation, devices)];
  doubt = std::min(1.0, std::max(most, doubt / 2));
}

double DeviceSpeeds::doubt(const std::string& operation,
                           const std::vector<DeviceInfo>& devices) const {
  const std::lock_guard lock(mutex_);
  const auto found = doubts_.find(names_of(operation, devices));
  return found == doubts_.end() ? 1 : found->second;
}

WorkSharing::WorkSharing(std::uint64_t items, std::vector<double> speeds, std::uint64_t least,
                         double first_share)
    : items_(items),
      speeds_(std::move(speeds)),
      all_speeds_(std::accumulate(speeds_.begin(), speeds_.end(), 0.0)),
      least_(least),
      first_share_(first_share),
      fastest_(static_cast<std::size_t>(std::max_element(speeds_.begin(), speeds_.end()) -
                                        speeds_.begin())),
      has_begun_(speeds_.size()) {}

std::optional<ItemRange> WorkSharing::take(std::size_t device) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t left = items_ - next_;
  if (left == 0) return std::nullopt;
  const double share = speeds_[device] / all_speeds_;
  if (device != fastest_ && share * static_cast<double>(items_) < static_cast<double>(least_)) {
    return std::nullopt;
  }
  const double wanted = has_begun_[device] ? share * static_cast<double>(left) / 2
                                           : share * first_share_ * static_cast<double>(items_);
  has_begun_[device] = true;
  std::uint64_t size =
      std::max(least_, static_cast<std::uint64_t>(std::min(wanted, static_cast<double>(left))));
  if (size > left || left - size < least_) size = left;
  next_ += size;
  return ItemRange{next_ - size, next_};
}

std::vector<DeviceShare> share_work(const DeviceGroup& group, const SharedWork& shared,
                                    const PieceOfWork& work, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const std::vector<DeviceInfo> infos = group.infos();
  DeviceSpeeds& speeds = DeviceSpeeds::shared();
  const double worthwhile = shared.least_seconds * speeds.fastest(shared.operation, infos);
  const std::uint64_t least =
      std::max(shared.least,
               static_cast<std::uint64_t>(std::min(worthwhile, static_cast<double>(shared.items))));
  const std::vector<double> expected = speeds.of(shared.operation, infos);
  const double held_back =
      std::min(1 - shared.first_share, 2 * speeds.doubt(shared.operation, infos));
  const bool is_a_piece =
      held_back * static_cast<double>(shared.items) >= static_cast<double>(least);
  WorkSharing sharing(shared.items, expected, least, is_a_piece ? 1 - held_back : 1);
  std::vector<DeviceShare> shares(group.size());
  std::atomic<std::uint64_t> done = 0;
  group.run([&](std::size_t device, const std::stop_token& failed) {
    DeviceShare& share = shares[device];
    share.device = infos[device].name;
    std::stop_source either;
    const auto request = [&either] { either.request_stop(); };
    const std::stop_callback on_failure(failed, request);
    const std::stop_callback on_stop(stop, request);
    while (!either.stop_requested()) {
      const std::optional<ItemRange> piece = sharing.take(device);
      if (!piece) break;
      const auto begin = Clock::now();
      const LinkBytes moved = work(device, *piece, either.get_token());
      share.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
      share.items += piece->size();
      share.bytes_up += moved.up;
      share.bytes_down += moved.down;
      ++share.pieces;
      done += piece->size();
    }
    speeds.add(shared.operation, share.device, static_cast<double>(share.items), share.seconds);
  });
  if (done < shared.items) {
    throw Error(ErrorCode::kCancelled, "the work of a group was stopped by its owner");
  }
  std::vector<double> measured;
  for (const DeviceShare& share : shares) {
    measured.push_back(share.seconds > 0 ? static_cast<double>(share.items) / share.seconds : 0);
  }
  speeds.add_doubt(shared.operation, infos, expected, measured);
  return shares;
}

}  // namespace millrace
