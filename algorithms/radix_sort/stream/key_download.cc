// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/codecs/cpu/delta_simd.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/stream/key_download.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/stream/codec_choice.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

namespace millrace::radix_sort {
namespace {

// Coded segments of sorts without values that have pinned memory at a time: this many, or more that
// together are this large. On an H200, 1e8 keys take 0.66 of copy, sort, copy, and 0.68 if each
// segment has memory of its own: downloaded keys may be in the host's caches more often
// (docs/experiments/what_limits_pinned_sorts.md).
constexpr std::size_t kLeastMemories = 6;
constexpr std::size_t kSmallMemories = std::size_t{128} << 20;

// A thread of an H200's host decodes this many tiles in about ten microseconds
// (docs/experiments/how_many_threads_decode_keys.md).
constexpr std::size_t kLeastDecoded = 4;

bool has_values(const SortArguments& arguments) {
  return arguments.value_bytes > 0 && !arguments.is_argsort;
}

// Rates measured in the process's sorts, by device, memory space, key type and the number of keys
// in powers of two. Sorts with values are kept separately, because they leave more time to decode.
class KeyCodecRates {
 public:
  template <class Work>
  static auto with(const Device& device, const SortArguments& arguments, const Work& work) {
    KeyCodecRates& all = shared();
    const std::lock_guard lock(all.mutex_);
    return work(all.estimates_[{device.info().name, arguments.space, arguments.key_type,
                                has_values(arguments), std::bit_width(arguments.count)}]);
  }

 private:
  // One object for the process; a static of the template above would be one for each instance.
  static KeyCodecRates& shared() {
    static KeyCodecRates all;
    return all;
  }

  std::mutex mutex_;
  std::map<std::tuple<std::string, MemorySpace, KeyType, bool, int>, CodecEstimate> estimates_;
};

// Decrements a number of jobs when the job returns or throws.
class JobEnd {
 public:
  explicit JobEnd(std::atomic<int>& left) : left_(left) {}
  ~JobEnd() { --left_; }
  JobEnd(const JobEnd&) = delete;
  JobEnd& operator=(const JobEnd&) = delete;

