// SPDX-License-Identifier: Apache-2.0

// DeviceSortSteps on GPUs.
#include <millrace/algorithms/radix_sort/gpu/library_sort_gpu.h>
#include <millrace/algorithms/radix_sort/gpu/sort_launch_gpu.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using radix_sort::DeviceSortSteps;
using radix_sort::EarlyOutputs;
using radix_sort::GatherStep;
using radix_sort::KeyBits;
using radix_sort::MapStep;
using radix_sort::MergeStep;
using radix_sort::PartitionStep;
using radix_sort::PositionStep;
using radix_sort::Records;
using radix_sort::RecordSize;
using radix_sort::SortStep;
using radix_sort::SortStepsOp;
using radix_sort::TileGatherStep;

// Returns work.template operator()<Bits, Value>() for the types of that size.
template <class Work>
auto with_types(RecordSize size, const Work& work) {
  const auto with_key = [&]<class Bits>() {
    switch (size.value) {
      case 4: return work.template operator()<Bits, std::uint32_t>();
      case 8: return work.template operator()<Bits, std::uint64_t>();
      default: return work.template operator()<Bits, NoValue>();
    }
  };
  return size.key == 4 ? with_key.template operator()<std::uint32_t>()
                       : with_key.template operator()<std::uint64_t>();
}

// Calls work.template operator()<T>() for the unsigned integer T of 4 or 8 bytes.
template <class Work>
void with_word(std::size_t bytes, const Work& work) {
  if (bytes == 4) {
    work.template operator()<std::uint32_t>();
  } else {
    work.template operator()<std::uint64_t>();
  }
}

template <class Bits, class Value>
TypedRecords<Bits, Value> typed(const Records& records) {
  return {static_cast<Bits*>(records.keys), static_cast<Value*>(records.values)};
}

// Times the stages of a stream's work by the device's own clock.
class StageClock {
 public:
  StageClock() {
    for (StreamEvent& event : events_) event = create_event();
  }
  ~StageClock() {
    for (const StreamEvent event : events_) destroy_event(event);
  }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

  void begin_stage(int stage, Stream stream) { record(events_[stage], stream); }
  double seconds(int stage) const { return seconds_between(events_[stage], events_[stage + 1]); }
  void wait() const { synchronize(events_[kStages]); }

  static constexpr int kStages = 3;

 private:
  StreamEvent events_[kStages + 1];
};

template <class Bits, class Value>
void run_pass(GpuQueue& queue, const PartitionStep& step) {
  const PassLaunch<Bits, Value> kernels(queue, step.pass, step.in.count,
                                        static_cast<std::uint32_t*>(step.scratch));
  kernels.reduce(static_cast<const Bits*>(step.in.records.keys));
  kernels.scan(step.starts);
  kernels.scatter(typed<const Bits, const Value>(step.in.records), typed<Bits, Value>(step.out));
}

template <class Bits, class Value>
PassTimes run_timed_pass(GpuQueue& queue, const PartitionStep& step) {
  const PassLaunch<Bits, Value> kernels(queue, step.pass, step.in.count,
                                        static_cast<std::uint32_t*>(step.scratch));
  StageClock clock;
  clock.begin_stage(0, queue.stream());
  kernels.reduce(static_cast<const Bits*>(step.in.records.keys));
  clock.begin_stage(1, queue.stream());
  kernels.scan(step.starts);
  clock.begin_stage(2, queue.stream());
  kernels.scatter(typed<const Bits, const Value>(step.in.records), typed<Bits, Value>(step.out));
  clock.begin_stage(3, queue.stream());
  clock.wait();
  return {.reduction = clock.seconds(0), .scan = clock.seconds(1), .scatter = clock.seconds(2)};
}

class GpuSortSteps final : public DeviceSortSteps {
 public:
  std::size_t scratch_bytes(Queue& queue, RecordSize size, std::size_t count) const override {
    auto& own = static_cast<GpuQueue&>(queue);
    return own.gpu_device().with([&] {
      return with_types(size, [&]<class Bits, class Value>() {
        std::size_t bytes = 0;
        library_sort<Bits, Value>(own, nullptr, bytes,
                                  {.count = count, .key_bits = size.key_bits()});
        return std::max(bytes, merge_scratch_bytes(own, count));
      });
    });
  }

  std::size_t partition_scratch_bytes(Queue& queue) const override {
    return sizeof(std::uint32_t) * most_counts(static_cast<GpuQueue&>(queue), 8);
  }

  void sort(Queue& queue, const SortStep& step) const override {
    enqueue(queue, "sort", [step](GpuQueue& own) {
      if (step.in.count == 0) return;
      with_types(step.size, [&]<class Bits, class Value>() {
        const LibrarySort<Bits, Value> sort = {
            .in = typed<const Bits, const Value>(step.in.records),
            .out = typed<Bits, Value>(step.out),
            .count = step.in.count,
            .first_bit = step.first_bit,
            .key_bits = step.key_bits};
        std::size_t bytes = 0;
        library_sort(own, nullptr, bytes, sort);
        library_sort(own, step.scratch, bytes, sort);
      });
    });
  }

  void merge(Queue& queue, const MergeStep& step) const override {
    enqueue(queue, "merge", [step](GpuQueue& own) {
      with_types(step.size, [&]<class Bits, class Value>() {
        const auto from_a = typed<const Bits, const Value>(step.a.records);
        const auto from_b = typed<const Bits, const Value>(step.b.records);
        const Runs<Bits, Value> runs{from_a.keys, from_a.values, step.a.count,
                                     from_b.keys, from_b.values, step.b.count};
        launch_merge(own, runs, step.first, step.count, typed<Bits, Value>(step.out), step.scratch);
      });
    });
  }

