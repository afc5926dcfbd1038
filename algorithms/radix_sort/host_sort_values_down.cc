#include <millrace/algorithms/radix_sort/host_sort_values_down.h>

#include <algorithm>
#include <span>

#include <millrace/algorithms/radix_sort/host_sort_weave.h>

namespace millrace::radix_sort {
namespace {

// While the others come up, so many can go down after the keys, coded to a quarter or third.
constexpr double kEarlyPart = 0.4;

// What a thread weaves at a time: a MiB or two.
constexpr std::size_t kTilesOfJob = 256;

std::size_t mask_words(std::size_t count) { return (count + 31) / 32; }

}  // namespace

ValuesDown::ValuesDown(SortLink& link, const SortArguments& arguments, bool may_be_early,
                       std::size_t most_segments)
    : link_(link),
      arguments_(arguments),
      most_segments_(most_segments),
      early_limit_(may_be_early ? static_cast<std::uint32_t>(kEarlyPart * arguments.count) : 0) {
  SortMemory& memory = link.memory();
  values_ = memory.take(MemorySpace::kDevice, value_bytes() * count());
  gathered_ = memory.take(MemorySpace::kDevice, value_bytes() * count());
  if (!may_be_early) return;
  mask_ = memory.take_array<std::uint32_t>(MemorySpace::kDevice, mask_words(count()));
  starts_ = memory.take_array<std::uint32_t>(MemorySpace::kDevice, tiles() + 1);
  host_mask_ = memory.take_array<std::uint32_t>(MemorySpace::kPinned, mask_words(count()));
  host_starts_ = memory.take_array<std::uint32_t>(MemorySpace::kPinned, tiles() + 1);
  host_values_ = memory.take(MemorySpace::kPinned, value_bytes() * count());
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

void ValuesDown::send(const std::uint32_t* indices, bool has_early) {
  indices_ = indices;
  has_early_ = has_early && early_limit_ > 0;
  if (has_early_) {
    send_early();
    send_late();
  } else {
    send_in_order();
  }
}

void ValuesDown::send_in_order() {
  link_.compute().wait_for(all_are_up_);
  for (const Chunk& part : plan_segments(count(), kSplitTile, most_segments_)) {
    void* const to = value_at(gathered_, part.first);
    link_.steps().gather(link_.compute(), value_bytes(), values_, indices_ + part.first, to,
                         part.count);
    link_.down_after_compute();
    link_.copy_down(value_at(arguments_.values_out, part.first), to, value_bytes() * part.count);
    segments_.push_back({part, link_.record_down()});
  }
}

void ValuesDown::send_early() {
  Queue& compute = link_.compute();
  link_.steps().mark_early(compute, indices_, count(), early_limit_, mask_, starts_);
  link_.down_after_compute();
  link_.copy_down(host_starts_, starts_, sizeof(std::uint32_t) * (tiles() + 1));
  const Event starts_are_down = link_.record_down();
  link_.copy_down(host_mask_, mask_, sizeof(std::uint32_t) * mask_words(count()));
  compute.wait_for(early_are_up_);
  link_.steps().gather_part(compute, value_bytes(), values_, indices_, count(), early_limit_,
                            starts_, true, 0, tiles(), gathered_);
  link_.down_after_compute();
  link_.copy_down(host_values_, gathered_, value_bytes() * early_limit_);
  link_.wait_for(starts_are_down);
}

void ValuesDown::send_late() {
  link_.compute().wait_for(all_are_up_);
  for (const Chunk& records : plan_segments(count(), kSplitTile, most_segments_)) {
    const Chunk part{records.first / kSplitTile, (records.count + kSplitTile - 1) / kSplitTile};
    link_.steps().gather_part(link_.compute(), value_bytes(), values_, indices_, count(),
                              early_limit_, starts_, false, part.first, part.end(),
                              value_at(gathered_, early_limit_));
    link_.down_after_compute();
    const std::size_t first = early_limit_ + late_before(part.first);
    const std::size_t end = early_limit_ + late_before(part.end());
    link_.copy_down(value_at(host_values_, first), value_at(gathered_, first),
                    value_bytes() * (end - first));
    segments_.push_back({part, link_.record_down()});
  }
}

std::size_t ValuesDown::late_before(std::size_t tile) const {
  return std::min(tile * kSplitTile, count()) - host_starts_[tile];
}

void ValuesDown::receive() {
  for (const Segment& segment : segments_) {
    link_.wait_for(segment.arrived);
    if (!has_early_) continue;
    if (value_bytes() == 4) {
      start_weaving<std::uint32_t>(segment.part);
    } else {
      start_weaving<std::uint64_t>(segment.part);
    }
  }
  jobs_.wait();
}

template <class Value>
void ValuesDown::start_weaving(const Chunk& tiles) {
  const auto* const early = static_cast<const Value*>(host_values_);
  const Value* const late = early + early_limit_;
  const std::size_t late_end = late_before(tiles.end());
  auto* const out = static_cast<Value*>(arguments_.values_out);
  for (std::size_t first_tile = tiles.first; first_tile < tiles.end(); first_tile += kTilesOfJob) {
    const std::size_t end_tile = std::min(first_tile + kTilesOfJob, tiles.end());
    const std::size_t first = first_tile * kSplitTile;
    const std::size_t end = std::min(end_tile * kSplitTile, count());
    const std::size_t late_first = late_before(first_tile);
    jobs_.start([=, this] {
      weave<Value>(
          host_mask_ + first / 32, std::span(early, early_limit_).subspan(host_starts_[first_tile]),
          std::span(late + late_first, late_end - late_first), std::span(out + first, end - first));
    });
  }
}

}  // namespace millrace::radix_sort
