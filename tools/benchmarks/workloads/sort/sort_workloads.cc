// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_distribution.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/sort/cpu_sort_workload.h>
#include <millrace/tools/benchmarks/workloads/sort/host_sort_workload.h>
#include <millrace/tools/benchmarks/workloads/sort/sort_paper_workload.h>
#include <millrace/tools/benchmarks/workloads/sort/sort_workloads.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;

KeyDistribution distribution_called(const std::string& name) {
  return *std::ranges::find_if(radix_sort::kKeyDistributions, [&](KeyDistribution distribution) {
    return name == radix_sort::to_string(distribution);
  });
}

constexpr char kOnDevice[] = "device";

std::string hash_of(HostSortWorkload& work) {
  const auto* const keys =
      static_cast<const std::uint32_t*>(work.arguments(SortKind::kKeys).keys_in);
  return InputHash().add(std::span(keys, work.count())).text();
}

double bytes_each(SortKind kind) { return kind == SortKind::kKeys ? 4 : 8; }

// On a device that shares the host's memory.
class CpuSorts {
 public:
  CpuSorts(const std::shared_ptr<Device>& device, KeyDistribution keys, std::size_t count,
           SortKind kind)
      : queue_(device->make_queue()), work_(*queue_, keys, count), kind_(kind) {}

  static PreparedWork prepare(const std::shared_ptr<CpuSorts>& all) {
    PreparedWork prepared{InputHash().add(all->work_.keys()).text(), {}};
    for (const Policy policy : kAllPolicies) prepared.runs.push_back(ours(all, policy));
    for (const SortPeer& peer : sort_peers()) prepared.runs.push_back(theirs(all, peer));
    return prepared;
  }

 private:
  using All = std::shared_ptr<CpuSorts>;

  static WorkRun ours(const All& all, Policy policy) {
    const bool is_keys = all->kind_ == SortKind::kKeys;
    return {.policy = to_string(policy),
            .strategy = kOnDevice,
            .check =
                [=] {
                  is_keys ? all->work_.check_keys(policy) : all->work_.check_pairs(policy);
                  return all->amount();
                },
            .run =
                [=] {
                  all->work_.touch_outputs();
                  return seconds_of([&] {
                    is_keys ? all->work_.sort_keys(policy) : all->work_.sort_pairs(policy);
                  });
                }};
  }

  static WorkRun theirs(const All& all, const SortPeer& peer) {
    const bool is_keys = all->kind_ == SortKind::kKeys;
    return {.peer = peer.name,
            .check =
                [=] {
                  is_keys ? all->work_.check_keys(peer) : all->work_.check_pairs(peer);
                  return all->amount();
                },
            .run =
                [=] {
                  is_keys ? all->work_.fill_peers_keys() : all->work_.fill_peers_pairs();
                  return seconds_of(
                      [&] { is_keys ? all->work_.sort_keys(peer) : all->work_.sort_pairs(peer); });
                }};
  }

  // They are read and written at least once.
  RunAmount amount() const {
    const auto count = static_cast<double>(work_.elements());
    const double bytes = 2 * bytes_each(kind_) * count;
    return {count, bytes, copy_limit_of(bytes)};
  }

  const std::shared_ptr<Queue> queue_;
  CpuSortWorkload work_;
  const SortKind kind_;
};

// Indices of keys in order, on such a device.
class CpuArgsorts {
 public:
  CpuArgsorts(const std::shared_ptr<Device>& device, KeyDistribution keys, std::size_t count)
      : queue_(device->make_queue()), work_(device, MemorySpace::kHost, count, keys) {}

  static PreparedWork prepare(const std::shared_ptr<CpuArgsorts>& all) {
    PreparedWork prepared{hash_of(all->work_), {}};
    for (const Policy policy : kAllPolicies) {
      const auto sort = [=] {
        radix_sort::sort(*all->queue_, all->work_.arguments(SortKind::kArgsort), policy);
      };
      prepared.runs.push_back({.policy = to_string(policy),
                               .strategy = kOnDevice,
                               .check =
                                   [=] {
                                     all->work_.clear();
                                     sort();
                                     all->work_.check(SortKind::kArgsort, "the argsort");
                                     return all->amount();
                                   },
                               .run = [=] { return seconds_of(sort); }});
    }
    return prepared;
  }

