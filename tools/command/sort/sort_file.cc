// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/common/device_portions.h>
#include <millrace/tools/command/sort/merge_runs.h>
#include <millrace/tools/command/sort/sort_file.h>
#include <millrace/tools/files/input/positioned_file.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr std::size_t kPieceRecords = std::size_t{1}
                                      << 16;     // Records that one thread reads or writes.
constexpr const char* kUse = "for sorted runs";  // Purpose of the temporary files.

// The positions whose records are in a run.
struct Extent {
  std::uint64_t first;
  std::size_t count;
};

void for_each_piece(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  HostThreads::shared().for_each((count + kPieceRecords - 1) / kPieceRecords, [&](std::size_t i) {
    const std::size_t begin = i * kPieceRecords;
    work(begin, std::min(kPieceRecords, count - begin));
  });
}

template <class Index>
void add_to_each(std::byte* indices, std::size_t count, std::uint64_t more) {
  auto* const typed = reinterpret_cast<Index*>(indices);
  for (std::size_t i = 0; i < count; ++i) typed[i] += static_cast<Index>(more);
}

// The arrays of a run, which are used for one run after another.
class RunSorter {
 public:
  RunSorter(const DeviceGroup& group, const SortInput& input, const SortFileOptions& options,
            const SortPlan& plan, SortWatch& watch, SortFileReport& report)
      : group_(group),
        input_(input),
        options_(options),
        shape_(plan.run_shape()),
        watch_(watch),
        report_(report) {
    const std::size_t most = std::min(plan.run_records(), input.count());
    const auto& device = group.device(0);
    keys_ = Buffer<std::byte>(device, MemorySpace::kHost, most * shape_.key_bytes());
    values_ = Buffer<std::byte>(device, MemorySpace::kHost, most * shape_.value_bytes);
  }

  void read(const Extent& run) {
    const TimelineScope scope("host read", "run", run.count * input_.shape().bytes());
    for_each_piece(run.count, [&](std::size_t begin, std::size_t count) {
      watch_.check();
      std::byte* const keys = key(begin);
      if (input_.shape().value_bytes == 0) return input_.read(run.first + begin, count, keys);
      std::vector<std::byte> records(count * shape_.bytes());
      input_.read(run.first + begin, count, records.data());
      split_records(shape_, records.data(), count, keys, value(begin));
    });
    advance(run);
  }

  void sort(const Extent& run, bool keeps_keys) {
    radix_sort::SortArguments arguments = {.key_type = shape_.type,
                                           .value_bytes = shape_.value_bytes,
                                           .is_argsort = options_.is_argsort,
                                           .order = options_.order,
                                           .count = run.count,
                                           .keys_in = keys_.data(),
                                           .keys_out = keeps_keys ? keys_.data() : nullptr,
                                           .values_in = values_.data(),
                                           .values_out = values_.data(),
                                           .space = MemorySpace::kHost,
                                           .codec = options_.codec,
                                           .bits = shape_.bits};
    if (options_.is_argsort) arguments.values_in = nullptr;
    report_.add(radix_sort::sort(group_, arguments, options_.policy));
    if (options_.is_argsort && run.first > 0) {
      for_each_piece(run.count, [&](std::size_t begin, std::size_t count) {
        const auto add =
            shape_.value_bytes == 4 ? &add_to_each<std::uint32_t> : &add_to_each<std::uint64_t>;
        add(value(begin), count, run.first);
      });
    }
    advance(run);
  }

  // Writes a run that is merged later.
  void write(const Extent& run, const PositionedFile& file) {
    const TimelineScope scope("host write", "run", run.count * shape_.bytes());
    for_each_piece(run.count, [&](std::size_t begin, std::size_t count) {
      watch_.check();
      std::vector<std::byte> records(count * shape_.bytes());
      join_records(shape_, key(begin), value(begin), count, records.data());
      file.write((run.first + begin) * shape_.bytes(), records.data(), records.size());
    });
    advance(run);
  }

  // Writes the whole result.
  void write(const Extent& run, std::ostream& out) {
    const TimelineScope scope("host write", "result");
    std::vector<std::byte> records(kPieceRecords * shape_.bytes());
    for (std::size_t begin = 0; begin < run.count; begin += kPieceRecords) {
      watch_.check();
      const std::size_t count = std::min(kPieceRecords, run.count - begin);
      if (options_.is_argsort && !options_.keeps_keys) {
        put(out, value(begin), count * shape_.value_bytes);
      } else {
        join_records(shape_, key(begin), value(begin), count, records.data());
        put(out, records.data(), count * shape_.bytes());
      }
    }
    advance(run);
  }

 private:
  static void put(std::ostream& out, const std::byte* data, std::size_t bytes) {
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  }

  std::byte* key(std::size_t i) { return keys_.data() + i * shape_.key_bytes(); }
  std::byte* value(std::size_t i) { return values_.data() + i * shape_.value_bytes; }

  void advance(const Extent& run) { watch_.advance(run.count * input_.shape().bytes()); }

  const DeviceGroup& group_;
  const SortInput& input_;
  const SortFileOptions& options_;
  const RecordShape shape_;
  SortWatch& watch_;
  SortFileReport& report_;
  Buffer<std::byte> keys_;
  Buffer<std::byte> values_;
};

// A file of sorted runs, one behind the other.
struct RunFile {
  PositionedFile file;
  std::vector<SortedRun> runs;
};

