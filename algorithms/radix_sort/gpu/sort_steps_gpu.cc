// SPDX-License-Identifier: Apache-2.0

// SortSteps on GPUs.
#include <millrace/algorithms/radix_sort/gpu/library_sort_gpu.h>
#include <millrace/algorithms/radix_sort/gpu/sort_launch_gpu.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/op_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using radix_sort::KeyBits;
using radix_sort::KeyLimit;
using radix_sort::KeyType;
using radix_sort::Records;
using radix_sort::RecordSize;
using radix_sort::SortOrder;
using radix_sort::SortSteps;
using radix_sort::SortStepsOp;

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

// The same for values or indices of 4 or 8 bytes.
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

// The parts of a stream's work as the device's own clock has them.
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
void run_pass(GpuQueue& queue, DigitPass pass, const Records& in, const Records& out,
              std::size_t count, std::uint32_t* counts, std::uint32_t* starts) {
  const PassLaunch<Bits, Value> kernels(queue, pass, count, counts);
  kernels.reduce(static_cast<const Bits*>(in.keys));
  kernels.scan(starts);
  kernels.scatter(typed<const Bits, const Value>(in), typed<Bits, Value>(out));
}

template <class Bits, class Value>
PassTimes run_timed_pass(GpuQueue& queue, DigitPass pass, const Records& in, const Records& out,
                         std::size_t count, std::uint32_t* counts, std::uint32_t* starts) {
  const PassLaunch<Bits, Value> kernels(queue, pass, count, counts);
  StageClock clock;
  clock.begin_stage(0, queue.stream());
  kernels.reduce(static_cast<const Bits*>(in.keys));
  clock.begin_stage(1, queue.stream());
  kernels.scan(starts);
  clock.begin_stage(2, queue.stream());
  kernels.scatter(typed<const Bits, const Value>(in), typed<Bits, Value>(out));
  clock.begin_stage(3, queue.stream());
  clock.wait();
  return {.reduction = clock.seconds(0), .scan = clock.seconds(1), .scatter = clock.seconds(2)};
}

class GpuSortSteps final : public SortSteps {
 public:
  std::size_t scratch_bytes(Queue& queue, RecordSize size, std::size_t count) const override {
    auto& own = static_cast<GpuQueue&>(queue);
    return own.gpu_device().with([&] {
      return with_types(size, [&]<class Bits, class Value>() {
        std::size_t bytes = 0;
        library_sort<Bits, Value>(own, nullptr, bytes, {}, {}, count, size.key_bits());
        return std::max(bytes, merge_scratch_bytes(own, count));
      });
    });
  }

  void sort(Queue& queue, RecordSize size, int key_bits, Records in, Records out, std::size_t count,
            void* scratch) const override {
    enqueue(queue, "sort", [=](GpuQueue& own) {
      if (count == 0) return;
      with_types(size, [&]<class Bits, class Value>() {
        const auto from = typed<const Bits, const Value>(in);
        const auto to = typed<Bits, Value>(out);
        std::size_t bytes = 0;
        library_sort<Bits, Value>(own, nullptr, bytes, from, to, count, key_bits);
        library_sort<Bits, Value>(own, scratch, bytes, from, to, count, key_bits);
      });
    });
  }

  void merge(Queue& queue, RecordSize size, Records a, std::size_t a_count, Records b,
             std::size_t b_count, Records out, std::size_t first, std::size_t count,
             void* scratch) const override {
    enqueue(queue, "merge", [=](GpuQueue& own) {
      with_types(size, [&]<class Bits, class Value>() {
        const auto from_a = typed<const Bits, const Value>(a);
        const auto from_b = typed<const Bits, const Value>(b);
        const Runs<Bits, Value> runs{from_a.keys, from_a.values, a_count,
                                     from_b.keys, from_b.values, b_count};
        launch_merge(own, runs, first, count, typed<Bits, Value>(out), scratch);
      });
    });
  }

  void map_keys(Queue& queue, KeyType type, SortOrder order, bool to_ordered, const void* from,
                void* to, std::size_t count) const override {
    enqueue(queue, "map keys", [=](GpuQueue& own) {
      with_word(radix_sort::key_bytes(type), [&]<class Bits>() {
        launch_over(own, &map_bits<Bits>, count, KeyBits<Bits>::of(type, order), to_ordered,
                    static_cast<const Bits*>(from), static_cast<Bits*>(to), count);
      });
    });
  }

