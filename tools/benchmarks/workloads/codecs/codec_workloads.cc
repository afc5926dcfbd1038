// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/stream/codec_choice.h>
#include <millrace/tools/benchmarks/harness/copy_probe.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/codecs/codec_at_work.h>
#include <millrace/tools/benchmarks/workloads/codecs/codec_chunk.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/device_workloads.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

constexpr char kEncode[] = "encode";
constexpr char kDecode[] = "decode";
constexpr char kHostEncode[] = "encode on the host";
constexpr char kHostDecode[] = "decode on the host";
constexpr char kCopy[] = "Queue::copy";

constexpr int kRuns = 3;  // Runs of which a rate is the best.

// Returns a device of the host that runs CPU code, or null if none is linked.
std::shared_ptr<Device> open_host() {
  for (const DeviceInfo& info : list_devices()) {
    if (info.shares_host_memory && !info.is_simulated) return open_device(info.name);
  }
  return nullptr;
}

// A link's rates in bytes per second.
struct LinkRates {
  double up = 0;
  double down = 0;
};

LinkRates measure_link(const std::shared_ptr<Device>& device, std::size_t bytes) {
  const auto queue = device->make_queue();
  const auto host = CopyProbe::make_memory(*queue, MemorySpace::kPinned, bytes);
  const auto there = CopyProbe::make_memory(*queue, MemorySpace::kDevice, bytes);
  const auto rate = [](const CopyProbe& probe) {
    return probe.bytes() / probe.best_seconds(kRuns);
  };
  return {rate(CopyProbe(*queue, host, there, bytes)), rate(CopyProbe(*queue, there, host, bytes))};
}

// Returns the bytes per second of items by the fastest of several runs.
template <class Work>
double rate_of(const CodecChunk& chunk, const Work& work) {
  return static_cast<double>(chunk.bytes()) / best_seconds(work, kRuns);
}

// A chunk on a device and, where that has memory of its own, on the host.
class CodecRuns {
 public:
  CodecRuns(std::shared_ptr<Device> device, const std::string& input, std::size_t integers)
      : device_(std::move(device)),
        chunk_(chunk_called(input, integers)),
        items_(device_, MemorySpace::kHost, chunk_.bytes()) {
    chunk_.fill(items_.data());
    there_ = std::make_unique<CodecAtWork>(device_, *chunk_.codec, chunk_.count, items_.data());
    const std::shared_ptr<Device> host = has_link() ? open_host() : nullptr;
    if (!host) return;
    here_ = std::make_unique<CodecAtWork>(host, *chunk_.codec, chunk_.count, items_.data());
  }

  static PreparedWork prepare(const std::shared_ptr<CodecRuns>& all) {
    PreparedWork prepared{
        InputHash().add(std::span<const std::byte>(all->items_.data(), all->items_.size())).text(),
        {}};
    const auto add = [&](const char* strategy, CodecAtWork& work, void (CodecAtWork::*run)()) {
      prepared.runs.push_back(
          {.strategy = strategy,
           .check = [all, &work, strategy] { return all->check(work, strategy); },
           .run = [&work, run] { return seconds_of([&] { (work.*run)(); }); }});
    };
    add(kEncode, *all->there_, &CodecAtWork::encode);
    add(kDecode, *all->there_, &CodecAtWork::decode);
    if (all->here_) {
      add(kHostEncode, *all->here_, &CodecAtWork::encode);
      add(kHostDecode, *all->here_, &CodecAtWork::decode);
    }
    prepared.runs.push_back({.peer = kCopy,
                             .check = [all] { return all->check_copy(); },
                             .run = [all] { return seconds_of([&] { all->there_->copy(); }); }});
    return prepared;
  }

 private:
  // The codecs that a chunk needs live as long as these runs.
  CodecChunk chunk_called(const std::string& input, std::size_t integers) {
    const std::vector<CodecChunk> chunks = codec_chunks(integers, codecs_);
    return *std::ranges::find(chunks, input, &CodecChunk::name);
  }

  bool has_link() const { return !device_->info().shares_host_memory; }

  RunAmount check(CodecAtWork& work, const std::string& strategy) {
    work.encode();
    work.check(items_.data());
    require_same_bytes();
    const auto coded = static_cast<double>(work.coded_bytes());
    const double bytes = static_cast<double>(chunk_.bytes()) + coded;
    const bool is_there = &work == there_.get();
    RunAmount amount{chunk_.integers, bytes, is_there ? copy_limit_of(bytes) : ""};
    amount.values["bits per item"] = 8 * coded / chunk_.integers;
    if (here_ && is_there) add_choice(strategy == kDecode, amount);
    return amount;
  }

  RunAmount check_copy() {
    there_->copy();
    const double bytes = 2 * static_cast<double>(chunk_.bytes());
    return {chunk_.integers, bytes, copy_limit_of(bytes)};
  }

  void require_same_bytes() {
    if (!here_ || there_->coded() == here_->coded()) return;
    throw Error(ErrorCode::kInternal, std::string(chunk_.codec->name()) + " gives other bytes on " +
                                          device_->info().name + " than on the CPU");
  }

  // The host encodes what is uploaded, and the device what is downloaded.
  void add_choice(bool is_up, RunAmount& amount) {
    if (!link_) link_ = measure_link(device_, chunk_.bytes());
    CodecAtWork& encoder = is_up ? *here_ : *there_;
    CodecAtWork& decoder = is_up ? *there_ : *here_;
    const double ratio =
        static_cast<double>(encoder.coded_bytes()) / static_cast<double>(chunk_.bytes());
    const CodecChoice choice = choose_codec({.link = is_up ? link_->up : link_->down,
                                             .encode = rate_of(chunk_, [&] { encoder.encode(); }),
                                             .decode = rate_of(chunk_, [&] { decoder.decode(); }),
                                             .ratio = ratio},
                                            chunk_.bytes());
    amount.values[is_up ? "coded to raw, up" : "coded to raw, down"] =
        choice.coded_seconds / choice.raw_seconds;
  }

  const std::shared_ptr<Device> device_;
  std::vector<std::unique_ptr<const Codec>> codecs_;
  const CodecChunk chunk_;
  Buffer<std::byte> items_;
  std::unique_ptr<CodecAtWork> there_;
  std::unique_ptr<CodecAtWork> here_;  // Null on a device that shares the host's memory.
  std::optional<LinkRates> link_;
};

Workload codec_workload(const std::string& name, const std::string& what,
                        const std::vector<std::string>& inputs) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "integers";
  workload.inputs = inputs;
  workload.strategies = {kEncode, kDecode, kHostEncode, kHostDecode};
  workload.sizes = SizeChoice{.cpu = {10'000'000, 100'000'000},
                              .gpu = {10'000'000, 100'000'000},
                              .quick = 1'000'000,
                              .simulated = 20'000};
  workload.size_rule = "is 256 to 1000000000";
  workload.is_size = [](std::uint64_t size) { return size >= 256 && size <= 1'000'000'000; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string& input,
                        std::uint64_t size) {
    return CodecRuns::prepare(std::make_shared<CodecRuns>(device, input, size));
  };
  return workload;
}

}  // namespace

std::vector<Workload> codec_workloads() {
  return {codec_workload("codecs-delta", "sorted integers as narrow steps",
                         {"sorted-u32", "sorted-u64"}),
          codec_workload("codecs-bounded", "indices below their number in the least number of bits",
                         {"indices"}),
          codec_workload("codecs-sparse", "blocks of coefficients without their zeros",
                         {"coefficients"})};
}

}  // namespace millrace::tools