  void map_keys(Queue& queue, const MapStep& step) const override {
    enqueue(queue, "map keys", [step](GpuQueue& own) {
      const std::size_t bytes = radix_sort::key_bytes(step.type);
      if (bytes == 1) return map_narrow<std::uint8_t>(own, step);
      if (bytes == 2) return map_narrow<std::uint16_t>(own, step);
      with_word(bytes, [&]<class Bits>() {
        launch_over(own, &map_bits<Bits>, step.count, KeyBits<Bits>::of(step.type, step.order),
                    step.to_ordered, static_cast<const Bits*>(step.from),
                    static_cast<Bits*>(step.to), step.count);
      });
    });
  }

  void number(Queue& queue, std::size_t index_bytes, void* indices, std::size_t first,
              std::size_t count) const override {
    enqueue(queue, "number", [=](GpuQueue& own) {
      with_word(index_bytes, [&]<class Index>() {
        launch_over(own, &write_indices<Index>, count, static_cast<Index*>(indices), first, count);
      });
    });
  }

  void gather(Queue& queue, const GatherStep& step) const override {
    enqueue(queue, "gather", [step](GpuQueue& own) {
      with_word(step.value_bytes, [&]<class Value>() {
        launch_over(own, &gather_values<Value>, step.count, static_cast<const Value*>(step.values),
                    step.indices, static_cast<Value*>(step.out), step.count);
      });
    });
  }

  void gather_within(Queue& queue, const GatherStep& step, std::size_t first,
                     std::size_t end) const override {
    enqueue(queue, "gather within", [=](GpuQueue& own) {
      with_word(step.value_bytes, [&]<class Value>() {
        launch_over(own, &gather_values_within<Value>, step.count,
                    static_cast<const Value*>(step.values), step.indices, first, end,
                    static_cast<Value*>(step.out), step.count);
      });
    });
  }

  void mark_early(Queue& queue, const EarlyOutputs& outputs) const override {
    enqueue(queue, "mark early", [outputs](GpuQueue& own) {
      const std::size_t tiles = (outputs.count + kSplitTile - 1) / kSplitTile;
      launch_over(own, &mark_indices, tiles * warp_width_of(own), outputs.indices, outputs.count,
                  outputs.limit, outputs.mask, outputs.tile_starts);
      launch_scan(own, outputs.tile_starts, tiles, 1, nullptr);
    });
  }

  void gather_tiles(Queue& queue, const TileGatherStep& step) const override {
    enqueue(queue, "gather tiles", [step](GpuQueue& own) {
      with_word(step.value_bytes, [&]<class Value>() {
        const TileGather<Value> gather = {.values = static_cast<const Value*>(step.values),
                                          .indices = step.outputs.indices,
                                          .count = step.outputs.count,
                                          .limit = step.outputs.limit,
                                          .tile_starts = step.outputs.tile_starts,
                                          .early = step.early,
                                          .first_tile = step.first_tile,
                                          .end_tile = step.end_tile,
                                          .out = static_cast<Value*>(step.out)};
        launch_over(own, &gather_in_tiles<Value>,
                    (step.end_tile - step.first_tile) * warp_width_of(own), gather);
      });
    });
  }

  void find_positions(Queue& queue, const PositionStep& step) const override {
    enqueue(queue, "find positions", [step](GpuQueue& own) {
      with_word(step.key_bytes, [&]<class Bits>() {
        launch_over(own, &find_key_positions<Bits>, step.limit_count,
                    static_cast<const Bits*>(step.keys), step.count, step.limits, step.limit_count,
                    step.positions);
      });
    });
  }

  void partition(Queue& queue, const PartitionStep& step) const override {
    const auto run = [step](GpuQueue& own) {
      with_types(step.size, [&]<class Bits, class Value>() {
        if (step.times == nullptr) {
          run_pass<Bits, Value>(own, step);
        } else {
          *step.times += run_timed_pass<Bits, Value>(own, step);
        }
      });
    };
    enqueue(queue, "partition", run,
            step.times == nullptr ? GpuQueue::Start::kInline : GpuQueue::Start::kNow);
  }

 private:
  template <class Bits>
  static void map_narrow(const GpuQueue& own, const MapStep& step) {
    const auto map = KeyBits<Bits>::of(step.type, step.order);
    if (step.to_ordered) {
      launch_over(own, &widen_bits<Bits>, step.count, map, static_cast<const Bits*>(step.from),
                  static_cast<std::uint32_t*>(step.to), step.count);
    } else {
      launch_over(own, &narrow_bits<Bits>, step.count, map,
                  static_cast<const std::uint32_t*>(step.from), static_cast<Bits*>(step.to),
                  step.count);
    }
  }

  template <class Work>
  static void enqueue(Queue& queue, const char* name, Work work,
                      GpuQueue::Start start = GpuQueue::Start::kInline) {
    auto& own = static_cast<GpuQueue&>(queue);
    own.enqueue([&own, work = std::move(work)] { work(own); }, start, name);
  }

  static std::size_t warp_width_of(const GpuQueue& queue) {
    return queue.gpu_device().properties().warp_width;
  }
};

const DeviceSortSteps& sort_steps() {
  static const GpuSortSteps kSteps;
  return kSteps;
}

const RegisterOp<SortStepsOp> registered(kBackend, &sort_steps);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
