// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/pipeline_benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/tools/benchmarks/harness/contest.h>

namespace millrace::tools {
namespace {

using Memory = Buffer<std::byte>;

constexpr std::size_t kMiB = std::size_t{1} << 20;

// Sends memory of the host to a device, which copies it, and back to other memory of the host.
class RoundTrip {
 public:
  RoundTrip(std::shared_ptr<Device> device, std::size_t bytes)
      : device_(std::move(device)), bytes_(bytes) {
    for (const MemorySpace space : {MemorySpace::kPinned, MemorySpace::kHost}) {
      Host& host =
          hosts_.emplace_back(Memory(device_, space, bytes), Memory(device_, space, bytes));
      for (std::size_t i = 0; i < bytes; ++i) host.from.data()[i] = std::byte(i * 7 + i / 4096);
    }
    there_ = Host{Memory(device_, MemorySpace::kDevice, bytes),
                  Memory(device_, MemorySpace::kDevice, bytes)};
  }

  std::size_t bytes() const { return bytes_; }

  // Everything up and something down at once, with nothing to wait for: what the link can do.
  Contender both_ways() {
    return {"copies both ways at once", [this, up = make_queue(), down = make_queue()] {
              copy(*up, there_.from.span(), hosts_[0].from.span());
              copy(*down, hosts_[0].to.span(), there_.from.span());
              up->wait();
              down->wait();
            }};
  }

  Contender one_after_another() {
    return {"up, compute, down, one after another", [this, queue = make_queue()] {
              copy(*queue, there_.from.span(), hosts_[0].from.span());
              copy(*queue, there_.to.span(), there_.from.span());
              copy(*queue, hosts_[0].to.span(), there_.to.span());
              queue->wait();
            }};
  }

  // Straight from and to the memory, by the queues' own copies.
  Contender in_place(const std::string& name, MemorySpace space, std::size_t chunk, int depth) {
    const auto pipeline = std::make_shared<Pipeline>(device_, options(chunk, depth, false));
    Host& host = hosts_[space == MemorySpace::kPinned ? 0 : 1];
    return {name, [this, pipeline, &host, chunk] {
              report_ = pipeline->run({.produce =
                                           [&](const PipelineInputMemory& room) {
                                             return next(host, room.index * chunk, chunk);
                                           },
                                       .compute = echo});
            }};
  }

  // Through the pipeline's pinned memory, which stages of the host fill and empty.
  Contender through_stages(const std::string& name, std::size_t chunk, int depth) {
    const auto pipeline = std::make_shared<Pipeline>(device_, options(chunk, depth, true));
    Host& host = hosts_[1];
    const auto produce = [this, &host, chunk](const PipelineInputMemory& room) {
      auto input = next(host, room.index * chunk, chunk);
      if (!input) return input;
      copy_host_memory(room.input.data(), input->data.data(), input->data.size());
      *input = {.data = room.input.first(input->data.size())};
      return input;
    };
    const auto consume = [&host, chunk](const PipelineOutput& output) {
      copy_host_memory(host.to.data() + output.index * chunk, output.data.data(),
                       output.data.size());
    };
    return {name, [=, this] {
              report_ = pipeline->run({.produce = produce, .compute = echo, .consume = consume});
            }};
  }

  // Throws where a contender does not bring everything back.
  void check(const Contender& contender) {
    for (Host& host : hosts_) std::memset(host.to.data(), 0, bytes_);
    contender.run();
    const auto is_back = [this](const Host& host) {
      return std::memcmp(host.from.data(), host.to.data(), bytes_) == 0;
    };
    if (std::none_of(hosts_.begin(), hosts_.end(), is_back)) {
      throw Error(ErrorCode::kInternal, contender.name + " brings back what was not sent");
    }
  }

  const PipelineReport& report() const { return report_; }

 private:
  struct Host {
    Memory from;
    Memory to;
  };

  static void echo(Queue& queue, const PipelineChunk& chunk) {
    queue.copy(chunk.output.data(), chunk.input.data(), chunk.input.size());
    chunk.result->bytes = chunk.input.size();
  }

  static PipelineOptions options(std::size_t chunk, int depth, bool has_host_memory) {
    return {.input_bytes = chunk,
            .output_bytes = chunk,
            .depth = depth,
            .has_host_input = has_host_memory,
            .has_host_output = has_host_memory};
  }

