// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/group/group_sort_peers.h>
#include <millrace/algorithms/radix_sort/group/peer_partition.h>
#include <millrace/algorithms/radix_sort/group/splitter.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/host/seconds_since.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::radix_sort {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kOperation = "records sorted by peers";

// Devices of one kind have the mean of their measured speeds: they wait for each other, and slices
// that are the same size from call to call find memory of their size in the pools.
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

// Returns the range of the input that each device uploads.
std::vector<RecordSpan> plan_slices(const std::vector<double>& weights, std::size_t count) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<RecordSpan> slices;
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
        weights_(weights_of(group)),
        slices_(plan_slices(weights_, arguments.count)),
        partitions_(group.size()) {}

  void run() {
    std::vector<std::optional<PeerPartition::SortedSlice>> sorted(partitions_.size());
    on_each([&](std::size_t i) {
      partitions_[i] = std::make_unique<PeerPartition>(group_.queue(i), arguments_, slices_[i]);
      sorted[i] = partitions_[i]->sort_slice();
    });
    const std::vector<std::vector<PeerRun>> ranges = cut(sorted);
    std::vector<std::optional<PeerPartition::OrderedValues>> ordered(partitions_.size());
    on_each([&](std::size_t i) {
      PeerPartition::SentKeys sent = std::move(*sorted[i])
                                         .merge_and_send({.runs = ranges[i],
                                                          .first_output = first_output(ranges, i),
                                                          .devices = partitions_.size()});
      ordered[i] = std::move(sent).receive_and_order_values();
    });
    on_each([&](std::size_t i) { std::move(*ordered[i]).send_values(ranges[i]).finish(); });
    account();
  }

 private:
  // Runs work(i) on each device. All that a device has enqueued is done when this returns or
  // throws, because others read its memory.
  template <class Work>
  void on_each(const Work& work) {
    group_.run([&](std::size_t i, const std::stop_token&) {
      const auto begin = Clock::now();
      try {
        work(i);
      } catch (...) {
        if (partitions_[i] != nullptr) partitions_[i]->drain();
        throw;
      }
      seconds_[i] += seconds_since(begin);
    });
  }

  // Returns the runs of each range of keys, one of each slice.
  std::vector<std::vector<PeerRun>> cut(
      const std::vector<std::optional<PeerPartition::SortedSlice>>& sorted) const {
    std::vector<Splitter> sample;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      // Each sampled record stands for as many records as the others.
      const double wanted = static_cast<double>(slices_[i].count) /
                            static_cast<double>(arguments_.count) *
                            static_cast<double>(kSamplesOfRange * sorted.size());
      const auto samples = static_cast<std::size_t>(std::ceil(wanted));
      const std::vector<Splitter> some = sorted[i]->sample(samples);
      sample.insert(sample.end(), some.begin(), some.end());
    }
    const std::vector<Splitter> splitters = choose_splitters(std::move(sample), weights_);
    std::vector<std::vector<PeerRun>> ranges(sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      std::size_t begin = 0;
      std::vector<std::size_t> ends = sorted[i]->positions_of(splitters);
      ends.push_back(slices_[i].count);
      for (std::size_t range = 0; range < ranges.size(); ++range) {
        ranges[range].push_back(sorted[i]->run(begin, ends[range]));
        begin = ends[range];
      }
    }
    return ranges;
  }

  static std::size_t first_output(const std::vector<std::vector<PeerRun>>& ranges,
                                  std::size_t range) {
    std::size_t first = 0;
    for (std::size_t before = 0; before < range; ++before) {
      for (const PeerRun& run : ranges[before]) first += run.count;
    }
    return first;
  }

  void account() {
    for (std::size_t i = 0; i < partitions_.size(); ++i) {
      const SortReport& own = partitions_[i]->report();
      const std::string& device = group_.device(i)->info().name;
      report_.bytes_up += own.bytes_up;
      report_.bytes_down += own.bytes_down;
      if (own.codec != "raw") report_.codec = own.codec;
      report_.portions.push_back({.device = device,
                                  .items = slices_[i].count,
                                  .pieces = 1,
                                  .seconds = seconds_[i],
                                  .bytes_up = own.bytes_up,
                                  .bytes_down = own.bytes_down});
      DeviceSpeeds::shared().add(kOperation, device, static_cast<double>(slices_[i].count),
                                 seconds_[i]);
    }
  }

  const DeviceGroup& group_;
  const SortArguments& arguments_;
  SortReport& report_;
  std::vector<double> seconds_;
  const std::vector<double> weights_;
  const std::vector<RecordSpan> slices_;
  std::vector<std::unique_ptr<PeerPartition>> partitions_;
};

}  // namespace

bool can_sort_by_peers(const DeviceGroup& group, const SortArguments& arguments) {
  const std::vector<RecordSpan> slices = plan_slices(weights_of(group), arguments.count);
  // A device holds the slice it uploads, about as many records that it downloads, and these again
  // for each level of merging, from two runs to those of all devices.
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
