// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/stream/interleave.h>
#include <millrace/algorithms/radix_sort/stream/value_download.h>

#include <algorithm>
#include <span>
#include <vector>

namespace millrace::radix_sort {
namespace {

// Fewer tiles are interleaved faster than a thread is woken.
constexpr std::size_t kLeastInterleaved = 32;

struct Fractions {
  double early;        // Fraction of the input's values.
  double interleaved;  // Fraction of the outputs.
};

// This many values can be downloaded after the keys, coded to a quarter or third, while the others
// are uploaded. Interleaving all outputs takes the host's memory longer than the link, on an H200's
// host 6 ms for 1e8 values (docs/experiments/when_to_stream_a_sort.md); but values that go to
// pageable memory directly take as long to be staged.
Fractions fractions_for(MemorySpace space) {
  return space == MemorySpace::kPinned ? Fractions{.early = 0.6, .interleaved = 0.5}
                                       : Fractions{.early = 0.4, .interleaved = 1};
}

std::size_t interleaved_outputs(const SortArguments& arguments) {
  const double wanted =
      fractions_for(arguments.space).interleaved * static_cast<double>(arguments.count);
  return static_cast<std::size_t>(wanted) / kSplitTile * kSplitTile;
}

std::uint32_t early_values(const SortArguments& arguments) {
  return static_cast<std::uint32_t>(fractions_for(arguments.space).early *
                                    static_cast<double>(arguments.count));
}

std::size_t mask_words(std::size_t count) { return (count + 31) / 32; }

}  // namespace

ValueDownload::ValueDownload(SortLink& link, const SortArguments& arguments, bool may_be_early,
                             std::size_t most_segments)
    : link_(link),
      arguments_(arguments),
      most_segments_(most_segments),
      interleaved_(may_be_early ? interleaved_outputs(arguments) : 0),
      early_limit_(interleaved_ > 0 ? early_values(arguments) : 0) {
  SortMemory& memory = link.memory();
  values_ = memory.take(MemorySpace::kDevice, value_bytes() * count());
  gathered_ = memory.take(MemorySpace::kDevice, value_bytes() * count());
  if (interleaved_ == 0) return;
  outputs_ = {
      .count = interleaved_,
      .limit = early_limit_,
      .mask = memory.take_array<std::uint32_t>(MemorySpace::kDevice, mask_words(interleaved_)),
      .tile_starts = memory.take_array<std::uint32_t>(MemorySpace::kDevice, tiles() + 1)};
  host_mask_ = memory.take_array<std::uint32_t>(MemorySpace::kPinned, mask_words(interleaved_));
  host_starts_ = memory.take_array<std::uint32_t>(MemorySpace::kPinned, tiles() + 1);
  host_values_ = memory.take(MemorySpace::kPinned, value_bytes() * interleaved_);
}

ValueDownload::Uploading ValueDownload::upload() {
  const auto* const from = static_cast<const std::byte*>(arguments_.values_in);
  const std::size_t early_bytes = value_bytes() * early_limit_;
  if (early_bytes > 0) {
    link_.copy_up(values_, from, early_bytes);
    early_uploaded_ = link_.record_up();
  }
  link_.copy_up(value_at(values_, early_limit_), from + early_bytes,
                value_bytes() * count() - early_bytes);
  all_uploaded_ = link_.record_up();
  return Uploading(*this);
}

void ValueDownload::prepare(const std::uint32_t* indices, bool has_early) {
  indices_ = indices;
  interleaves_ = has_early && early_limit_ > 0;
  if (!interleaves_) return;
  Queue& compute = link_.compute();
  outputs_.indices = indices;
  link_.steps().mark_early(compute, outputs_);
  link_.down_after_compute();
  link_.copy_down(host_starts_, outputs_.tile_starts, sizeof(std::uint32_t) * (tiles() + 1));
  starts_downloaded_ = link_.record_down();
  link_.copy_down(host_mask_, outputs_.mask, sizeof(std::uint32_t) * mask_words(interleaved_));
  compute.wait_for(early_uploaded_);
  link_.steps().gather_tiles(compute, gather_step(true, {0, tiles()}, gathered_));
  early_gathered_ = compute.record();
}

TileGatherStep ValueDownload::gather_step(bool early, const RecordSpan& tiles, void* out) const {
  return {.value_bytes = value_bytes(),
          .values = values_,
          .outputs = outputs_,
          .early = early,
          .first_tile = tiles.first,
          .end_tile = tiles.end(),
          .out = out};
}

void ValueDownload::send() {
  if (interleaves_) {
    link_.wait_for(starts_downloaded_);
    link_.down_after(early_gathered_);
    link_.copy_down(host_values_, gathered_, value_bytes() * early());
  }
  link_.compute().wait_for(all_uploaded_);
  if (interleaves_) send_late();
  send_in_order(interleaves_ ? interleaved_ : 0);
}

void ValueDownload::send_late() {
  for (const RecordSpan& records :
       plan_segments(interleaved_, kSplitTile, most_segments_for(interleaved_), arguments_.space)) {
    const RecordSpan tiles{records.first / kSplitTile, records.count / kSplitTile};
    link_.steps().gather_tiles(link_.compute(),
                               gather_step(false, tiles, value_at(gathered_, early())));
    link_.down_after_compute();
    const std::size_t first = early() + late_before(tiles.first);
    const std::size_t end = early() + late_before(tiles.end());
    link_.copy_down(value_at(host_values_, first), value_at(gathered_, first),
                    value_bytes() * (end - first));
    interleaved_segments_.push_back({tiles, link_.record_down()});
  }
}

void ValueDownload::send_in_order(std::size_t first) {
  const std::size_t rest = count() - first;
  for (const RecordSpan& segment :
       plan_segments(rest, kSplitTile, most_segments_for(rest), arguments_.space)) {
    const std::size_t begin = first + segment.first;
    void* const to = value_at(gathered_, begin);
    link_.steps().gather(link_.compute(), {.value_bytes = value_bytes(),
                                           .values = values_,
                                           .indices = indices_ + begin,
                                           .count = segment.count,
                                           .out = to});
    link_.down_after_compute();
    link_.copy_down(value_at(arguments_.values_out, begin), to, value_bytes() * segment.count);
  }
  all_downloaded_ = link_.record_down();
}

std::size_t ValueDownload::most_segments_for(std::size_t outputs) const {
  if (most_segments_ == 0) return 0;
  return std::max<std::size_t>(1, most_segments_ * outputs / count());
}

std::size_t ValueDownload::late_before(std::size_t tile) const {
  return tile * kSplitTile - host_starts_[tile];
}

void ValueDownload::receive() {
  for (const Segment& segment : interleaved_segments_) {
    link_.wait_for(segment.arrived);
    if (value_bytes() == 4) {
      start_interleaving<std::uint32_t>(segment.tiles);
    } else {
      start_interleaving<std::uint64_t>(segment.tiles);
    }
  }
  link_.wait_for(all_downloaded_);
  jobs_.wait();
}

template <class Value>
void ValueDownload::start_interleaving(const RecordSpan& tiles) {
  const std::span all(static_cast<const Value*>(host_values_), interleaved_);
  const std::span early_ones = all.first(early());
  const std::span late = all.subspan(early());
  const std::size_t late_end = late_before(tiles.end());
  auto* const out = static_cast<Value*>(arguments_.values_out);
  const std::vector<RecordSpan> jobs =
      plan_jobs(tiles.count, kLeastInterleaved, HostThreads::shared().count());
  jobs_.start_each(jobs.size(), [=, this](std::size_t i) {
    const std::size_t first_tile = tiles.first + jobs[i].first;
    const std::size_t late_first = late_before(first_tile);
    const std::size_t first = first_tile * kSplitTile;
    interleave<Value>(host_mask_ + first / 32, early_ones.subspan(host_starts_[first_tile]),
                      late.subspan(late_first, late_end - late_first),
                      std::span(out + first, jobs[i].count * kSplitTile));
  });
}

}  // namespace millrace::radix_sort
