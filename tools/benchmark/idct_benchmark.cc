#include <millrace/tools/benchmark/idct_benchmark.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/runtime/backend.h>
#include <millrace/runtime/buffer.h>
#include <millrace/runtime/error.h>
#include <millrace/tools/benchmark/contest.h>

namespace millrace::tools {
namespace {

constexpr std::size_t kSamples = idct::kMacroblockSamples;

constexpr char kCopy[] = "copy";

// Coefficients in and residual out.
constexpr double kBytesPerMacroblock = 2 * kSamples * sizeof(std::int16_t);

// A queue of macroblocks of random types, every coefficient coded, and room for its residual.
class Workload {
 public:
  Workload(const std::shared_ptr<Device>& device, std::size_t count)
      : sizes_(device, MemorySpace::kDevice, count),
        coefficients_(device, MemorySpace::kDevice, kSamples * count),
        residual_(device, MemorySpace::kDevice, kSamples * count),
        copy_source_(device, MemorySpace::kDevice, kSamples * count),
        copy_target_(device, MemorySpace::kDevice, kSamples * count) {
    std::mt19937 random(20120301);
    host_sizes_.resize(count);
    host_coefficients_.resize(kSamples * count);
    for (auto& size : host_sizes_) {
      size = random() % 2 == 0 ? idct::TransformSize::k4x4 : idct::TransformSize::k8x8;
    }
    for (auto& value : host_coefficients_) value = static_cast<std::int16_t>(random() % 1024) - 512;

    const auto queue = device->make_queue();
    copy(*queue, sizes_.span(), const_span(host_sizes_));
    copy(*queue, coefficients_.span(), const_span(host_coefficients_));
    copy(*queue, copy_source_.span(), const_span(host_coefficients_));
    queue->wait();
  }

  void transform(Queue& queue, Policy policy) {
    idct::inverse_transform(queue, {sizes_.data(), coefficients_.data(), sizes_.size()},
                            residual_.data(), {.policy = policy});
  }

  // The same number of bytes as transform() reads and writes.
  void copy_once(Queue& queue) {
    copy(queue, copy_target_.span(), copy_source_.span());
    queue.wait();
  }

  // Throws Error (kInternal) unless the residual is the reference's.
  void check(Queue& queue) {
    std::vector<std::int16_t> result(residual_.size());
    copy(queue, BufferSpan<std::int16_t>(std::span<std::int16_t>(result)), residual_.span());
    queue.wait();
    std::int16_t expected[kSamples];
    for (std::size_t m = 0; m < host_sizes_.size(); ++m) {
      idct::reference_residual(
          host_sizes_[m],
          std::span<const std::int16_t, kSamples>(&host_coefficients_[kSamples * m], kSamples),
          expected);
      if (!std::equal(expected, expected + kSamples, &result[kSamples * m])) {
        throw Error(ErrorCode::kInternal,
                    "macroblock " + std::to_string(m) + " differs from the reference");
      }
    }
  }

  std::size_t count() const { return sizes_.size(); }

 private:
  template <class T>
  static BufferSpan<const T> const_span(const std::vector<T>& values) {
    return BufferSpan<const T>(std::span<const T>(values));
  }

  std::vector<idct::TransformSize> host_sizes_;
  std::vector<std::int16_t> host_coefficients_;
  Buffer<idct::TransformSize> sizes_;
  Buffer<std::int16_t> coefficients_;
  Buffer<std::int16_t> residual_;
  Buffer<std::int16_t> copy_source_;
  Buffer<std::int16_t> copy_target_;
};

// Of the best policy.
struct Best {
  double rate = 0;  // Macroblocks per second.
  double fraction_of_copy = 0;
};

Best benchmark_queue(const std::shared_ptr<Device>& device, Workload& workload, int concurrency,
                     const char* place, double seconds) {
  const auto queue = device->make_queue({.concurrency = concurrency});
  std::vector<Contender> contenders = {{kCopy, [&] { workload.copy_once(*queue); }}};
  for (const Policy policy : kConcretePolicies) {
    workload.transform(*queue, policy);
    workload.check(*queue);
    contenders.push_back(
        {to_string(policy), [&workload, &queue, policy] { workload.transform(*queue, policy); }});
  }
  const std::string threads =
      concurrency == 0 ? "all of " + device->info().name : std::to_string(concurrency);
  Best best;
  for (const Timing& timing : run_contest(contenders, seconds)) {
    const double rate = static_cast<double>(workload.count()) / timing.median_seconds;
    std::printf("%8zu  %-9s  %-10s  %-15s  %7.1f  %7.1f  %6.2f\n", workload.count(), place,
                threads.c_str(), timing.name.c_str(), rate / 1e6, rate * kBytesPerMacroblock / 1e9,
                1 / timing.ratio_to_first);
    if (timing.name != kCopy) {
      best.rate = std::max(best.rate, rate);
      best.fraction_of_copy = std::max(best.fraction_of_copy, 1 / timing.ratio_to_first);
    }
  }
  return best;
}

}  // namespace

void benchmark_idct(const std::string& device_name, double seconds) {
  const std::shared_ptr<Device> device = open_device(device_name);
  std::printf("%s: %s\n", device->info().name.c_str(), device->info().description.c_str());
  std::printf("   count  in         threads     policy              M/s     GB/s  of copy\n");
  constexpr std::size_t kInMemory = 262'144;
  constexpr std::size_t kInCache = 8'160;  // A 1080p picture.
  Workload in_memory(device, kInMemory);
  const Best memory_one = benchmark_queue(device, in_memory, 1, "memory", seconds);
  const Best memory_all = benchmark_queue(device, in_memory, 0, "memory", seconds);
  Workload in_cache(device, kInCache);
  const Best cache_one = benchmark_queue(device, in_cache, 1, "cache", seconds);
  const Best cache_all = benchmark_queue(device, in_cache, 0, "cache", seconds);

  constexpr double kMillion = 1e6;
  const auto at_least = [](const std::string& what, double measured, double bar) {
    print_bar(what, measured, "at least", bar, measured >= bar);
  };
  at_least("in memory, one thread, of copy", memory_one.fraction_of_copy, 0.8);
  at_least("in memory, one thread, M macroblocks/s", memory_one.rate / kMillion, 40);
  at_least("in memory, all threads to one", memory_all.rate / memory_one.rate, 1);
  at_least("in cache, one thread, M macroblocks/s", cache_one.rate / kMillion, 70);
  at_least("in cache, all threads, M macroblocks/s", cache_all.rate / kMillion, 70);
}

}  // namespace millrace::tools
