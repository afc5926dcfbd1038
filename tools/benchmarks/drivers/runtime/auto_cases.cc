// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/auto_cases.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <utility>

#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/radix_sort/key_distributions.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/device_values.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_workloads.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workload.h>

namespace millrace::tools {
namespace {

[[noreturn]] void throw_wrong(const std::string& name) {
  throw Error(ErrorCode::kInternal, name + ": the result is wrong");
}

AutoCase of_workload(QueueWorkload workload) {
  std::string name = workload.name;
  return {std::move(name), [workload = std::move(workload)](Policy policy) {
            const QueueRun run = workload.run({.policy = policy});
            return AutoRun{run.wall_seconds, run.policy, run.switches};
          }};
}

// Macroblocks of which `percent` in a hundred are of 8x8 blocks. Their coefficients repeat, so that
// millions are made, and transformed by the reference, quickly. Of the first run by each policy the
// whole residual is compared with the reference's, of later ones the first and last macroblocks.
class Transform {
 public:
  static constexpr std::size_t kSamples = idct::kMacroblockSamples;
  static constexpr std::size_t kMade = 4096;  // Macroblocks that differ.

  Transform(Queue& queue, std::size_t count, unsigned percent)
      : queue_(queue),
        count_(count),
        sizes_(queue.device().shared_from_this(), MemorySpace::kDevice, count),
        coefficients_(queue.device().shared_from_this(), MemorySpace::kDevice, kSamples * count),
        residual_(queue.device().shared_from_this(), MemorySpace::kDevice, kSamples * count) {
    std::mt19937 random(7);
    host_sizes_.resize(count);
    for (auto& size : host_sizes_) {
      size = random() % 100 < percent ? idct::TransformSize::k8x8 : idct::TransformSize::k4x4;
    }
    copy(queue_, sizes_.span(),
         BufferSpan<const idct::TransformSize>(std::span<const idct::TransformSize>(host_sizes_)));
    std::vector<std::int16_t> made(kSamples * std::min(count, kMade));
    for (auto& value : made) value = static_cast<std::int16_t>(random() % 512) - 256;
    for (std::size_t begin = 0; begin < kSamples * count; begin += made.size()) {
      const std::size_t part = std::min(made.size(), kSamples * count - begin);
      copy(queue_, coefficients_.span(begin, part),
           BufferSpan<const std::int16_t>(std::span<const std::int16_t>(made).first(part)));
    }
    queue_.wait();
    for (const auto size : {idct::TransformSize::k4x4, idct::TransformSize::k8x8}) {
      std::vector<std::int16_t>& expected = expected_of(size);
      expected.resize(made.size());
      for (std::size_t i = 0; i < made.size(); i += kSamples) {
        idct::reference_residual(size, std::span<const std::int16_t, kSamples>(&made[i], kSamples),
                                 std::span<std::int16_t, kSamples>(&expected[i], kSamples));
      }
    }
  }

  AutoRun run(Policy policy) {
    const bool is_first = checked_.insert(policy).second;
    const std::size_t part = is_first ? count_ : std::min<std::size_t>(count_, 16);
    const std::size_t last = count_ - part;
    spoil(0, part);
    if (last > 0) spoil(last, part);
    const double start = seconds_now();
    const RunReport report =
        idct::inverse_transform(queue_, {sizes_.data(), coefficients_.data(), count_},
                                residual_.data(), {.policy = policy});
    const double seconds = seconds_now() - start;
    check(0, part);
    if (last > 0) check(last, part);
    if (report.tasks() != count_) throw_wrong("idct");
    return {seconds, report.policy, report.switches};
  }

 private:
  std::vector<std::int16_t>& expected_of(idct::TransformSize size) {
    return expected_[size == idct::TransformSize::k8x8 ? 1 : 0];
  }

  void spoil(std::size_t first, std::size_t count) {
    fill_bytes(queue_, residual_.span(kSamples * first, kSamples * count), std::byte{0x5a});
    queue_.wait();
  }

  // Macroblocks from `first` on, as many at a time as differ.
  void check(std::size_t first, std::size_t count) {
    std::vector<std::int16_t> found(kSamples * std::min(count, kMade));
    for (const std::size_t end = first + count; first < end; first += kMade) {
      const std::size_t some = std::min(kMade, end - first);
      copy(queue_, BufferSpan<std::int16_t>(std::span(found).first(kSamples * some)),
           residual_.span(kSamples * first, kSamples * some));
      queue_.wait();
      for (std::size_t i = 0; i < some; ++i) {
        const std::size_t place = kSamples * ((first + i) % kMade);
        const auto expected =
            std::span(expected_of(host_sizes_[first + i])).subspan(place, kSamples);
        if (!std::ranges::equal(std::span(found).subspan(kSamples * i, kSamples), expected)) {
          throw_wrong("idct");
        }
      }
    }
  }