 private:
  std::atomic<int>& left_;
};

int team_threads(int wanted) {
  const int all = HostThreads::shared().count();
  return wanted == 0 ? all : std::min(wanted, all);
}

double seconds_between(const Event& begin, const Event& end) {
  return std::chrono::duration<double>(end.reached_at() - begin.reached_at()).count();
}

}  // namespace

KeyDownload::KeyDownload(SortLink& link, const SortArguments& arguments,
                         const HostArraySortOptions& options, int threads)
    : link_(link),
      arguments_(arguments),
      key_bytes_(key_bytes(arguments.key_type)),
      threads_(team_threads(threads)),
      attends_(options.attends && !has_values(arguments) &&
               arguments.space == MemorySpace::kPinned),
      most_memories_(options.memories),
      jobs_(HostThreads::shared(), threads) {
  if (!wants_keys()) {
    plan(0, options.segments);
    return;
  }
  CodecRates rates;
  const CodecChoice choice =
      KeyCodecRates::with(link.compute().device(), arguments, [&](CodecEstimate& estimate) {
        const auto chosen = estimate.choose(key_bytes_ * arguments.count, {.use = options.codec});
        rates = estimate.rates();
        return chosen;
      });
  if (choice.is_trial) ++link.report().codec_trials;
  if (choice.is_coded) {
    codec_ = key_bytes_ == 4 ? &codecs::delta_codec<std::uint32_t>()
                             : &codecs::delta_codec<std::uint64_t>();
  }
  // Values keep the link busy, and pageable memory the host's threads.
  const bool splits = options.codec == CodecUse::kMeasured && arguments.value_bytes == 0 &&
                      arguments.space == MemorySpace::kPinned;
  const double measured = splits ? plan_raw_fraction(rates, key_bytes_ * arguments.count) : 0;
  const std::size_t segments = options.segments == 0 && codec_ != nullptr && attends_
                                   ? plan_attended_segments(arguments.count)
                                   : options.segments;
  plan(options.raw_fraction < 0 ? measured : options.raw_fraction, segments);
}

void KeyDownload::plan(double raw_fraction, std::size_t most_segments) {
  const std::size_t count = arguments_.count;
  std::size_t coded = count;
  if (codec_ != nullptr && raw_fraction > 0) {
    const double keys = (1 - raw_fraction) * static_cast<double>(count);
    coded = static_cast<std::size_t>(keys) / codecs::kTileValues * codecs::kTileValues;
    if (coded == 0) codec_ = nullptr;
  }
  const std::size_t end = codec_ == nullptr ? count : coded;
  std::vector<RecordSpan> all =
      plan_segments(end, codecs::kTileValues, most_segments, arguments_.space);
  if (codec_ != nullptr) all = cut_first(std::move(all), codecs::kTileValues);
  for (const RecordSpan& keys : all) segments_.push_back({.keys = keys});
  coded_segments_ = segments_.size();
  if (end < count) segments_.push_back({.keys = {end, count - end}});
}

std::size_t KeyDownload::capacity_for(std::size_t keys) const {
  constexpr std::size_t kUnit = Codec::kCodedAlignment;
  return (key_bytes_ * keys + kUnit - 1) / kUnit * kUnit;
}

void KeyDownload::take_memory() {
  SortMemory& memory = link_.memory();
  std::size_t most = 0;
  for (const Segment& each : std::span(segments_).first(coded_segments_)) {
    most = std::max(most, each.keys.count);
  }
  scratch_ = memory.take(MemorySpace::kDevice, codec_->scratch_bytes(most));
  const std::size_t capacity = capacity_for(most);
  memories_ = coded_segments_;
  if (most_memories_ > 0) {
    memories_ = std::min(memories_, most_memories_);
  } else if (arguments_.value_bytes == 0) {
    memories_ = std::min(memories_, std::max(kLeastMemories, kSmallMemories / capacity));
  }
  jobs_left_ = std::vector<std::atomic<int>>(coded_segments_);
  auto* const results = memory.take_array<CodecResult>(MemorySpace::kPinned, coded_segments_);
  std::size_t capacity_on_device = 0;
  for (std::size_t i = 0; i < coded_segments_; ++i) {
    capacity_on_device += capacity_for(segments_[i].keys.count);
  }
  auto* on_device = memory.take_array<std::byte>(MemorySpace::kDevice, capacity_on_device);
  auto* const coded = memory.take_array<std::byte>(MemorySpace::kPinned, capacity * memories_);
  for (std::size_t i = 0; i < coded_segments_; ++i) {
    segments_[i].coded_on_device = on_device;
    on_device += capacity_for(segments_[i].keys.count);
    segments_[i].coded = coded + capacity * (i % memories_);
    segments_[i].result = results + i;
    results[i] = {};
  }
}

void KeyDownload::prepare_segment(std::size_t segment) {
  if (!wants_keys()) return;
  // Not earlier, so that the first chunk is uploaded meanwhile.
  if (segment == 0 && codec_ != nullptr) take_memory();
  Segment& prepared = segments_[segment];
  if (codec_ == nullptr) {
    make_raw(prepared);
    return send_raw(prepared);
  }
  if (prepared.result == nullptr) return make_raw(prepared);
  if (segment == 0) prepared_ = link_.compute().record();
  link_.code_after_compute();
  codec_->encode(link_.coding(), {.items = key_at(keys_, prepared.keys.first),
                                  .count = prepared.keys.count,
                                  .coded = prepared.coded_on_device,
                                  .capacity = key_bytes_ * prepared.keys.count,
                                  .scratch = scratch_,
                                  .result = prepared.result});
  prepared.ready = link_.coding().record();
}

void KeyDownload::keep_polling(const Event& all_are_up) {
  if (codec_ == nullptr || !attends_) return;
  link_.wait_for(all_are_up);
  jobs_.keep_polling();
}

void KeyDownload::send() {
  if (codec_ == nullptr) return;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    Segment& segment = segments_[i];
    if (segment.result == nullptr) {
      send_raw(segment);
      continue;
    }
    link_.wait_for(segment.ready);
    throw_if_failed(*segment.result);
    segment.is_coded = segment.result->bytes > 0;
    if (segment.is_coded) {
      link_.report().codec = codec_->name();
      ++link_.report().coded_segments;
      wait_for_memory(i);
      link_.copy_down(segment.coded, segment.coded_on_device, segment.result->bytes);
      segment.arrived = link_.record_down();
    } else {
      make_raw(segment);
      send_raw(segment);
    }
    // Does not wait: the next copy is enqueued before the link is idle.
    receive_arrived(i);
  }
}

void KeyDownload::wait_for_memory(std::size_t segment) {
  // All segments that used it: one between them that was sent raw has not waited.
  for (std::size_t i = segment % memories_; i < segment; i += memories_) {
    while (received_ <= i) receive(segments_[received_++]);
    while (jobs_left_[i] > 0) {
      receive_arrived(segment);
      std::this_thread::yield();
    }
  }
}

void KeyDownload::receive_arrived(std::size_t before) {
  while (received_ < before && segments_[received_].arrived.ready()) {
    receive(segments_[received_++]);
  }
}