 private:
  // Keys are read, and written with their indices.
  RunAmount amount() const {
    const auto count = static_cast<double>(work_.count());
    const double bytes = (4 + bytes_each(SortKind::kArgsort)) * count;
    return {count, bytes, copy_limit_of(bytes)};
  }

  const std::shared_ptr<Queue> queue_;
  HostSortWorkload work_;
};

// Name of the implementation that sorts on the device where Millrace calls a library.
std::string library_of(const DeviceInfo& device) {
  if (device.is_simulated) return "passes of kernels";
  return device.description.find("NVIDIA") != std::string::npos ? "CUB" : "rocPRIM";
}

// No library has an argsort: beside it, pairs of keys and indices are sorted.
SortKind kind_of_library(SortKind kind) {
  return kind == SortKind::kArgsort ? SortKind::kPairs : kind;
}

QueueOptions unstaged() {
  QueueOptions options;
  options.stages_pageable_copies = false;
  return options;
}

// On a device with memory of its own, arrays in one memory.
class GpuSorts {
 public:
  GpuSorts(std::shared_ptr<Device> device, MemorySpace space, KeyDistribution keys,
           std::size_t count, SortKind kind)
      : device_(std::move(device)),
        queue_(device_->make_queue()),
        unstaged_queue_(device_->make_queue(unstaged())),
        host_(device_, space == MemorySpace::kDevice ? MemorySpace::kPinned : space, count, keys),
        arguments_(host_.arguments(kind)),
        kind_(kind),
        serial_(*queue_, library_arguments()) {
    if (space == MemorySpace::kHost) unstaged_.emplace(*unstaged_queue_, library_arguments());
    if (space != MemorySpace::kDevice) return;
    arguments_.space = MemorySpace::kDevice;
    arguments_.keys_in = upload(arguments_.keys_in);
    arguments_.values_in = upload(arguments_.values_in);
    arguments_.keys_out = allocate(arguments_.keys_out);
    arguments_.values_out = allocate(arguments_.values_out);
  }

  // Ours, and that of the library, which gets its copies done one after another: those of pageable
  // memory staged as ours are, and by the vendor.
  static void add(const std::shared_ptr<GpuSorts>& all, std::vector<WorkRun>& runs) {
    const std::string space = millrace::to_string(all->arguments_.space);
    runs.push_back({.policy = to_string(Policy::kAuto),
                    .strategy = space,
                    .check = [=] { return all->check(); },
                    .run = [=] { return seconds_of([&] { all->sort(); }); },
                    .is_streamed = !all->is_resident()});
    const std::string library = library_of(all->device_->info());
    runs.push_back(by_library(all, library, all->serial_));
    if (all->unstaged_) {
      runs.push_back(by_library(all, library + ", vendor's copies", *all->unstaged_));
    }
  }

  std::string input_hash() { return hash_of(host_); }

 private:
  static WorkRun by_library(const std::shared_ptr<GpuSorts>& all, const std::string& peer,
                            SerialSort& serial) {
    return {.strategy = millrace::to_string(all->arguments_.space),
            .peer = peer,
            .check = [=, &serial] { return all->check_library(peer, serial); },
            .run = [=, &serial] { return seconds_of([&] { all->sort_by_library(serial); }); }};
  }

  // Its outputs are others: what the one has just written is in the host's caches.
  radix_sort::SortArguments library_arguments() {
    return host_.arguments(kind_of_library(kind_), SortSide::kOther);
  }

  bool is_resident() const { return arguments_.space == MemorySpace::kDevice; }

  radix_sort::SortReport sort() { return radix_sort::sort(*queue_, arguments_); }

  void sort_by_library(SerialSort& serial) const {
    is_resident() ? serial.run_on_device() : serial.run();
  }

  RunAmount check() {
    host_.clear();
    const radix_sort::SortReport report = sort();
    if (is_resident()) {
      const radix_sort::SortArguments there = host_.arguments(kind_);
      download(there.keys_out, arguments_.keys_out);
      download(there.values_out, arguments_.values_out);
    }
    host_.check(kind_, "the sort");
    RunAmount amount = this->amount(kind_);
    if (is_resident()) return amount;
    amount.values = {{"bytes up each", static_cast<double>(report.bytes_up) / amount.items},
                     {"bytes down each", static_cast<double>(report.bytes_down) / amount.items}};
    return amount;
  }

