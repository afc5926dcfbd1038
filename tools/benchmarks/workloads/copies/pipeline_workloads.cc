// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/device_workloads.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using Memory = Buffer<std::byte>;

constexpr char kBothWays[] = "both ways";  // Copies each way at once, with nothing between.
constexpr char kInTurn[] = "in turn";      // Up, compute and down, one after another.
constexpr char kCopy[] = "Queue::copy";
constexpr int kPageableDepth = 6;
constexpr std::size_t kPageableChunks = 64;
constexpr char kByQueues[] = "pageable, by queues";
constexpr char kByStages[] = "pageable, by stages";
constexpr std::size_t kChunks[] = {256, 64, 16};
constexpr int kDepths[] = {3, 4};

std::string pinned_name(std::size_t chunks, int depth) {
  return std::to_string(chunks) + " chunks, depth " + std::to_string(depth);
}

// Memory of the host that goes to a device, which copies it, and back to other memory of the host.
class RoundTrip {
 public:
  RoundTrip(std::shared_ptr<Device> device, std::size_t bytes)
      : device_(std::move(device)),
        bytes_(bytes),
        pinned_(make_host(MemorySpace::kPinned)),
        pageable_(make_host(MemorySpace::kHost)),
        there_{make(MemorySpace::kDevice), make(MemorySpace::kDevice)} {}

  static PreparedWork prepare(const std::shared_ptr<RoundTrip>& trip) {
    PreparedWork prepared;
    prepared.runs.push_back(both_ways(trip));
    prepared.runs.push_back(in_turn(trip));
    for (const std::size_t chunks : kChunks) {
      for (const int depth : kDepths) {
        prepared.runs.push_back(
            in_place(trip, pinned_name(chunks, depth), trip->pinned_, chunks, depth));
      }
    }
    prepared.runs.push_back(
        in_place(trip, kByQueues, trip->pageable_, kPageableChunks, kPageableDepth));
    prepared.runs.push_back(by_stages(trip));
    return prepared;
  }

 private:
  using Trip = std::shared_ptr<RoundTrip>;

  struct Host {
    Memory from;
    Memory to;
  };

  Memory make(MemorySpace space) const { return Memory(device_, space, bytes_); }

  Host make_host(MemorySpace space) const {
    Host host{make(space), make(space)};
    for (std::size_t i = 0; i < bytes_; ++i) {
      host.from.data()[i] = static_cast<std::byte>(i * 7 + i / 4096);
    }
    std::memset(host.to.data(), 0, bytes_);
    return host;
  }

  // Each way bounds it alone; without a link each byte is read and written by each of the copies.
  RunAmount amount(int copies_without_link) const {
    const auto bytes = static_cast<double>(bytes_);
    if (!device_->info().shares_host_memory) return {bytes, bytes, kUploadLimit};
    const double moved = 2 * copies_without_link * bytes;
    return {bytes, moved, copy_limit_of(moved)};
  }

  // Throws kInternal unless `work` brings back in `host` what it sends.
  template <class Work>
  RunAmount check(Host& host, const Work& work, int copies_without_link = 1) {
    std::memset(host.to.data(), 0, bytes_);
    work();
    if (std::memcmp(host.from.data(), host.to.data(), bytes_) != 0) {
      throw Error(ErrorCode::kInternal, "what comes back is not what was sent");
    }
    return amount(copies_without_link);
  }

  // A run of a pipeline has the fraction of the time that each of its stages worked, if it did.
  static WorkRun pipeline_run(const Trip& trip, const std::string& strategy, Host& host,
                              const std::function<PipelineReport()>& work,
                              int copies_without_link) {
    WorkRun run = run_of(trip, strategy, host, work, copies_without_link);
    run.check = [=, &host] {
      PipelineReport report;
      RunAmount amount = trip->check(
          host, [&] { report = work(); }, copies_without_link);
      for (const auto& [stage, seconds] : {std::pair{"produce", report.produce_seconds},
                                           std::pair{"upload", report.upload_seconds},
                                           std::pair{"compute", report.compute_seconds},
                                           std::pair{"download", report.download_seconds},
                                           std::pair{"consume", report.consume_seconds}}) {
        if (seconds > 0) amount.values[std::string(stage) + " at work"] = seconds / report.seconds;
      }
      return amount;
    };
    return run;
  }