  std::optional<PipelineInput> next(Host& host, std::size_t begin, std::size_t chunk) const {
    if (begin >= bytes_) return std::nullopt;
    const std::size_t size = std::min(chunk, bytes_ - begin);
    return PipelineInput{.data = {host.from.data() + begin, size},
                         .output = {host.to.data() + begin, size}};
  }

  std::shared_ptr<Queue> make_queue() const { return device_->make_queue(); }

  const std::shared_ptr<Device> device_;
  const std::size_t bytes_;
  std::vector<Host> hosts_;  // Pinned, pageable.
  Host there_;
  PipelineReport report_;
};

void print_round_trips(const std::shared_ptr<Device>& device, double seconds) {
  const bool is_small = device->info().is_simulated;
  RoundTrip trip(device, (is_small ? 16 : device->info().shares_host_memory ? 256 : 1024) * kMiB);
  const std::size_t unit = is_small ? kMiB / 16 : kMiB;
  std::vector<Contender> contenders = {trip.both_ways(), trip.one_after_another()};
  for (const std::size_t chunk : {4, 16, 64}) {
    for (const int depth : {3, 4}) {
      contenders.push_back(trip.in_place("pipeline, pinned, chunks of " + std::to_string(chunk) +
                                             (is_small ? "/16" : "") + " MiB, depth " +
                                             std::to_string(depth),
                                         MemorySpace::kPinned, chunk * unit, depth));
    }
  }
  const std::size_t best = contenders.size() - 3;  // 16 MiB, depth 4.
  contenders.push_back(
      trip.in_place("pipeline, pageable, staged by queues", MemorySpace::kHost, 16 * unit, 6));
  contenders.push_back(trip.through_stages("pipeline, pageable, copied by stages", 16 * unit, 6));
  for (std::size_t i = 1; i < contenders.size(); ++i) trip.check(contenders[i]);

  const std::vector<Timing> timings = run_contest(contenders, seconds, 5);
  std::printf("\n%4zu MiB each way %36s %10s %14s\n", trip.bytes() / kMiB, "GB/s", "best",
              "of both ways");
  for (const Timing& timing : timings) {
    const auto rate = [&](double time) { return static_cast<double>(trip.bytes()) / time / 1e9; };
    std::printf("%-49s %6.1f %10.1f %14.2f\n", timing.name.c_str(), rate(timing.median_seconds),
                rate(timing.best_seconds), 1 / timing.ratio_to_first);
  }
  const PipelineReport& report = trip.report();
  std::printf(
      "at work, of the last run: produce %.0f %%, upload %.0f %%, compute %.0f %%, "
      "download %.0f %%, consume %.0f %%\n",
      100 * report.produce_seconds / report.seconds, 100 * report.upload_seconds / report.seconds,
      100 * report.compute_seconds / report.seconds, 100 * report.download_seconds / report.seconds,
      100 * report.consume_seconds / report.seconds);
  if (is_small || device->info().shares_host_memory) return;
  const double of_link = 1 / timings[best].ratio_to_first;
  print_bar(timings[best].name + ", to copies both ways", of_link, ">=", 0.95, of_link >= 0.95);
}

void print_cost_of_a_chunk(const std::shared_ptr<Device>& device) {
  constexpr std::uint64_t kChunks = 2000;
  Pipeline pipeline(device, {.input_bytes = 64, .output_bytes = 64});
  const PipelineStages stages = {
      .produce = [](const PipelineInputMemory& room) -> std::optional<PipelineInput> {
        if (room.index == kChunks) return std::nullopt;
        return PipelineInput{.data = room.input};
      },
      .compute = [](Queue&, const PipelineChunk& chunk) { chunk.result->bytes = 64; },
      .consume = [](const PipelineOutput&) {},
  };
  PipelineStages none = stages;
  none.produce = [](const PipelineInputMemory&) { return std::nullopt; };
  pipeline.run(stages);
  const double of_chunks = pipeline.run(stages).seconds;
  const double of_none = pipeline.run(none).seconds;
  std::printf("\na chunk of 64 bytes takes %.1f us, a run of no chunks %.1f us\n",
              of_chunks / kChunks * 1e6, of_none * 1e6);
}

}  // namespace

void benchmark_pipeline(const std::string& name, double seconds) {
  const std::shared_ptr<Device> device = open_device(name);
  std::printf("%s: %s\n", name.c_str(), device->info().description.c_str());
  print_round_trips(device, seconds);
  print_cost_of_a_chunk(device);
}

}  // namespace millrace::tools