// Merges groups of runs, each as many as can be merged at once, to one run.
void merge_to_fewer(RunFile& sorted, const SortPlan& plan, const SortFileOptions& options,
                    const BlockSink& advance) {
  const TimelineScope scope("host merge", "to fewer runs");
  PositionedFile merged = PositionedFile::make_nameless(options.folder, kUse);
  std::vector<SortedRun> longer;
  std::uint64_t position = 0;
  for (std::span<const SortedRun> rest = sorted.runs; !rest.empty();) {
    const auto group = rest.first(std::min(rest.size(), plan.runs_at_once()));
    rest = rest.subspan(group.size());
    longer.push_back({.first_byte = position, .count = 0});
    for (const SortedRun& run : group) longer.back().count += run.count;
    merge_runs(sorted.file, group, plan.run_shape(), options.order, plan.merge_bytes(),
               [&](std::span<std::byte> block) {
                 merged.write(position, block.data(), block.size());
                 position += block.size();
                 advance(block);
               });
  }
  sorted = {std::move(merged), std::move(longer)};
}

// Moves the values of records to the beginning of the block, without the keys.
std::span<std::byte> drop_keys(const RecordShape& shape, std::span<std::byte> block) {
  const std::size_t count = block.size() / shape.bytes();
  for (std::size_t i = 0; i < count; ++i) {
    std::memmove(block.data() + i * shape.value_bytes,
                 block.data() + i * shape.bytes() + shape.key_bytes(), shape.value_bytes);
  }
  return block.first(count * shape.value_bytes);
}

void merge_all(RunFile sorted, const SortInput& input, const SortFileOptions& options,
               const SortPlan& plan, std::ostream& out, SortWatch& watch) {
  const RecordShape& shape = plan.run_shape();
  const auto advance = [&](std::span<std::byte> block) {
    watch.advance(block.size() / shape.bytes() * input.shape().bytes());
  };
  while (sorted.runs.size() > plan.runs_at_once()) merge_to_fewer(sorted, plan, options, advance);
  const TimelineScope scope("host merge", "result");
  const auto write = [&](std::span<std::byte> block) {
    const bool drops = options.is_argsort && !options.keeps_keys;
    const auto kept = drops ? drop_keys(shape, block) : block;
    out.write(reinterpret_cast<const char*>(kept.data()),
              static_cast<std::streamsize>(kept.size()));
    advance(block);
  };
  merge_runs(sorted.file, sorted.runs, shape, options.order, plan.merge_bytes(), write);
}

}  // namespace

SortPlan::SortPlan(const SortInput& input, const SortFileOptions& options)
    : run_shape_(input.shape()) {
  constexpr std::uint64_t kMostByFourBytes = std::uint64_t{1} << 32;
  if (options.is_argsort) run_shape_.value_bytes = input.count() <= kMostByFourBytes ? 4 : 8;
  // Sorting needs the same memory again.
  run_records_ = std::max<std::uint64_t>(options.memory_bytes / (2 * run_shape_.bytes()), 1);
  runs_ = (input.count() + run_records_ - 1) / run_records_;
  // The device may keep its memory of the sort. Blocks of 64 KiB are read fast enough.
  constexpr std::size_t kGoodBlockBytes = std::size_t{64} << 10;
  constexpr std::size_t kLeastRunsAtOnce = 8;
  merge_bytes_ = options.memory_bytes / 2;
  runs_at_once_ = std::max(merge_bytes_ / kGoodBlockBytes, kLeastRunsAtOnce);
}

int SortPlan::passes() const {
  int passes = 3;  // Reading, sorting and writing.
  for (std::uint64_t runs = runs_; runs > 1; ++passes) {
    runs = (runs + runs_at_once_ - 1) / runs_at_once_;
  }
  return passes;
}

void SortFileReport::add(const radix_sort::SortReport& run) {
  sort_seconds += run.seconds;
  policy = run.policy;
  codecs.insert(run.codec);
  coded_segments += run.coded_segments;
  raw_segments += run.raw_segments;
  codec_trials += run.codec_trials;
  bytes_up += run.bytes_up;
  bytes_down += run.bytes_down;
  add_portions(portions, run.portions);
}

SortFileReport sort_file(const DeviceGroup& group, const SortInput& input,
                         const SortFileOptions& options, const SortPlan& plan, std::ostream& out,
                         SortWatch& watch) {
  SortFileReport report;
  if (plan.runs() <= 1) {
    const Extent all = {0, input.count()};
    RunSorter sorter(group, input, options, plan, watch, report);
    sorter.read(all);
    sorter.sort(all, /*keeps_keys=*/!options.is_argsort || options.keeps_keys);
    sorter.write(all, out);
    return report;
  }
  RunFile sorted = {PositionedFile::make_nameless(options.folder, kUse), {}};
  {
    RunSorter sorter(group, input, options, plan, watch, report);
    for (std::uint64_t first = 0; first < input.count(); first += plan.run_records()) {
      const Extent run = {first, std::min(plan.run_records(), input.count() - first)};
      sorter.read(run);
      sorter.sort(run, /*keeps_keys=*/true);
      // A run has at most as many of the first records of all.
      const Extent wanted = {first, std::min<std::uint64_t>(run.count, options.top_records)};
      sorter.write(wanted, sorted.file);
      sorted.runs.push_back(
          {.first_byte = first * plan.run_shape().bytes(), .count = wanted.count});
    }
  }
  merge_all(std::move(sorted), input, options, plan, out, watch);
  return report;
}

}  // namespace millrace::tools
