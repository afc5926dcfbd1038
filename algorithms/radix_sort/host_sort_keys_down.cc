#include <millrace/algorithms/radix_sort/host_sort_keys_down.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/codecs/delta_simd.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/host_threads.h>

namespace millrace::radix_sort {
namespace {

// Of the keys' own bytes, what their coded form may take to be used.
constexpr double kWorthwhileRatio = 0.8;

constexpr std::size_t kMostSegments = 8;
constexpr std::size_t kLeastSegment = std::size_t{1} << 15;

}  // namespace

KeysDown::KeysDown(SortLink& link, const SortArguments& arguments, KeyCodec codec)
    : link_(link),
      arguments_(arguments),
      key_bytes_(key_bytes(arguments.key_type)),
      takes_any_ratio_(codec == KeyCodec::kCoded) {
  if (arguments.keys_out == nullptr) return;
  if (codec == KeyCodec::kRaw) {
    segments_.push_back({.keys = {0, arguments.count}});
    return;
  }
  codec_ = key_bytes_ == 4 ? &codecs::delta_codec<std::uint32_t>()
                           : &codecs::delta_codec<std::uint64_t>();
  const auto plan =
      plan_equal_chunks(arguments.count, codecs::kTileValues, kLeastSegment, kMostSegments);
  auto* const results = link_.memory().take_array<CodecResult>(MemorySpace::kPinned, plan.size());
  scratch_ = link_.memory().take(MemorySpace::kDevice, codec_->scratch_bytes(plan[0].count));
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::size_t room = room_for(plan[i].count);
    segments_.push_back(
        {.keys = plan[i],
         .coded_on_device = link_.memory().take_array<std::byte>(MemorySpace::kDevice, room),
         .coded = link_.memory().take_array<std::byte>(MemorySpace::kPinned, room),
         .result = results + i});
    *segments_.back().result = {};
  }
}

std::size_t KeysDown::room_for(std::size_t count) const {
  const auto bytes = static_cast<double>(key_bytes_ * count);
  const auto room = static_cast<std::size_t>(bytes * (takes_any_ratio_ ? 1 : kWorthwhileRatio));
  return std::max<std::size_t>(room, Codec::kCodedAlignment);
}

void KeysDown::prepare(void* keys) {
  keys_ = keys;
  if (codec_ == nullptr) return;
  for (Segment& segment : segments_) {
    codec_->encode(link_.compute(), {.items = key_at(keys, segment.keys.first),
                                     .count = segment.keys.count,
                                     .coded = segment.coded_on_device,
                                     .capacity = room_for(segment.keys.count),
                                     .scratch = scratch_,
                                     .result = segment.result});
    segment.encoded = link_.compute().record();
  }
}

void KeysDown::send() {
  for (Segment& segment : segments_) {
    if (segment.result != nullptr) link_.wait_for(segment.encoded);
    segment.is_coded = segment.result != nullptr && segment.result->bytes > 0;
    if (segment.is_coded) {
      throw_if_failed(*segment.result);
      link_.report().codec = codec_->name();
      link_.copy_down(segment.coded, segment.coded_on_device, segment.result->bytes);
    } else {
      send_raw(segment.keys);
    }
    segment.arrived = link_.record_down();
  }
}

void KeysDown::send_raw(const Chunk& keys) {
  void* const from = key_at(keys_, keys.first);
  if (maps()) {
    link_.steps().map_keys(link_.compute(), arguments_.key_type, arguments_.order, false, from,
                           from, keys.count);
  }
  link_.down_after_compute();
  link_.copy_down(key_at(arguments_.keys_out, keys.first), from, key_bytes_ * keys.count);
}

void KeysDown::receive(std::size_t threads) {
  for (const Segment& segment : segments_) {
    link_.wait_for(segment.arrived);
    if (!segment.is_coded) continue;
    if (key_bytes_ == 4) {
      decode<std::uint32_t>(segment, threads);
    } else {
      decode<std::uint64_t>(segment, threads);
    }
  }
}

bool KeysDown::maps() const {
  return !KeyBits<std::uint64_t>::of(arguments_.key_type, arguments_.order).is_identity();
}

bool KeysDown::is_small() const {
  return std::ranges::all_of(segments_, [](const Segment& each) { return each.is_coded; });
}

template <class Bits>
void KeysDown::decode(const Segment& segment, std::size_t threads) const {
  const codecs::DeltaChunk<Bits> chunk(std::span(segment.coded, segment.result->bytes),
                                       segment.keys.count);
  auto* const out = reinterpret_cast<Bits*>(key_at(arguments_.keys_out, segment.keys.first));
  const auto map = KeyBits<Bits>::of(arguments_.key_type, arguments_.order);
  const auto stores = map.is_identity() ? codecs::Stores::kStreaming : codecs::Stores::kCached;
  std::atomic<bool> is_intact = true;
  HostThreads& team = HostThreads::shared();
  const std::size_t parts = threads == 0 ? static_cast<std::size_t>(team.count()) : threads;
  team.for_each(parts, [&](std::size_t part) {
    const std::size_t end = chunk.tiles() * (part + 1) / parts;
    for (std::size_t t = chunk.tiles() * part / parts; t < end; ++t) {
      const std::span<Bits> values = chunk.values_of(t, out);
      if (!codecs::decode_tile(chunk.tile(t), values, stores)) is_intact = false;
      if (map.is_identity()) continue;
      for (Bits& value : values) value = map.raw(value);
    }
  });
  if (!is_intact) throw Error(ErrorCode::kInternal, "sorted keys were damaged on their way down");
}

}  // namespace millrace::radix_sort