  template <class Work>
  static WorkRun run_of(const Trip& trip, const std::string& strategy, Host& host, const Work& work,
                        int copies_without_link = 1) {
    return {.strategy = strategy,
            .check = [=, &host] { return trip->check(host, work, copies_without_link); },
            .run = [=] { return seconds_of(work); },
            .is_streamed = true};
  }

  static WorkRun both_ways(const Trip& trip) {
    const std::shared_ptr<Queue> up = trip->device_->make_queue();
    const std::shared_ptr<Queue> down = trip->device_->make_queue();
    const auto work = [=] {
      copy(*up, trip->there_.from.span(), trip->pinned_.from.span());
      copy(*down, trip->pinned_.to.span(), trip->there_.to.span());
      up->wait();
      down->wait();
    };
    // The second run downloads what the first one uploaded.
    const auto twice = [=] {
      work();
      copy(*up, trip->there_.to.span(), trip->there_.from.span());
      up->wait();
      work();
    };
    WorkRun run = run_of(trip, kBothWays, trip->pinned_, work, 2);
    run.check = [=] { return trip->check(trip->pinned_, twice, 2); };
    run.peer = kCopy;
    return run;
  }

  static WorkRun in_turn(const Trip& trip) {
    const std::shared_ptr<Queue> queue = trip->device_->make_queue();
    const auto work = [=] {
      copy(*queue, trip->there_.from.span(), trip->pinned_.from.span());
      copy(*queue, trip->there_.to.span(), trip->there_.from.span());
      copy(*queue, trip->pinned_.to.span(), trip->there_.to.span());
      queue->wait();
    };
    WorkRun run = run_of(trip, kInTurn, trip->pinned_, work, 3);
    run.peer = kCopy;
    return run;
  }

  static PipelineOptions options(std::size_t chunk, int depth, bool has_host_memory) {
    return {.input_bytes = chunk,
            .output_bytes = chunk,
            .depth = depth,
            .has_host_input = has_host_memory,
            .has_host_output = has_host_memory};
  }

  static void echo(Queue& queue, const PipelineChunk& chunk) {
    queue.copy(chunk.output.data(), chunk.input.data(), chunk.input.size());
    chunk.result->bytes = chunk.input.size();
  }

  std::optional<PipelineInput> next(Host& host, std::size_t begin, std::size_t chunk) const {
    if (begin >= bytes_) return std::nullopt;
    const std::size_t size = std::min(chunk, bytes_ - begin);
    return PipelineInput{.data = {host.from.data() + begin, size},
                         .output = {host.to.data() + begin, size}};
  }

  // Straight from and to the memory, by the queues' own copies.
  static WorkRun in_place(const Trip& trip, const std::string& strategy, Host& host,
                          std::size_t chunks, int depth) {
    const std::size_t chunk = trip->bytes_ / chunks;
    const auto pipeline =
        std::make_shared<Pipeline>(trip->device_, options(chunk, depth, /*has_host_memory=*/false));
    const auto produce = [trip = trip.get(), &host, chunk](const PipelineInputMemory& slot) {
      return trip->next(host, slot.index * chunk, chunk);
    };
    return pipeline_run(
        trip, strategy, host,
        [=] { return pipeline->run({.produce = produce, .compute = &RoundTrip::echo}); }, 1);
  }

  // Through the pipeline's pinned memory, which stages of the host fill and empty.
  static WorkRun by_stages(const Trip& trip) {
    const std::size_t chunk = trip->bytes_ / kPageableChunks;
    const auto pipeline = std::make_shared<Pipeline>(
        trip->device_, options(chunk, kPageableDepth, /*has_host_memory=*/true));
    Host& host = trip->pageable_;
    const auto produce = [trip = trip.get(), &host, chunk](const PipelineInputMemory& slot) {
      auto input = trip->next(host, slot.index * chunk, chunk);
      if (!input) return input;
      copy_host_memory(slot.input.data(), input->data.data(), input->data.size());
      *input = {.data = slot.input.first(input->data.size())};
      return input;
    };
    const auto consume = [&host, chunk](const PipelineOutput& output) {
      copy_host_memory(host.to.data() + output.index * chunk, output.data.data(),
                       output.data.size());
    };
    const auto work = [=] {
      return pipeline->run({.produce = produce, .compute = &RoundTrip::echo, .consume = consume});
    };
    return pipeline_run(trip, kByStages, host, work, 3);
  }

