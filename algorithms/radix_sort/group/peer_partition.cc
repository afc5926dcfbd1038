// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/group/peer_partition.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/stream/key_download.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <utility>

namespace millrace::radix_sort {
namespace {

// Ordering a segment reads the indices of all values, but runs while the next segment is uploaded.
// From pageable memory small segments are uploaded slowly (backends/gpu/host/staged_copies.h).
std::size_t most_value_segments(std::size_t bytes, MemorySpace space) {
  constexpr std::size_t kMost = 8;
  constexpr std::size_t kLeastPageableBytes = std::size_t{32} << 20;
  if (space == MemorySpace::kPinned) return kMost;
  return std::clamp<std::size_t>(bytes / kLeastPageableBytes, 1, kMost);
}

bool maps_keys(const SortArguments& arguments) {
  return !KeyBits<std::uint64_t>::of(arguments.key_type, arguments.order).is_identity();
}

// Returns the size of a record on the device: a key, with its index for an argsort, or with that of
// its value for pairs.
RecordSize sorted_size(const SortArguments& arguments) {
  const bool has_values = arguments.values_in != nullptr;
  return {key_bytes(arguments.key_type),
          has_values ? sizeof(std::uint32_t) : arguments.value_bytes};
}

}  // namespace

PeerPartition::PeerPartition(Queue& queue, const SortArguments& arguments, const RecordSpan& slice)
    : arguments_(arguments),
      slice_(slice),
      size_(sorted_size(arguments)),
      chunks_(plan_key_chunks(slice.count, size_.key, 0, arguments.space)),
      link_(queue, sort_steps_of(queue), report_),
      uploaded_(link_.memory().take_records(size_, slice.count)),
      sorted_(link_.memory().take_records(size_, slice.count)) {}

void PeerPartition::upload(const RecordSpan& chunk) {
  const Records to = advance(uploaded_, size_, chunk.first);
  const std::size_t first = slice_.first + chunk.first;
  const auto* const keys = static_cast<const std::byte*>(arguments_.keys_in);
  link_.copy_up(to.keys, keys + size_.key * first, size_.key * chunk.count);
  uploads_.push_back(link_.record_up());
}

void PeerPartition::upload_values() {
  const std::size_t bytes = arguments_.value_bytes * slice_.count;
  values_ = link_.memory().take(MemorySpace::kDevice, bytes);
  in_order_ = link_.memory().take(MemorySpace::kDevice, bytes);
  const std::size_t size = arguments_.value_bytes;
  const auto* const from = static_cast<const std::byte*>(arguments_.values_in);
  const std::size_t most = most_value_segments(bytes, arguments_.space);
  for (const RecordSpan& values : plan_segments(slice_.count, 1, most, arguments_.space)) {
    link_.copy_up(static_cast<std::byte*>(values_) + size * values.first,
                  from + size * (slice_.first + values.first), size * values.count);
    value_segments_.push_back({values, link_.record_up()});
  }
}

void PeerPartition::sort_chunk(const RecordSpan& chunk, void* scratch) {
  Queue& queue = link_.compute();
  const DeviceSortSteps& steps = link_.steps();
  const Records in = advance(uploaded_, size_, chunk.first);
  upload(chunk);
  queue.wait_for(uploads_.back());
  if (maps_keys(arguments_)) {
    steps.map_keys(queue, {.type = arguments_.key_type,
                           .order = arguments_.order,
                           .to_ordered = true,
                           .from = in.keys,
                           .to = in.keys,
                           .count = chunk.count});
  }
  if (size_.value > 0) {
    const std::size_t first = has_values() ? 0 : slice_.first;
    steps.number(queue, size_.value, in.values, first + chunk.first, chunk.count);
  }
  steps.sort(queue, {.size = size_,
                     .key_bits = size_.key_bits(),
                     .in = {in, chunk.count},
                     .out = advance(sorted_, size_, chunk.first),
                     .scratch = scratch});
}

// Once a chunk is sorted, `uploaded_` is free for merged runs up to the end of that chunk.
PeerPartition::SortedSlice PeerPartition::sort_slice() {
  if (slice_.count == 0) return SortedSlice(*this);
  const Records spare =
      chunks_.size() > 2 ? link_.memory().take_records(size_, slice_.count) : Records{};
  void* const scratch = link_.memory().take(
      MemorySpace::kDevice, link_.steps().scratch_bytes(link_.compute(), size_, slice_.count));
  Records next = uploaded_;
  Records after_next = spare;
  run_ = sorted_;
  for (const RecordSpan& chunk : chunks_) {
    sort_chunk(chunk, scratch);
    if (chunk.first == 0) continue;
    link_.steps().merge(link_.compute(), {.size = size_,
                                          .a = {run_, chunk.first},
                                          .b = {advance(sorted_, size_, chunk.first), chunk.count},
                                          .out = next,
                                          .count = chunk.end(),
                                          .scratch = scratch});
    run_ = next;
    std::swap(next, after_next);
  }
  if (has_values()) upload_values();
  link_.compute().wait();
  return SortedSlice(*this);
}

std::vector<Splitter> PeerPartition::sample(std::size_t samples) {
  const std::size_t count = std::min(samples, slice_.count);
  if (count == 0) return {};
  std::vector<std::uint32_t> positions(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double position = (static_cast<double>(i) + 0.5) * static_cast<double>(slice_.count) /
                            static_cast<double>(count);
    positions[i] = static_cast<std::uint32_t>(position);
  }
  Queue& queue = link_.compute();
  auto* const indices = link_.memory().take_array<std::uint32_t>(MemorySpace::kDevice, count);
  void* const keys = link_.memory().take(MemorySpace::kDevice, size_.key * count);
  queue.copy(indices, positions.data(), count * sizeof positions[0]);
  link_.steps().gather(queue, {.value_bytes = size_.key,
                               .values = run_.keys,
                               .indices = indices,
                               .count = count,
                               .out = keys});
  std::vector<std::byte> found(size_.key * count);
  queue.copy(found.data(), keys, found.size());
  queue.wait();
  std::vector<Splitter> sample(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(&sample[i].key, found.data() + size_.key * i, size_.key);  // Little-endian.
    sample[i].record_index = slice_.first + positions[i];
  }
  return sample;
}

std::vector<std::size_t> PeerPartition::positions_of(std::span<const Splitter> splitters) {
  const std::size_t limits = 2 * splitters.size();
  std::vector<std::size_t> positions(splitters.size());
  if (slice_.count == 0 || splitters.empty()) return positions;
  auto* const limit = link_.memory().take_array<KeyLimit>(MemorySpace::kPinned, limits);
  auto* const found = link_.memory().take_array<std::uint64_t>(MemorySpace::kPinned, limits);
  for (std::size_t i = 0; i < limits; ++i) limit[i] = {splitters[i / 2].key, i % 2};
  link_.steps().find_positions(link_.compute(), {.key_bytes = size_.key,
                                                 .keys = run_.keys,
                                                 .count = slice_.count,
                                                 .limits = limit,
                                                 .limit_count = limits,
                                                 .positions = found});
  link_.compute().wait();
  for (std::size_t i = 0; i < splitters.size(); ++i) {
    // Equal keys are before the splitter if their indices are.
    const std::uint64_t index = splitters[i].record_index;
    const std::uint64_t before = index > slice_.first ? index - slice_.first : 0;
    positions[i] = std::clamp(before, found[2 * i], found[2 * i + 1]);
  }
  return positions;
}

PeerRun PeerPartition::run(std::size_t begin, std::size_t end) const {
  const auto* const values = static_cast<const std::byte*>(in_order_);
  return {advance(run_, size_, begin), end - begin,
          has_values() ? values + arguments_.value_bytes * begin : nullptr};
}

bool PeerPartition::is_own(const PeerRun& run) const {
  const auto* const begin = static_cast<const std::byte*>(run_.keys);
  const auto* const keys = static_cast<const std::byte*>(run.records.keys);
  return keys >= begin && keys < begin + size_.key * slice_.count;
}

// Returns the run in this device's memory; for pairs with its indices among the merged runs'
// records, from `index` on. A run that is alone is copied, because it will be changed.
PeerRun PeerPartition::here(const PeerRun& run, std::size_t index, bool is_alone) {
  const bool copies = is_alone || !is_own(run);
  if (!copies && !has_values()) return run;
  PeerRun copied = {link_.memory().take_records(size_, run.count), run.count};
  if (copies) {
    link_.compute().copy(copied.records.keys, run.records.keys, size_.key * run.count);
  } else {
    copied.records.keys = run.records.keys;
  }
  if (has_values()) {
    link_.steps().number(link_.compute(), size_.value, copied.records.values, index, run.count);
  } else {
    link_.compute().copy(copied.records.values, run.records.values, size_.value * run.count);
  }
  return copied;
}

PeerRun PeerPartition::merged(const PeerRun& a, const PeerRun& b) {
  const std::size_t count = a.count + b.count;
  const PeerRun out = {link_.memory().take_records(size_, count), count};
  void* const scratch = link_.memory().take(
      MemorySpace::kDevice, link_.steps().scratch_bytes(link_.compute(), size_, count));
  link_.steps().merge(link_.compute(), {.size = size_,
                                        .a = {a.records, a.count},
                                        .b = {b.records, b.count},
                                        .out = out.records,
                                        .count = count,
                                        .scratch = scratch});
  return out;
}

SortArguments PeerPartition::outputs(std::size_t first, std::size_t count) const {
  SortArguments of_range = arguments_;
  of_range.count = count;
  if (arguments_.keys_out != nullptr) {
    of_range.keys_out = static_cast<std::byte*>(arguments_.keys_out) + size_.key * first;
  }
  if (arguments_.values_out != nullptr) {
    of_range.values_out =
        static_cast<std::byte*>(arguments_.values_out) + arguments_.value_bytes * first;
  }
  return of_range;
}

// Merges runs by twos until at most two are left, whose merge is enqueued by segments of keys.
std::vector<PeerRun> PeerPartition::last_runs(std::span<const PeerRun> runs) {
  std::vector<PeerRun> left;
  std::size_t index = 0;
  for (const PeerRun& run : runs) {
    if (run.count > 0) left.push_back(here(run, index, run.count == outputs_.count));
    index += run.count;
  }
  while (left.size() > 2) {
    std::vector<PeerRun> next;
    for (std::size_t i = 0; i + 1 < left.size(); i += 2)
      next.push_back(merged(left[i], left[i + 1]));
    if (left.size() % 2 != 0) next.push_back(left.back());
    left = std::move(next);
  }
  return left;
}

void PeerPartition::merge_segment(std::span<const PeerRun> two, const RecordSpan& segment,
                                  void* scratch) {
  link_.steps().merge(link_.compute(), {.size = size_,
                                        .a = {two[0].records, two[0].count},
                                        .b = {two[1].records, two[1].count},
                                        .out = merged_,
                                        .first = segment.first,
                                        .count = segment.count,
                                        .scratch = scratch});
}

void PeerPartition::merge_and_send(const Range& range) {
  std::size_t count = 0;
  for (const PeerRun& run : range.runs) count += run.count;
  outputs_ = outputs(range.first_output, count);
  if (count == 0) return;
  const std::vector<PeerRun> last = last_runs(range.runs);
  merged_ = last.size() == 1 ? last[0].records : link_.memory().take_records(size_, count);
  void* const scratch = link_.memory().take(
      MemorySpace::kDevice, link_.steps().scratch_bytes(link_.compute(), size_, count));
  const auto devices = static_cast<int>(std::max<std::size_t>(range.devices, 1));
  const int threads = std::max(1, HostThreads::shared().count() / devices);
  // The devices' downloads share the host's threads, which attend none of them.
  keys_.emplace(link_, outputs_, HostArraySortOptions{.attends = false}, threads);
  KeyDownload::Preparing segments = keys_->prepare(merged_.keys);
  while (const RecordSpan* const segment = segments.next()) {
    if (last.size() == 2) merge_segment(last, *segment, scratch);
    segments.add_next();
  }
  const Event all_are_up = uploads_.empty() ? Event() : uploads_.back();
  sent_keys_ = std::move(segments).finish().send(all_are_up);
  if (outputs_.values_out != nullptr && !has_values()) {
    link_.down_after_compute();
    link_.copy_down(outputs_.values_out, merged_.values, size_.value * count);
  }
}

void PeerPartition::receive_and_order_values() {
  for (const ValueSegment& segment : value_segments_) {
    link_.compute().wait_for(segment.upload);
    link_.steps().gather_within(link_.compute(),
                                {.value_bytes = arguments_.value_bytes,
                                 .values = values_,
                                 .indices = static_cast<const std::uint32_t*>(run_.values),
                                 .count = slice_.count,
                                 .out = in_order_},
                                segment.values.first, segment.values.end());
  }
  if (sent_keys_) received_keys_ = std::move(*sent_keys_).receive();
  if (!value_segments_.empty()) link_.compute().wait();
}

void PeerPartition::send_values(std::span<const PeerRun> runs) {
  const std::size_t count = outputs_.count;
  if (!has_values() || count == 0) return;
  const std::size_t bytes = arguments_.value_bytes;
  Queue& compute = link_.compute();
  auto* const of_runs = link_.memory().take_array<std::byte>(MemorySpace::kDevice, bytes * count);
  auto* const out = link_.memory().take_array<std::byte>(MemorySpace::kDevice, bytes * count);
  std::size_t index = 0;
  for (const PeerRun& run : runs) {
    compute.copy(of_runs + bytes * index, run.values, bytes * run.count);
    index += run.count;
  }
  const auto* const indices = static_cast<const std::uint32_t*>(merged_.values);
  auto* const target = static_cast<std::byte*>(outputs_.values_out);
  for (const RecordSpan& segment : plan_segments(count, kSplitTile, 0, arguments_.space)) {
    link_.steps().gather(compute, {.value_bytes = bytes,
                                   .values = of_runs,
                                   .indices = indices + segment.first,
                                   .count = segment.count,
                                   .out = out + bytes * segment.first});
    link_.down_after_compute();
    link_.copy_down(target + bytes * segment.first, out + bytes * segment.first,
                    bytes * segment.count);
  }
}

void PeerPartition::finish() {
  if (!received_keys_) return link_.wait();
  KeyDownload::Complete keys = std::move(*received_keys_).finish();
  link_.wait();
  std::move(keys).record_rates(link_rate());
}

// Returns the rate in bytes a second of the chunks after the first; 0 if there is none.
double PeerPartition::link_rate() const {
  if (uploads_.size() < 2) return 0;
  const std::chrono::duration<double> time =
      uploads_.back().reached_at() - uploads_.front().reached_at();
  const std::size_t count = slice_.count - chunks_.front().count;
  return time.count() > 0 ? static_cast<double>(size_.key * count) / time.count() : 0;
}

}  // namespace millrace::radix_sort
