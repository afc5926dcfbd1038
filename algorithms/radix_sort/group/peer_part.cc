// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/group/peer_part.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <utility>

#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/stream/key_download.h>
#include <millrace/runtime/host/host_threads.h>

namespace millrace::radix_sort {
namespace {

// Each part is put in place by reading the places of all, but while the next one comes up. From
// pageable memory small ones come up slowly (gpu/staged_copies.h).
std::size_t parts_of_values(std::size_t bytes, MemorySpace space) {
  constexpr std::size_t kMost = 8;
  constexpr std::size_t kLeastPageableBytes = std::size_t{32} << 20;
  if (space == MemorySpace::kPinned) return kMost;
  return std::clamp<std::size_t>(bytes / kLeastPageableBytes, 1, kMost);
}

bool maps_keys(const SortArguments& arguments) {
  return !KeyBits<std::uint64_t>::of(arguments.key_type, arguments.order).is_identity();
}

// Keys, indices of all the input's keys, or places of values.
RecordSize sorted_size(const SortArguments& arguments) {
  const bool has_values = arguments.values_in != nullptr;
  return {key_bytes(arguments.key_type),
          has_values ? sizeof(std::uint32_t) : arguments.value_bytes};
}

}  // namespace

PeerPart::PeerPart(Queue& queue, const SortArguments& arguments, const Chunk& slice)
    : arguments_(arguments),
      slice_(slice),
      size_(sorted_size(arguments)),
      chunks_(plan_key_chunks(slice.count, size_.key, 0, arguments.space)),
      link_(queue, report_),
      uploaded_(link_.memory().take_records(size_, slice.count)),
      sorted_(link_.memory().take_records(size_, slice.count)) {}

void PeerPart::bring_up(const Chunk& chunk) {
  const Records to = advance(uploaded_, size_, chunk.first);
  const std::size_t first = slice_.first + chunk.first;
  const auto* const keys = static_cast<const std::byte*>(arguments_.keys_in);
  link_.copy_up(to.keys, keys + size_.key * first, size_.key * chunk.count);
  uploads_.push_back(link_.record_up());
}

void PeerPart::bring_values_up() {
  const std::size_t bytes = arguments_.value_bytes * slice_.count;
  values_ = link_.memory().take(MemorySpace::kDevice, bytes);
  in_order_ = link_.memory().take(MemorySpace::kDevice, bytes);
  const std::size_t size = arguments_.value_bytes;
  const auto* const from = static_cast<const std::byte*>(arguments_.values_in);
  const std::size_t parts = parts_of_values(bytes, arguments_.space);
  for (const Chunk& values : plan_segments(slice_.count, 1, parts, arguments_.space)) {
    link_.copy_up(static_cast<std::byte*>(values_) + size * values.first,
                  from + size * (slice_.first + values.first), size * values.count);
    value_parts_.push_back({values, link_.record_up()});
  }
}

void PeerPart::sort_chunk(const Chunk& chunk, void* scratch) {
  Queue& queue = link_.compute();
  const SortSteps& steps = link_.steps();
  const Records in = advance(uploaded_, size_, chunk.first);
  bring_up(chunk);
  queue.wait_for(uploads_.back());
  if (maps_keys(arguments_)) {
    steps.map_keys(queue, arguments_.key_type, arguments_.order, true, in.keys, in.keys,
                   chunk.count);
  }
  if (size_.value > 0) {
    const std::size_t first = has_values() ? 0 : slice_.first;
    steps.number(queue, size_.value, in.values, first + chunk.first, chunk.count);
  }
  steps.sort(queue, size_, size_.key_bits(), in, advance(sorted_, size_, chunk.first), chunk.count,
             scratch);
}

// What is in `uploaded_` before the end of a chunk that has been sorted is free for merged runs.
void PeerPart::sort_slice() {
  if (slice_.count == 0) return;
  const Records spare =
      chunks_.size() > 2 ? link_.memory().take_records(size_, slice_.count) : Records{};
  void* const scratch = link_.memory().take(
      MemorySpace::kDevice, link_.steps().scratch_bytes(link_.compute(), size_, slice_.count));
  Records next = uploaded_;
  Records after_next = spare;
  run_ = sorted_;
  for (const Chunk& chunk : chunks_) {
    sort_chunk(chunk, scratch);
    if (chunk.first == 0) continue;
    link_.steps().merge(link_.compute(), size_, run_, chunk.first,
                        advance(sorted_, size_, chunk.first), chunk.count, next, 0, chunk.end(),
                        scratch);
    run_ = next;
    std::swap(next, after_next);
  }
  if (has_values()) bring_values_up();
  link_.compute().wait();
}

std::vector<Splitter> PeerPart::sample(std::size_t samples) {
  const std::size_t count = std::min(samples, slice_.count);
  if (count == 0) return {};
  std::vector<std::uint32_t> places(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double place = (static_cast<double>(i) + 0.5) * static_cast<double>(slice_.count) /
                         static_cast<double>(count);
    places[i] = static_cast<std::uint32_t>(place);
  }
  Queue& queue = link_.compute();
  auto* const indices = link_.memory().take_array<std::uint32_t>(MemorySpace::kDevice, count);
  void* const keys = link_.memory().take(MemorySpace::kDevice, size_.key * count);
  queue.copy(indices, places.data(), count * sizeof places[0]);
  link_.steps().gather(queue, size_.key, run_.keys, indices, keys, count);
  std::vector<std::byte> found(size_.key * count);
  queue.copy(found.data(), keys, found.size());
  queue.wait();
  std::vector<Splitter> sample(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(&sample[i].key, found.data() + size_.key * i, size_.key);  // Little-endian.
    sample[i].place = slice_.first + places[i];
  }
  return sample;
}

std::vector<std::size_t> PeerPart::places_of(std::span<const Splitter> splitters) {
  const std::size_t limits = 2 * splitters.size();
  std::vector<std::size_t> places(splitters.size());
  if (slice_.count == 0 || splitters.empty()) return places;
  auto* const limit = link_.memory().take_array<KeyLimit>(MemorySpace::kPinned, limits);
  auto* const found = link_.memory().take_array<std::uint64_t>(MemorySpace::kPinned, limits);
  for (std::size_t i = 0; i < limits; ++i) limit[i] = {splitters[i / 2].key, i % 2};
  link_.steps().find_places(link_.compute(), size_.key, run_.keys, slice_.count, limit, limits,
                            found);
  link_.compute().wait();
  for (std::size_t i = 0; i < splitters.size(); ++i) {
    // Of equal keys those whose places are before the splitter's.
    const std::uint64_t place = splitters[i].place;
    const std::uint64_t before = place > slice_.first ? place - slice_.first : 0;
    places[i] = std::clamp(before, found[2 * i], found[2 * i + 1]);
  }
  return places;
}

PeerRun PeerPart::run(std::size_t begin, std::size_t end) const {
  const auto* const values = static_cast<const std::byte*>(in_order_);
  return {advance(run_, size_, begin), end - begin,
          has_values() ? values + arguments_.value_bytes * begin : nullptr};
}

bool PeerPart::is_own(const PeerRun& run) const {
  const auto* const begin = static_cast<const std::byte*>(run_.keys);
  const auto* const keys = static_cast<const std::byte*>(run.records.keys);
  return keys >= begin && keys < begin + size_.key * slice_.count;
}

// A run in this device's memory, of pairs with its places among the merged runs' records. One that
// is alone will be changed, so it is a copy.
PeerRun PeerPart::here(const PeerRun& run, std::size_t place, bool is_alone) {
  const bool copies = is_alone || !is_own(run);
  if (!copies && !has_values()) return run;
  PeerRun copied = {link_.memory().take_records(size_, run.count), run.count};
  if (copies) {
    link_.compute().copy(copied.records.keys, run.records.keys, size_.key * run.count);
  } else {
    copied.records.keys = run.records.keys;
  }
  if (has_values()) {
    link_.steps().number(link_.compute(), size_.value, copied.records.values, place, run.count);
  } else {
    link_.compute().copy(copied.records.values, run.records.values, size_.value * run.count);
  }
  return copied;
}

PeerRun PeerPart::merged(const PeerRun& a, const PeerRun& b) {
  const std::size_t count = a.count + b.count;
  const PeerRun out = {link_.memory().take_records(size_, count), count};
  void* const scratch = link_.memory().take(
      MemorySpace::kDevice, link_.steps().scratch_bytes(link_.compute(), size_, count));
  link_.steps().merge(link_.compute(), size_, a.records, a.count, b.records, b.count, out.records,
                      0, count, scratch);
  return out;
}

SortArguments PeerPart::outputs(std::size_t first, std::size_t count) const {
  SortArguments part = arguments_;
  part.count = count;
  if (arguments_.keys_out != nullptr) {
    part.keys_out = static_cast<std::byte*>(arguments_.keys_out) + size_.key * first;
  }
  if (arguments_.values_out != nullptr) {
    part.values_out =
        static_cast<std::byte*>(arguments_.values_out) + arguments_.value_bytes * first;
  }
  return part;
}

void PeerPart::merge_and_send(std::span<const PeerRun> runs, std::size_t first_output,
                              std::size_t parts) {
  std::size_t count = 0;
  for (const PeerRun& run : runs) count += run.count;
  outputs_ = outputs(first_output, count);
  if (count == 0) return;
  std::vector<PeerRun> left;
  std::size_t place = 0;
  for (const PeerRun& run : runs) {
    if (run.count > 0) left.push_back(here(run, place, run.count == count));
    place += run.count;
  }
  while (left.size() > 2) {
    std::vector<PeerRun> next;
    for (std::size_t i = 0; i + 1 < left.size(); i += 2)
      next.push_back(merged(left[i], left[i + 1]));
    if (left.size() % 2 != 0) next.push_back(left.back());
    left = std::move(next);
  }
  merged_ = left.size() == 1 ? left[0].records : link_.memory().take_records(size_, count);
  void* const scratch = link_.memory().take(
      MemorySpace::kDevice, link_.steps().scratch_bytes(link_.compute(), size_, count));
  const int threads = std::max(
      1, HostThreads::shared().count() / static_cast<int>(std::max<std::size_t>(parts, 1)));
  // Parts share the host's threads, which attend none of them.
  keys_down_.emplace(link_, outputs_, HostSortOptions{.attends = false}, threads);
  for (std::size_t i = 0; i < keys_down_->segments(); ++i) {
    const Chunk& segment = keys_down_->segment(i);
    if (left.size() == 2) {
      link_.steps().merge(link_.compute(), size_, left[0].records, left[0].count, left[1].records,
                          left[1].count, merged_, segment.first, segment.count, scratch);
    }
    keys_down_->prepare(merged_.keys, i);
  }
  keys_down_->send();
  if (outputs_.values_out != nullptr && !has_values()) {
    link_.down_after_compute();
    link_.copy_down(outputs_.values_out, merged_.values, size_.value * count);
  }
}

void PeerPart::receive_and_order_values() {
  for (const ValuePart& part : value_parts_) {
    link_.compute().wait_for(part.upload);
    link_.steps().gather_within(link_.compute(), arguments_.value_bytes, values_,
                                static_cast<const std::uint32_t*>(run_.values), part.values.first,
                                part.values.end(), in_order_, slice_.count);
  }
  if (keys_down_) keys_down_->receive();
  if (!value_parts_.empty()) link_.compute().wait();
}

void PeerPart::send_values(std::span<const PeerRun> runs) {
  const std::size_t count = outputs_.count;
  if (!has_values() || count == 0) return;
  const std::size_t bytes = arguments_.value_bytes;
  Queue& compute = link_.compute();
  auto* const of_runs = link_.memory().take_array<std::byte>(MemorySpace::kDevice, bytes * count);
  auto* const out = link_.memory().take_array<std::byte>(MemorySpace::kDevice, bytes * count);
  std::size_t place = 0;
  for (const PeerRun& run : runs) {
    compute.copy(of_runs + bytes * place, run.values, bytes * run.count);
    place += run.count;
  }
  const auto* const places = static_cast<const std::uint32_t*>(merged_.values);
  auto* const target = static_cast<std::byte*>(outputs_.values_out);
  for (const Chunk& part : plan_segments(count, kSplitTile, 0, arguments_.space)) {
    link_.steps().gather(compute, bytes, of_runs, places + part.first, out + bytes * part.first,
                         part.count);
    link_.down_after_compute();
    link_.copy_down(target + bytes * part.first, out + bytes * part.first, bytes * part.count);
  }
}

void PeerPart::finish() {
  if (keys_down_) keys_down_->finish();
  link_.wait();
  if (keys_down_) keys_down_->learn(link_rate());
}

// Bytes a second of the chunks after the first; 0 where there is none.
double PeerPart::link_rate() const {
  if (uploads_.size() < 2) return 0;
  const std::chrono::duration<double> time =
      uploads_.back().reached_at() - uploads_.front().reached_at();
  const std::size_t count = slice_.count - chunks_.front().count;
  return time.count() > 0 ? static_cast<double>(size_.key * count) / time.count() : 0;
}

}  // namespace millrace::radix_sort