  // Checks the work that is timed: on the device the sort alone, else the sort and its copies over
  // the link.
  RunAmount check_library(const std::string& name, SerialSort& serial) {
    host_.clear();
    if (is_resident()) {
      serial.upload();
      serial.spoil_device();
      serial.run_on_device();
      serial.download();
    } else {
      serial.run();
    }
    host_.check(kind_of_library(kind_), name, SortSide::kOther);
    return amount(kind_of_library(kind_));
  }

  RunAmount amount(SortKind kind) const {
    const auto count = static_cast<double>(host_.count());
    const double bytes = bytes_each(kind) * count;
    if (!is_resident()) return {count, bytes, kDownloadLimit};
    return {count, 2 * bytes, copy_limit_of(2 * bytes)};
  }

  void download(void* to, const void* from) {
    if (to == nullptr) return;
    queue_->copy(to, from, sizeof(std::uint32_t) * host_.count());
    queue_->wait();
  }

  const void* upload(const void* values) {
    if (values == nullptr) return nullptr;
    void* const there = allocate(values);
    queue_->copy(there, values, sizeof(std::uint32_t) * host_.count());
    queue_->wait();
    return there;
  }

  void* allocate(const void* like) {
    if (like == nullptr) return nullptr;
    arrays_.emplace_back(device_->pool(MemorySpace::kDevice), host_.count());
    return arrays_.back().data();
  }

  const std::shared_ptr<Device> device_;
  const std::shared_ptr<Queue> queue_;
  const std::shared_ptr<Queue> unstaged_queue_;
  HostSortWorkload host_;
  radix_sort::SortArguments arguments_;
  const SortKind kind_;
  SerialSort serial_;
  std::optional<SerialSort> unstaged_;  // Sorts pageable memory.
  std::vector<Buffer<std::uint32_t>> arrays_;
};

PreparedWork prepare_on_gpu(const std::shared_ptr<Device>& device, KeyDistribution keys,
                            std::size_t count, SortKind kind) {
  PreparedWork prepared;
  for (const MemorySpace space : {MemorySpace::kDevice, MemorySpace::kPinned, MemorySpace::kHost}) {
    const auto all = std::make_shared<GpuSorts>(device, space, keys, count, kind);
    if (prepared.input_hash.empty()) prepared.input_hash = all->input_hash();
    GpuSorts::add(all, prepared.runs);
  }
  return prepared;
}

Workload sort_workload(SortKind kind, const std::string& what) {
  Workload workload;
  workload.name = std::string("sort-") + to_string(kind);
  workload.what = what;
  workload.item_name = "keys";
  workload.inputs.clear();
  for (const KeyDistribution keys : radix_sort::kKeyDistributions) {
    workload.inputs.emplace_back(radix_sort::to_string(keys));
  }
  workload.strategies = {kOnDevice, millrace::to_string(MemorySpace::kPinned),
                         millrace::to_string(MemorySpace::kHost)};
  workload.sizes = SizeChoice{.cpu = {100'000, 10'000'000},
                              .gpu = {100'000, 10'000'000, 100'000'000},
                              .quick = 500'000,
                              .simulated = 2000};
  workload.size_rule = "is 2 to 1000000000";
  workload.is_size = [](std::uint64_t size) { return size >= 2 && size <= 1'000'000'000; };
  workload.prepare = [kind](const std::shared_ptr<Device>& device, const std::string& input,
                            std::uint64_t size) {
    const KeyDistribution keys = distribution_called(input);
    if (!device->info().shares_host_memory) return prepare_on_gpu(device, keys, size, kind);
    if (kind == SortKind::kArgsort) {
      return CpuArgsorts::prepare(std::make_shared<CpuArgsorts>(device, keys, size));
    }
    return CpuSorts::prepare(std::make_shared<CpuSorts>(device, keys, size, kind));
  };
  return workload;
}

}  // namespace

std::vector<Workload> sort_workloads() {
  return {sort_workload(SortKind::kKeys, "radix sort of u32 keys"),
          sort_workload(SortKind::kPairs, "the same, with u32 values"),
          sort_workload(SortKind::kArgsort, "their indices in order"), sort_paper_workload()};
}

}  // namespace millrace::tools