  void number(Queue& queue, std::size_t index_bytes, void* indices, std::size_t first,
              std::size_t count) const override {
    enqueue(queue, "number", [=](GpuQueue& own) {
      with_word(index_bytes, [&]<class Index>() {
        launch_over(own, &number_places<Index>, count, static_cast<Index*>(indices), first, count);
      });
    });
  }

  void gather(Queue& queue, std::size_t value_bytes, const void* values,
              const std::uint32_t* indices, void* out, std::size_t count) const override {
    enqueue(queue, "gather", [=](GpuQueue& own) {
      with_word(value_bytes, [&]<class Value>() {
        launch_over(own, &gather_values<Value>, count, static_cast<const Value*>(values), indices,
                    static_cast<Value*>(out), count);
      });
    });
  }

  void gather_within(Queue& queue, std::size_t value_bytes, const void* values,
                     const std::uint32_t* indices, std::size_t first, std::size_t end, void* out,
                     std::size_t count) const override {
    enqueue(queue, "gather within", [=](GpuQueue& own) {
      with_word(value_bytes, [&]<class Value>() {
        launch_over(own, &gather_values_within<Value>, count, static_cast<const Value*>(values),
                    indices, first, end, static_cast<Value*>(out), count);
      });
    });
  }

  void mark_early(Queue& queue, const std::uint32_t* indices, std::size_t count,
                  std::uint32_t limit, std::uint32_t* mask,
                  std::uint32_t* tile_starts) const override {
    enqueue(queue, "mark early", [=](GpuQueue& own) {
      const std::size_t tiles = (count + kSplitTile - 1) / kSplitTile;
      launch_over(own, &mark_indices, tiles * warp_width_of(own), indices, count, limit, mask,
                  tile_starts);
      launch_scan(own, tile_starts, tiles, 1, nullptr);
    });
  }

  void gather_part(Queue& queue, std::size_t value_bytes, const void* values,
                   const std::uint32_t* indices, std::size_t count, std::uint32_t limit,
                   const std::uint32_t* tile_starts, bool early, std::size_t first_tile,
                   std::size_t end_tile, void* out) const override {
    enqueue(queue, "gather part", [=](GpuQueue& own) {
      with_word(value_bytes, [&]<class Value>() {
        launch_over(own, &gather_tiles<Value>, (end_tile - first_tile) * warp_width_of(own),
                    static_cast<const Value*>(values), indices, count, limit, tile_starts, early,
                    first_tile, end_tile, static_cast<Value*>(out));
      });
    });
  }

  void find_places(Queue& queue, std::size_t key_bytes, const void* keys, std::size_t count,
                   const KeyLimit* limits, std::size_t limit_count,
                   std::uint64_t* places) const override {
    enqueue(queue, "find places", [=](GpuQueue& own) {
      with_word(key_bytes, [&]<class Bits>() {
        launch_over(own, &find_key_places<Bits>, limit_count, static_cast<const Bits*>(keys), count,
                    limits, limit_count, places);
      });
    });
  }

  std::size_t partition_scratch_bytes(Queue& queue) const override {
    return sizeof(std::uint32_t) * most_counts(static_cast<GpuQueue&>(queue), 8);
  }

  void partition(Queue& queue, RecordSize size, DigitPass pass, Records in, Records out,
                 std::size_t count, void* scratch, std::uint32_t* starts,
                 PassTimes* times) const override {
    const auto run = [=](GpuQueue& own) {
      auto* const counts = static_cast<std::uint32_t*>(scratch);
      with_types(size, [&]<class Bits, class Value>() {
        if (times == nullptr) {
          run_pass<Bits, Value>(own, pass, in, out, count, counts, starts);
        } else {
          *times += run_timed_pass<Bits, Value>(own, pass, in, out, count, counts, starts);
        }
      });
    };
    enqueue(queue, "partition", run,
            times == nullptr ? GpuQueue::Start::kInline : GpuQueue::Start::kNow);
  }

 private:
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

const SortSteps& sort_steps() {
  static const GpuSortSteps kSteps;
  return kSteps;
}

const RegisterOp<SortStepsOp> registered(kBackend, &sort_steps);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