void KeyDownload::make_raw(Segment& segment) {
  void* const keys = key_at(keys_, segment.keys.first);
  if (maps()) {
    link_.steps().map_keys(link_.compute(), {.type = arguments_.key_type,
                                             .order = arguments_.order,
                                             .to_ordered = false,
                                             .from = keys,
                                             .to = keys,
                                             .count = segment.keys.count});
  }
  segment.ready = link_.compute().record();
}

void KeyDownload::send_raw(Segment& segment) {
  ++link_.report().raw_segments;
  link_.down_after(segment.ready);
  link_.copy_down(key_at(arguments_.keys_out, segment.keys.first),
                  key_at(keys_, segment.keys.first), key_bytes_ * segment.keys.count);
  segment.arrived = link_.record_down();
}

void KeyDownload::receive() {
  if (!wants_keys()) return;
  if (codec_ == nullptr) return link_.wait_for(segments_.back().arrived);
  for (; received_ < segments_.size(); ++received_) receive(segments_[received_]);
}

void KeyDownload::receive(const Segment& segment) {
  link_.wait_for(segment.arrived);
  if (!segment.is_coded) return;
  if (key_bytes_ == 4) {
    start_decoding<std::uint32_t>(segment);
  } else {
    start_decoding<std::uint64_t>(segment);
  }
}

void KeyDownload::record_rates(double link_bytes_per_second) const {
  if (!wants_keys()) return;
  KeyCodecRates::with(link_.compute().device(), arguments_, [&](CodecEstimate& estimate) {
    estimate.link.add(link_bytes_per_second, 1);
    if (codec_ == nullptr) return;
    const Segment& last = segments_[coded_segments_ - 1];
    estimate.encode.add(static_cast<double>(key_bytes_ * last.keys.end()),
                        seconds_between(prepared_, last.ready));
    double decoded = 0;
    for (const Segment& segment : std::span(segments_).first(coded_segments_)) {
      const auto bytes = static_cast<double>(key_bytes_ * segment.keys.count);
      const auto coded = static_cast<double>(segment.result->bytes);
      estimate.ratio.add(segment.is_coded ? coded : 2 * bytes, bytes);
      if (segment.is_coded) decoded += bytes;
    }
    // Decoding goes on while values are uploaded.
    const double values = has_values(arguments_) ? static_cast<double>(arguments_.value_bytes) : 0;
    const double time = 1 + values / static_cast<double>(key_bytes_);  // 1: the keys' on the link.
    estimate.decode.add(time * decoded, 1e-9 * static_cast<double>(decode_nanoseconds_) / threads_);
  });
}

bool KeyDownload::maps() const {
  return !KeyBits<std::uint64_t>::of(arguments_.key_type, arguments_.order).is_identity();
}

bool KeyDownload::is_coded() const {
  return codec_ != nullptr &&
         std::ranges::all_of(segments_, [](const Segment& each) { return each.is_coded; });
}

template <class Bits>
void KeyDownload::start_decoding(const Segment& segment) {
  const codecs::DeltaChunk<Bits> chunk(std::span(segment.coded, segment.result->bytes),
                                       segment.keys.count);
  auto* const out = reinterpret_cast<Bits*>(key_at(arguments_.keys_out, segment.keys.first));
  const auto map = KeyBits<Bits>::of(arguments_.key_type, arguments_.order);
  const auto decode = [chunk, out, map](std::size_t first, std::size_t end) {
    const auto stores = map.is_identity() ? codecs::Stores::kStreaming : codecs::Stores::kCached;
    for (std::size_t t = first; t < end; ++t) {
      const std::span<Bits> values = chunk.values_of(t, out);
      if (!codecs::decode_tile(chunk.tile(t), values, stores)) {
        throw Error(
            ErrorCode::kInternal,
            "coded keys of a sort cannot be decoded: their bytes were changed during the download");
      }
      if (map.is_identity()) continue;
      for (Bits& value : values) value = map.raw(value);
    }
  };
  std::atomic<int>& left = jobs_left_[static_cast<std::size_t>(&segment - segments_.data())];
  const std::vector<RecordSpan> jobs = plan_jobs(chunk.tiles(), kLeastDecoded, threads_);
  left = static_cast<int>(jobs.size());
  jobs_.start_each(jobs.size(), [this, &left, decode, jobs](std::size_t i) {
    const JobEnd ends(left);
    const auto start = std::chrono::steady_clock::now();
    decode(jobs[i].first, jobs[i].end());
    const std::chrono::nanoseconds spent = std::chrono::steady_clock::now() - start;
    decode_nanoseconds_ += spent.count();
  });
}

}  // namespace millrace::radix_sort
