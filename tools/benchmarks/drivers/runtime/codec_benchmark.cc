// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/codec_benchmark.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/stream/codec_choice.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/workloads/codecs/codec_workload.h>

namespace millrace::tools {
namespace {

// Rates of one codec on one processor, in bytes of items per second.
struct Rates {
  double encode = 0;
  double decode = 0;
};

// Rates of copies between pinned memory and the device, in bytes per second.
struct Link {
  double up = 0;
  double down = 0;
};

Link measure_link(const std::shared_ptr<Device>& device, std::size_t bytes) {
  const auto queue = device->make_queue();
  Buffer<std::byte> host(device, MemorySpace::kPinned, bytes);
  Buffer<std::byte> there(device, MemorySpace::kDevice, bytes);
  const auto timings = run_contest({{"up",
                                     [&] {
                                       copy(*queue, there.span(), host.span());
                                       queue->wait();
                                     }},
                                    {"down",
                                     [&] {
                                       copy(*queue, host.span(), there.span());
                                       queue->wait();
                                     }}},
                                   0.2);
  const auto size = static_cast<double>(bytes);
  return {size / timings[0].median_seconds, size / timings[1].median_seconds};
}

Rates measure(const CodecChunk& chunk, CodecAtWork& work, const std::string& device,
              double seconds) {
  const auto timings = run_contest({{"copy", [&] { work.copy(); }},
                                    {"encode", [&] { work.encode(); }},
                                    {"decode", [&] { work.decode(); }}},
                                   seconds, 5);
  const auto bytes = static_cast<double>(chunk.bytes());
  const Rates rates{bytes / timings[1].median_seconds, bytes / timings[2].median_seconds};
  std::printf("%-22s %11.0f  %6.2f  %-9s  %8.1f %6.2f %9.3f  %8.1f %6.2f %9.3f\n",
              chunk.name.c_str(), chunk.integers,
              8 * static_cast<double>(work.coded_bytes()) / chunk.integers, device.c_str(),
              rates.encode / 1e9, 1 / timings[1].ratio_to_first, timings[1].median_seconds * 1e3,
              rates.decode / 1e9, 1 / timings[2].ratio_to_first, timings[2].median_seconds * 1e3);
  return rates;
}

void print_choice(const char* way, const CodecChunk& chunk, double link, double encode,
                  double decode, double ratio) {
  const CodecChoice choice = choose_codec(
      {.link = link, .encode = encode, .decode = decode, .ratio = ratio}, chunk.bytes());
  std::printf("  %-28s %-6s  %8.3f ms raw, %8.3f ms coded\n", way,
              choice.is_coded ? "coded" : "raw", choice.raw_seconds * 1e3,
              choice.coded_seconds * 1e3);
}

void benchmark_chunk(const CodecChunk& chunk, const std::shared_ptr<Device>& device,
                     const std::optional<Link>& link, double seconds) {
  const std::shared_ptr<Device> host = open_device("tbb");
  std::vector<std::byte> items(chunk.bytes() + Device::kAlignment);
  void* aligned = items.data();
  std::size_t room = items.size();
  auto* const data =
      static_cast<std::byte*>(std::align(Device::kAlignment, chunk.bytes(), aligned, room));
  chunk.fill(data);
  CodecAtWork on_host(host, *chunk.codec, chunk.count, data);
  on_host.check(data);
  const Rates host_rates = measure(chunk, on_host, host->info().name, seconds);
  if (device == host) return;
  CodecAtWork on_device(device, *chunk.codec, chunk.count, data);
  on_device.check(data);
  if (on_device.coded() != on_host.coded()) {
    throw Error(ErrorCode::kInternal, std::string(chunk.codec->name()) + " gives other bytes on " +
                                          device->info().name + " than on the CPU");
  }
  const Rates rates = measure(chunk, on_device, device->info().name, seconds);
  const double ratio =
      static_cast<double>(on_device.coded_bytes()) / static_cast<double>(chunk.bytes());
  print_choice("device to host, overlapped", chunk, link->down, rates.encode, host_rates.decode,
               ratio);
  print_choice("host to device, overlapped", chunk, link->up, host_rates.encode, rates.decode,
               ratio);
  if (device->info().is_simulated || chunk.name != "sorted u32") return;
  const double encode_ms = static_cast<double>(chunk.bytes()) / rates.encode * 1e3;
  const double bar_ms = 0.25 * chunk.integers / 1e8;
  print_bar("GPU encode of sorted u32, ms", encode_ms, "at most", bar_ms, encode_ms <= bar_ms);
  print_bar("host decode of sorted u32 to the link's rate", host_rates.decode / link->down,
            "at least", 2, host_rates.decode >= 2 * link->down);
}

}  // namespace

void benchmark_codecs(const CodecBenchmarkOptions& options) {
  const std::shared_ptr<Device> device = open_device(options.device);
  const bool is_simulated = device->info().is_simulated;
  std::vector<std::size_t> sizes = {10'000'000, 100'000'000};
  if (is_simulated) sizes = {100'000};
  if (options.items > 0) sizes = {options.items};
  std::optional<Link> link;
  if (!device->info().shares_host_memory) {
    link = measure_link(device, std::size_t{1} << (is_simulated ? 20 : 28));
    std::printf("link: %.1f GB/s up, %.1f GB/s down\n", link->up / 1e9, link->down / 1e9);
  }
  std::printf("%-22s %11s  %6s  %-9s  %8s %6s %9s  %8s %6s %9s\n", "items", "integers", "bits",
              "on", "enc GB/s", "copies", "ms", "dec GB/s", "copies", "ms");
  for (const std::size_t size : sizes) {
    std::vector<std::unique_ptr<const Codec>> codecs;
    for (const CodecChunk& chunk : codec_chunks(size, codecs)) {
      benchmark_chunk(chunk, device, link, options.seconds);
    }
  }
}

}  // namespace millrace::tools
