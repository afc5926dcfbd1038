// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/stream/value_download.h>

#include <algorithm>
#include <span>
#include <vector>

#include <millrace/algorithms/radix_sort/stream/interleave.h>

namespace millrace::radix_sort {
namespace {

// Tiles whose weaving is worth a thread's coming for them.
constexpr std::size_t kLeastJob = 32;

// How many values of the input are early, and how many outputs are woven.
struct Parts {
  double early;
  double woven;
};

// While the others come up, so many values can go down after the keys, coded to a quarter or third.
// Weaving all outputs takes the host's memory longer than the link, on an H200's host 6 ms of 1e8
// values; but what goes to pageable memory as it is takes as long to be staged.
Parts parts_of(MemorySpace space) {
  return space == MemorySpace::kPinned ? Parts{.early = 0.6, .woven = 0.5}
                                       : Parts{.early = 0.4, .woven = 1};
}

std::size_t woven_part(const SortArguments& arguments) {
  const double wanted = parts_of(arguments.space).woven * static_cast<double>(arguments.count);
  return static_cast<std::size_t>(wanted) / kSplitTile * kSplitTile;
}

std::uint32_t early_part(const SortArguments& arguments) {
  return static_cast<std::uint32_t>(parts_of(arguments.space).early *
                                    static_cast<double>(arguments.count));
}

std::size_t mask_words(std::size_t count) { return (count + 31) / 32; }

}  // namespace

ValuesDown::ValuesDown(SortLink& link, const SortArguments& arguments, bool may_be_early,
                       std::size_t most_segments)
    : link_(link),
      arguments_(arguments),
      most_segments_(most_segments),
      woven_(may_be_early ? woven_part(arguments) : 0),
      early_limit_(woven_ > 0 ? early_part(arguments) : 0) {
  SortMemory& memory = link.memory();
  values_ = memory.take(MemorySpace::kDevice, value_bytes() * count());
  gathered_ = memory.take(MemorySpace::kDevice, value_bytes() * count());
  if (woven_ == 0) return;
  mask_ = memory.take_array<std::uint32_t>(MemorySpace::kDevice, mask_words(woven_));
  starts_ = memory.take_array<std::uint32_t>(MemorySpace::kDevice, tiles() + 1);
  host_mask_ = memory.take_array<std::uint32_t>(MemorySpace::kPinned, mask_words(woven_));
  host_starts_ = memory.take_array<std::uint32_t>(MemorySpace::kPinned, tiles() + 1);
  host_values_ = memory.take(MemorySpace::kPinned, value_bytes() * woven_);
}

void ValuesDown::bring_up() {
  const auto* const from = static_cast<const std::byte*>(arguments_.values_in);
  const std::size_t early_bytes = value_bytes() * early_limit_;
  if (early_bytes > 0) {
    link_.copy_up(values_, from, early_bytes);
    early_are_up_ = link_.record_up();
  }
  link_.copy_up(value_at(values_, early_limit_), from + early_bytes,
                value_bytes() * count() - early_bytes);
  all_are_up_ = link_.record_up();
}

void ValuesDown::prepare(const std::uint32_t* indices, bool has_early) {
  indices_ = indices;
  weaves_ = has_early && early_limit_ > 0;
  if (!weaves_) return;
  Queue& compute = link_.compute();
  link_.steps().mark_early(compute, indices_, woven_, early_limit_, mask_, starts_);
  link_.down_after_compute();
  link_.copy_down(host_starts_, starts_, sizeof(std::uint32_t) * (tiles() + 1));
  starts_are_down_ = link_.record_down();
  link_.copy_down(host_mask_, mask_, sizeof(std::uint32_t) * mask_words(woven_));
  compute.wait_for(early_are_up_);
  link_.steps().gather_part(compute, value_bytes(), values_, indices_, woven_, early_limit_,
                            starts_, true, 0, tiles(), gathered_);
  early_are_gathered_ = compute.record();
}

void ValuesDown::send() {
  if (weaves_) {
    link_.wait_for(starts_are_down_);
    link_.down_after(early_are_gathered_);
    link_.copy_down(host_values_, gathered_, value_bytes() * early());
  }
  link_.compute().wait_for(all_are_up_);
  if (weaves_) send_late();
  send_in_order(weaves_ ? woven_ : 0);
}

void ValuesDown::send_late() {
  for (const Chunk& records :
       plan_segments(woven_, kSplitTile, segments_of(woven_), arguments_.space)) {
    const Chunk part{records.first / kSplitTile, records.count / kSplitTile};
    link_.steps().gather_part(link_.compute(), value_bytes(), values_, indices_, woven_,
                              early_limit_, starts_, false, part.first, part.end(),
                              value_at(gathered_, early()));
    link_.down_after_compute();
    const std::size_t first = early() + late_before(part.first);
    const std::size_t end = early() + late_before(part.end());
    link_.copy_down(value_at(host_values_, first), value_at(gathered_, first),
                    value_bytes() * (end - first));
    woven_segments_.push_back({part, link_.record_down()});
  }
}

void ValuesDown::send_in_order(std::size_t first) {
  const std::size_t rest = count() - first;
  for (const Chunk& part : plan_segments(rest, kSplitTile, segments_of(rest), arguments_.space)) {
    const std::size_t begin = first + part.first;
    void* const to = value_at(gathered_, begin);
    link_.steps().gather(link_.compute(), value_bytes(), values_, indices_ + begin, to, part.count);
    link_.down_after_compute();
    link_.copy_down(value_at(arguments_.values_out, begin), to, value_bytes() * part.count);
  }
  all_are_down_ = link_.record_down();
}

std::size_t ValuesDown::segments_of(std::size_t outputs) const {
  if (most_segments_ == 0) return 0;
  return std::max<std::size_t>(1, most_segments_ * outputs / count());
}

std::size_t ValuesDown::late_before(std::size_t tile) const {
  return tile * kSplitTile - host_starts_[tile];
}

void ValuesDown::receive() {
  for (const Segment& segment : woven_segments_) {
    link_.wait_for(segment.arrived);
    if (value_bytes() == 4) {
      start_weaving<std::uint32_t>(segment.tiles);
    } else {
      start_weaving<std::uint64_t>(segment.tiles);
    }
  }
  link_.wait_for(all_are_down_);
  jobs_.wait();
}

template <class Value>
void ValuesDown::start_weaving(const Chunk& tiles) {
  const std::span all(static_cast<const Value*>(host_values_), woven_);
  const std::span early_ones = all.first(early());
  const std::span late = all.subspan(early());
  const std::size_t late_end = late_before(tiles.end());
  auto* const out = static_cast<Value*>(arguments_.values_out);
  const std::vector<Chunk> jobs = plan_jobs(tiles.count, kLeastJob, HostThreads::shared().count());
  jobs_.start_each(jobs.size(), [=, this](std::size_t i) {
    const std::size_t first_tile = tiles.first + jobs[i].first;
    const std::size_t late_first = late_before(first_tile);
    const std::size_t first = first_tile * kSplitTile;
    weave<Value>(host_mask_ + first / 32, early_ones.subspan(host_starts_[first_tile]),
                 late.subspan(late_first, late_end - late_first),
                 std::span(out + first, jobs[i].count * kSplitTile));
  });
}

}  // namespace millrace::radix_sort