  const std::shared_ptr<Device> device_;
  const std::size_t bytes_;
  Host pinned_;
  Host pageable_;
  Host there_;
};

Workload round_trips() {
  constexpr std::uint64_t kMiB = 1 << 20;
  Workload workload;
  workload.name = "micro-pipeline";
  workload.what = "SIZE bytes through a pipeline and back, copied on the device";
  workload.item_name = "bytes";
  workload.strategies = {kBothWays, kInTurn};
  for (const std::size_t chunks : kChunks) {
    for (const int depth : kDepths) workload.strategies.push_back(pinned_name(chunks, depth));
  }
  workload.strategies.insert(workload.strategies.end(), {kByQueues, kByStages});
  workload.sizes =
      SizeChoice{.cpu = {256 * kMiB}, .gpu = {1024 * kMiB}, .quick = 64 * kMiB, .simulated = kMiB};
  workload.size_rule = "is a multiple of 65536 up to 17179869184";
  workload.is_size = [](std::uint64_t size) {
    return size % 65536 == 0 && size <= std::uint64_t{1} << 34;
  };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    return RoundTrip::prepare(std::make_shared<RoundTrip>(device, size));
  };
  return workload;
}

constexpr char kAll[] = "all";
constexpr char kNone[] = "none";

// Chunks that are next to nothing, through a pipeline of pinned memory.
class SmallChunks {
 public:
  explicit SmallChunks(const std::shared_ptr<Device>& device)
      : pipeline_(device, {.input_bytes = kBytes, .output_bytes = kBytes}) {}

  // Returns the number of chunks that were consumed.
  std::uint64_t run(std::uint64_t chunks) {
    std::atomic<std::uint64_t> consumed{0};
    pipeline_.run(
        {.produce = [chunks](const PipelineInputMemory& slot) -> std::optional<PipelineInput> {
           if (slot.index == chunks) return std::nullopt;
           return PipelineInput{.data = slot.input};
         },
         .compute = [](Queue&, const PipelineChunk& chunk) { chunk.result->bytes = kBytes; },
         .consume = [&](const PipelineOutput&) { ++consumed; }});
    return consumed;
  }

 private:
  static constexpr std::size_t kBytes = 64;

  Pipeline pipeline_;
};

WorkRun chunks_run(const std::shared_ptr<SmallChunks>& pipeline, const char* strategy,
                   std::uint64_t chunks) {
  return {.strategy = strategy,
          .check =
              [=] {
                if (pipeline->run(chunks) == chunks) return RunAmount{static_cast<double>(chunks)};
                throw Error(ErrorCode::kInternal, "some chunks were not consumed");
              },
          .run = [=] { return seconds_of([&] { pipeline->run(chunks); }); },
          .is_streamed = true};
}

Workload small_chunks() {
  Workload workload;
  workload.name = "micro-chunk";
  workload.what = "SIZE chunks of 64 bytes through a pipeline, and a run without chunks";
  workload.item_name = "chunks";
  workload.strategies = {kAll, kNone};
  workload.sizes = SizeChoice{.cpu = {2000}, .gpu = {2000}, .quick = 500, .simulated = 50};
  workload.size_rule = "is at most 10000000";
  workload.is_size = [](std::uint64_t size) { return size <= 10'000'000; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    const auto pipeline = std::make_shared<SmallChunks>(device);
    return PreparedWork{"", {chunks_run(pipeline, kAll, size), chunks_run(pipeline, kNone, 0)}};
  };
  return workload;
}

}  // namespace

std::vector<Workload> pipeline_workloads() { return {round_trips(), small_chunks()}; }

}  // namespace millrace::tools
