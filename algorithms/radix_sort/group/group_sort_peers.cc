// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/group/group_sort_peers.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <millrace/algorithms/radix_sort/group/peer_part.h>
#include <millrace/algorithms/radix_sort/group/splitters.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/group/device_group.h>

namespace millrace::radix_sort {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kOperation = "records sorted by peers";

// Devices of one kind have the mean of what they were measured at: they wait for each other, and
// parts that are alike from call to call find memory of their size in the pools.
std::vector<double> weights_of(const DeviceGroup& group) {
  const std::vector<DeviceInfo> infos = group.infos();
  const std::vector<double> speeds = DeviceSpeeds::shared().of(kOperation, infos);
  std::vector<double> weights;
  for (const DeviceInfo& own : infos) {
    double sum = 0;
    double alike = 0;
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (infos[i].backend != own.backend || infos[i].description != own.description) continue;
      sum += speeds[i];
      ++alike;
    }
    weights.push_back(sum / alike);
  }
  return weights;
}

// The part of the input that each device brings up.
std::vector<Chunk> plan_slices(const std::vector<double>& weights, std::size_t count) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<Chunk> slices;
  double before = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    before += weights[i];
    const double end = std::floor(before / all * static_cast<double>(count));
    const std::size_t last =
        i + 1 == weights.size() ? count : std::min(count, static_cast<std::size_t>(end));
    slices.push_back({first, last - first});
    first = last;
  }
  return slices;
}

class PeerSort {
 public:
  PeerSort(const DeviceGroup& group, const SortArguments& arguments, SortReport& report)
      : group_(group),
        arguments_(arguments),
        report_(report),
        seconds_(group.size()),
        weights_(weights_of(group)) {
    slices_ = plan_slices(weights_, arguments.count);
    parts_.resize(group.size());
  }

  void run() {
    on_each([this](std::size_t i) {
      parts_[i] = std::make_unique<PeerPart>(group_.queue(i), arguments_, slices_[i]);
      parts_[i]->sort_slice();
    });
    cut();
    on_each([this](std::size_t i) {
      merge_and_send(i);
      parts_[i]->receive_and_order_values();
    });
    on_each([this](std::size_t i) {
      parts_[i]->send_values(runs_of(i));
      parts_[i]->finish();
    });
    account();
  }

 private:
  // What a device enqueued is done when this ends, be it by an exception: others read its memory.
  template <class Work>
  void on_each(const Work& work) {
    group_.run([&](std::size_t i, const std::stop_token&) {
      const auto begin = Clock::now();
      try {
        work(i);
      } catch (...) {
        if (parts_[i] != nullptr) parts_[i]->drain();
        throw;
      }
      seconds_[i] += std::chrono::duration<double>(Clock::now() - begin).count();
    });
  }

  // Finds cuts_[r][j], the first record of slice r that belongs to range j of keys.
  void cut() {
    std::vector<Splitter> sample;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      // Each stands for as many records as the others.
      const double share = static_cast<double>(slices_[i].count) /
                           static_cast<double>(arguments_.count) *
                           static_cast<double>(kSamplesOfPart * parts_.size());
      const auto samples = static_cast<std::size_t>(std::ceil(share));
      const std::vector<Splitter> some = parts_[i]->sample(samples);
      sample.insert(sample.end(), some.begin(), some.end());
    }
    const std::vector<Splitter> splitters = choose_splitters(std::move(sample), weights_);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::vector<std::size_t> cuts = parts_[i]->places_of(splitters);
      cuts.insert(cuts.begin(), 0);
      cuts.push_back(slices_[i].count);
      cuts_.push_back(std::move(cuts));
    }
  }

  std::size_t size_of_range(std::size_t range) const {
    std::size_t size = 0;
    for (const auto& cuts : cuts_) size += cuts[range + 1] - cuts[range];
    return size;
  }

  std::vector<PeerRun> runs_of(std::size_t range) const {
    std::vector<PeerRun> runs;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      runs.push_back(parts_[i]->run(cuts_[i][range], cuts_[i][range + 1]));
    }
    return runs;
  }

  void merge_and_send(std::size_t range) {
    std::size_t first = 0;
    for (std::size_t before = 0; before < range; ++before) first += size_of_range(before);
    parts_[range]->merge_and_send(runs_of(range), first, parts_.size());
  }

  void account() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const SortReport& part = parts_[i]->report();
      const std::string& device = group_.device(i)->info().name;
      report_.bytes_up += part.bytes_up;
      report_.bytes_down += part.bytes_down;
      if (part.codec != "raw") report_.codec = part.codec;
      report_.shares.push_back({.device = device,
                                .items = slices_[i].count,
                                .pieces = 1,
                                .seconds = seconds_[i],
                                .bytes_up = part.bytes_up,
                                .bytes_down = part.bytes_down});
      DeviceSpeeds::shared().add(kOperation, device, static_cast<double>(slices_[i].count),
                                 seconds_[i]);
    }
  }

  const DeviceGroup& group_;
  const SortArguments& arguments_;
  SortReport& report_;
  std::vector<double> seconds_;
  const std::vector<double> weights_;
  std::vector<Chunk> slices_;
  std::vector<std::vector<std::size_t>> cuts_;
  std::vector<std::unique_ptr<PeerPart>> parts_;
};

}  // namespace

bool can_sort_by_peers(const DeviceGroup& group, const SortArguments& arguments) {
  const std::vector<Chunk> slices = plan_slices(weights_of(group), arguments.count);
  // A device has the part it brings up, about as much that it sends down, and what of that it has
  // merged, from two runs to those of all devices.
  const auto arrays = 2 + static_cast<std::size_t>(std::bit_width(group.size() - 1));
  for (std::size_t i = 0; i < group.size(); ++i) {
    const DeviceInfo& info = group.device(i)->info();
    if (info.shares_host_memory) return false;
    const std::size_t most = most_records_on_device(
        info.memory_bytes, key_bytes(arguments.key_type), arguments.value_bytes);
    if (slices[i].count > most / arrays) return false;
    for (std::size_t k = 0; k < group.size(); ++k) {
      if (k != i && !can_copy_from(group.queue(i), *group.device(k))) return false;
    }
  }
  return true;
}

void sort_by_peers(const DeviceGroup& group, const SortArguments& arguments, SortReport& report) {
  PeerSort(group, arguments, report).run();
}

}  // namespace millrace::radix_sort