  Queue& queue_;
  const std::size_t count_;
  Buffer<idct::TransformSize> sizes_;
  Buffer<std::int16_t> coefficients_;
  Buffer<std::int16_t> residual_;
  std::vector<idct::TransformSize> host_sizes_;
  // The residual of the macroblocks that differ, by 4x4 and by 8x8.
  std::array<std::vector<std::int16_t>, 2> expected_;
  std::set<Policy> checked_;
};

AutoCase make_transform(Queue& queue, std::size_t count, unsigned percent) {
  const auto transform = std::make_shared<Transform>(queue, count, percent);
  return {"idct " + std::to_string(count) + ", " + std::to_string(percent) + " % of 8x8",
          [transform](Policy policy) { return transform->run(policy); }};
}

AutoCase make_sort(Queue& queue, std::size_t count, radix_sort::KeyDistribution distribution) {
  const auto keys = std::make_shared<std::vector<std::uint32_t>>(count);
  radix_sort::fill_keys(radix_sort::KeyType::kU32, distribution, 3, count, keys->data());
  const auto sorted = std::make_shared<std::vector<std::uint32_t>>(count);
  const auto expected = std::make_shared<std::vector<std::uint32_t>>(*keys);
  std::ranges::sort(*expected);
  const auto checked = std::make_shared<std::set<Policy>>();
  const std::string name =
      "sort " + std::to_string(count) + ", " + radix_sort::to_string(distribution);
  return {name, [&queue, keys, sorted, expected, checked, name](Policy policy) {
            // The output of an earlier run must not be taken for this run's.
            if (checked->insert(policy).second) std::ranges::fill(*sorted, 0U);
            std::swap(sorted->front(), sorted->back());
            const double start = seconds_now();
            const auto report = radix_sort::sort_keys<std::uint32_t>(
                queue, *keys, *sorted, {.space = MemorySpace::kHost, .policy = policy});
            const double seconds = seconds_now() - start;
            if (*sorted != *expected) throw_wrong(name);
            return AutoRun{seconds, report.policy, 0};
          }};
}

AutoCase make_search(Queue& queue, std::size_t count, bool is_clustered) {
  const auto points = std::make_shared<const std::vector<three_star::Point>>(
      is_clustered ? clustered_points(count) : three_star::random_points(count));
  three_star::SearchOptions options;
  options.radius = 50;
  const auto of_sensors = checked_three_stars(queue, *points, options);
  const std::uint64_t expected = std::reduce(of_sensors.begin(), of_sensors.end()) / 3;
  const std::string name =
      "3-stars of " + std::to_string(count) + (is_clustered ? ", clustered" : "");
  return {name, [&queue, points, expected, name](Policy policy) {
            const double start = seconds_now();
            const auto report =
                three_star::count_three_stars(queue, *points, {.radius = 50, .policy = policy});
            const double seconds = seconds_now() - start;
            if (report.three_stars != expected) throw_wrong(name);
            return AutoRun{seconds, report.policy, 0};
          }};
}

// Sizes of the cases of a device.
struct Sizes {
  std::vector<std::size_t> transforms;
  std::vector<std::uint32_t> trees;  // Elements.
  std::uint32_t large_task_tree;
  std::uint32_t read_tree;
  std::vector<std::uint64_t> geo_levels;
  std::vector<std::uint64_t> bin_roots;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> chains;  // And their links.
  std::vector<std::size_t> flat;
  std::vector<std::size_t> pieces;
  std::vector<std::size_t> sorts;
  std::vector<std::size_t> searches;
};

Sizes sizes_for(const DeviceInfo& device, bool is_quick) {
  if (is_quick || device.is_simulated) {
    return {.transforms = {100},
            .trees = {1u << 11},
            .large_task_tree = 1u << 10,
            .read_tree = 1u << 14,
            .geo_levels = {4},
            .bin_roots = {20},
            .chains = {{20, 10}},
            .flat = {1'000},
            .pieces = {50},
            .sorts = {70'000},
            .searches = {device.is_simulated ? 100U : 400U}};
  }
  const bool is_gpu = device.warp_width > 1;
  return {.transforms = {1'000, 8'160, 100'000, 1'000'000, 4'000'000},
          .trees = is_gpu ? std::vector<std::uint32_t>{1u << 16, 1u << 20, 1u << 24, 1u << 27}
                          : std::vector<std::uint32_t>{1u << 14, 1u << 18, 1u << 22, 1u << 25},
          .large_task_tree = is_gpu ? 1u << 24 : 1u << 22,
          .read_tree = is_gpu ? 1u << 27 : 1u << 23,
          .geo_levels =
              is_gpu ? std::vector<std::uint64_t>{8, 11, 14} : std::vector<std::uint64_t>{5, 8, 11},
          .bin_roots = {100, 2000},
          .chains = {{64, 300}, {1024, 300}, {4096, 1000}},
          .flat = {5'000, 200'000, 16'000'000},
          .pieces = {20'000, 500'000},
          .sorts = {200'000, 2'000'000, 20'000'000},
          .searches = {3'200, 12'800, 25'600}};
}

class Cases {
 public:
  explicit Cases(const Sizes& sizes) : sizes_(sizes) {}

  void add_transforms() {
    for (const std::size_t count : sizes_.transforms) {
      for (const unsigned percent : {50u, 5u, 100u}) {
        add([=](Queue& queue) { return make_transform(queue, count, percent); });
      }
    }
  }

  void add_trees() {
    for (const std::uint32_t elements : sizes_.trees) {
      add_workload([=](Queue& queue) { return make_tree<16>(queue, elements); });
    }
    const Sizes sizes = sizes_;
    add_workload([=](Queue& queue) { return make_tree<64>(queue, sizes.large_task_tree); });
    add_workload([=](Queue& queue) { return make_tree<256>(queue, sizes.large_task_tree); });
    add_workload(
        [=](Queue& queue) { return make_read_tree<TaskWidth::kLane>(queue, sizes.read_tree); });
    add_workload(
        [=](Queue& queue) { return make_read_tree<TaskWidth::kWarp>(queue, sizes.read_tree); });
    add_workload(
        [=](Queue& queue) { return make_read_tree<TaskWidth::kBlock>(queue, sizes.read_tree); });
    for (const std::uint64_t levels : sizes.geo_levels) {
      add_named("geo of " + std::to_string(levels) + " levels", [=](Queue& queue) {
        QueueSizes of_tree = kSmallSizes;
        of_tree.geo_levels = levels;
        return make_geo(queue, of_tree);
      });
    }
    for (const std::uint64_t roots : sizes.bin_roots) {
      add_named("bin of " + std::to_string(roots) + " roots", [=](Queue& queue) {
        QueueSizes of_tree = kSmallSizes;
        of_tree.bin_roots = roots;
        return make_bin(queue, of_tree);
      });
    }
    for (const auto& [chains, links] : sizes.chains) {
      add_named("chains " + std::to_string(chains) + " x " + std::to_string(links),
                [chains = chains, links = links](Queue& queue) {
                  QueueSizes of_chains = kSmallSizes;
                  of_chains.chains = chains;
                  of_chains.links = links;
                  return make_chains(queue, of_chains);
                });
    }
  }

  void add_flat() {
    for (const std::size_t count : sizes_.flat) {
      add_named("flat " + std::to_string(count),
                [=](Queue& queue) { return FlatItems(queue, count).tasks(); });
    }
    for (const std::size_t count : sizes_.pieces) {
      add_named("copies " + std::to_string(count),
                [=](Queue& queue) { return CopyPieces(queue, count).tasks(); });
    }
    add_workload([](Queue& queue) { return make_nothing(queue, 1); });
  }

  void add_sorts() {
    using radix_sort::KeyDistribution;
    for (const std::size_t count : sizes_.sorts) {
      for (const auto distribution : {KeyDistribution::kUniform, KeyDistribution::kZipf}) {
        add([=](Queue& queue) { return make_sort(queue, count, distribution); });
      }
    }
  }

  void add_searches() {
    for (const std::size_t count : sizes_.searches) {
      for (const bool is_clustered : {false, true}) {
        add([=](Queue& queue) { return make_search(queue, count, is_clustered); });
      }
    }
  }

  std::vector<MakeAutoCase> take() { return std::move(cases_); }

 private:
  void add(MakeAutoCase make) { cases_.push_back(std::move(make)); }

  template <class Make>
  void add_workload(const Make& make) {
    add([=](Queue& queue) { return of_workload(make(queue)); });
  }

  template <class Make>
  void add_named(const std::string& name, const Make& make) {
    add([=](Queue& queue) {
      AutoCase made = of_workload(make(queue));
      made.name = name;
      return made;
    });
  }

  const Sizes sizes_;
  std::vector<MakeAutoCase> cases_;
};

}  // namespace

std::vector<MakeAutoCase> auto_cases(const Device& device, bool is_quick) {
  Cases cases(sizes_for(device.info(), is_quick));
  cases.add_transforms();
  cases.add_trees();
  cases.add_flat();
  if (device.info().shares_host_memory) cases.add_sorts();
  cases.add_searches();
  return cases.take();
}

}  // namespace millrace::tools
