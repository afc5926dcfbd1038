// SPDX-License-Identifier: Apache-2.0

// Plans the offsets of records, in the order of their corners, from their lengths: on the device,
// so that only several words of it are transferred.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_PLAN_GPU_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_PLAN_GPU_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/warp_scan.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Values instead of a record's length: there is no record, or a task does not have the memory for
// it.
inline constexpr std::uint32_t kNoRecord = 0;
inline constexpr std::uint32_t kLargeRecord = ~std::uint32_t{0};

// Every record is shorter.
inline constexpr std::size_t kMostRecordBytes = std::size_t{1} << 16;

// The beginning of some records among all.
struct RecordStart {
  std::uint64_t bytes = 0;    // Bytes of the records before.
  std::uint32_t records = 0;  // Records before.
  std::uint32_t corner = 0;   // The first corner that may have a record here.
};

// Position of a corner's record.
struct RecordPosition {
  std::uint64_t begin;   // Bytes of all records before it.
  std::uint32_t index;   // Records before it.
  std::uint32_t length;  // Bytes, kNoRecord or kLargeRecord; measured first.

  MILLRACE_FUNCTION bool has_record() const {
    return length != kNoRecord && length != kLargeRecord;
  }
};

// The records of adjacent corners: their number and bytes, in one word for one atomic.
struct RecordTile {
  static constexpr std::uint32_t kCorners = 512;

  std::uint64_t word;

  MILLRACE_FUNCTION static constexpr std::uint64_t word_of(std::uint32_t length) {
    return std::uint64_t{1} << kBits | length;
  }
  MILLRACE_FUNCTION std::uint32_t records() const {
    return static_cast<std::uint32_t>(word >> kBits);
  }
  MILLRACE_FUNCTION std::uint64_t bytes() const { return word & ((std::uint64_t{1} << kBits) - 1); }
  static constexpr std::size_t count(std::uint32_t corners) {
    return (std::size_t{corners} + kCorners - 1) / kCorners;
  }

 private:
  static constexpr int kBits = 40;
};

// Totals of the measured records.
struct RecordTotals {
  std::uint64_t pairs = 0;
  std::uint32_t large = 0;  // Corners with a kLargeRecord.
};

// The plan for the host, in pinned memory; the starts of ranges of `range_bytes`, or slightly more,
// follow.
struct RecordPlan {
  RecordTotals totals;
  RecordStart end;

  // Returns the most starts there can be if ranges are longer than any record.
  static std::size_t most_starts(std::uint32_t corners, std::size_t range_bytes) {
    return std::size_t{corners} * kMostRecordBytes / range_bytes + 1;
  }
};

// A warp has several adjacent tiles; it sums the tiles before the first, which takes time
// proportional to their number.
struct PlanRecords {
  static constexpr int kMaxThreads = 128;
  static constexpr int kTargetBlocks = 4;

  std::uint32_t corners;
  std::uint64_t range_bytes;
  const RecordTotals* totals;
  const RecordTile* tiles;
  RecordPosition* positions;
  RecordPlan* plan;
  RecordStart* starts;

  MILLRACE_FUNCTION void operator()() const {
    const std::uint32_t warps_of_block = block_threads() / warp_width();
    const std::uint32_t warps = grid_blocks() * warps_of_block;
    const std::uint32_t tile_count = (corners - 1) / RecordTile::kCorners + 1;
    const std::uint32_t own = (tile_count - 1) / warps + 1;
    const std::uint32_t warp = block_index() * warps_of_block + thread_index() / warp_width();
    const std::uint64_t tile = std::uint64_t{warp} * own;
    if (tile >= tile_count) return;
    RecordStart next = start_of(static_cast<std::uint32_t>(tile));
    if (tile == 0 && lane_index() == 0) {
      starts[0] = {};
      plan->totals = *totals;
    }
    const std::uint64_t end = std::uint64_t{next.corner} + own * RecordTile::kCorners;
    while (next.corner < end && next.corner < corners) next = plan_some(next);
    if (end >= corners && lane_index() == 0) plan->end = {next.bytes, next.records, corners};
  }

 private:
  MILLRACE_FUNCTION RecordStart start_of(std::uint32_t tile) const {
    std::uint64_t bytes = 0;
    std::uint32_t records = 0;
    for (std::uint32_t i = lane_index(); i < tile; i += warp_width()) {
      bytes += tiles[i].bytes();
      records += tiles[i].records();
    }
    for (int mask = 1; mask < warp_width(); mask *= 2) {
      bytes += shuffle_xor(bytes, mask);
      records += shuffle_xor(records, mask);
    }
    return {bytes, records, tile * RecordTile::kCorners};
  }

  // Sets the position of the record of a corner a lane. Returns the start behind them.
  MILLRACE_FUNCTION RecordStart plan_some(const RecordStart& start) const {
    const std::uint32_t corner = start.corner + lane_index();
    const bool has_record = corner < corners && positions[corner].has_record();
    const std::uint32_t length = has_record ? positions[corner].length : 0;
    const std::uint32_t through = inclusive_sum(length);
    const gpu::LaneMask all = ballot(has_record);
    if (has_record) {
      const std::uint32_t index = start.records + lanes_in(all & lanes_below());
      const std::uint64_t end = start.bytes + through;
      positions[corner].begin = end - length;
      positions[corner].index = index;
      // A range begins behind the record that reaches its first byte.
      const std::uint64_t range = end / range_bytes;
      if (range != (end - length) / range_bytes) starts[range] = {end, index + 1, corner + 1};
    }
    return {start.bytes + shuffle(through, warp_width() - 1), start.records + lanes_in(all),
            start.corner + warp_width()};
  }
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_GPU_RECORD_PLAN_GPU_H_
