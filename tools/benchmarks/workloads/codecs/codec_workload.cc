// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/codecs/sparse_format.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/splitmix64.h>
#include <millrace/tools/benchmarks/workloads/codecs/codec_workload.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

namespace millrace::tools {
namespace {

// Returns a number in (0, 1].
double unit(SplitMix64& random) { return static_cast<double>((random.next() >> 11) + 1) * 0x1p-53; }

// Uniform integers below 2^bits in order: the steps between them are exponential.
template <class T>
void fill_sorted(T* values, std::size_t count, int bits) {
  SplitMix64 random(1);
  const double step = std::ldexp(1.0, bits) / static_cast<double>(count + 1);
  const double most = std::ldexp(1.0, bits) * (1 - 0x1p-53);
  double at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    at = std::min(at - std::log(unit(random)) * step, most);
    values[i] = static_cast<T>(at);
  }
}

// Like those of a decoded picture: a third of the blocks empty, others with some coefficients of
// low frequency in 8x8 blocks, multiples of 16.
void fill_coefficients(codecs::CoefficientBlock* blocks, std::size_t count) {
  SplitMix64 random(1);
  for (std::size_t b = 0; b < count; ++b) {
    blocks[b] = {};
    if (random.next() % 3 == 0) continue;
    for (std::uint64_t n = 1 + random.next() % 24; n > 0; --n) {
      const std::uint64_t x =
          8 * (random.next() % 2) + (random.next() % 8) * (random.next() % 8) / 8;
      const std::uint64_t y =
          8 * (random.next() % 2) + (random.next() % 8) * (random.next() % 8) / 8;
      const int level = static_cast<int>(random.next() % 12) - 6;
      blocks[b].values[16 * y + x] = static_cast<std::int16_t>(256 * level);
    }
  }
}

template <class T>
CodecChunk sorted_chunk(const std::string& name, std::size_t count, int bits) {
  return {
      name, &codecs::delta_codec<T>(), count, static_cast<double>(count),
      [count, bits](std::byte* items) { fill_sorted(reinterpret_cast<T*>(items), count, bits); }};
}

}  // namespace

std::vector<CodecChunk> codec_chunks(std::size_t integers,
                                     std::vector<std::unique_ptr<const Codec>>& codecs) {
  codecs.push_back(codecs::make_bounded_codec(integers));
  const std::size_t blocks = integers / codecs::kSparseValues + 1;
  return {
      sorted_chunk<std::uint32_t>("sorted-u32", integers, 32),
      sorted_chunk<std::uint64_t>("sorted-u64", integers / 2, 48),
      {"indices", codecs.back().get(), integers, static_cast<double>(integers),
       [integers](std::byte* items) {
         SplitMix64 random(1);
         auto* const values = reinterpret_cast<std::uint32_t*>(items);
         for (std::size_t i = 0; i < integers; ++i) {
           values[i] = static_cast<std::uint32_t>(random.next() % integers);
         }
       }},
      {"coefficients", &codecs::sparse_codec(), blocks,
       static_cast<double>(blocks * codecs::kSparseValues),
       [blocks](std::byte* items) {
         fill_coefficients(reinterpret_cast<codecs::CoefficientBlock*>(items), blocks);
       }},
  };
}

CodecAtWork::CodecAtWork(const std::shared_ptr<Device>& device, const Codec& codec,
                         std::size_t count, const std::byte* items)
    : codec_(codec),
      count_(count),
      queue_(device->make_queue()),
      items_(device, MemorySpace::kDevice, count * codec.item_bytes()),
      coded_(device, MemorySpace::kDevice, codec.max_coded_bytes(count)),
      decoded_(device, MemorySpace::kDevice, count * codec.item_bytes()),
      scratch_(device, MemorySpace::kDevice, codec.scratch_bytes(count)),
      result_(device, MemorySpace::kPinned, 1) {
  const std::span<const std::byte> host(items, items_.size());
  millrace::copy(*queue_, items_.span(), BufferSpan<const std::byte>(host));
  encode();
}

void CodecAtWork::encode() {
  codec_.encode(*queue_, {.items = items_.data(),
                          .count = count_,
                          .coded = coded_.data(),
                          .capacity = coded_.size(),
                          .scratch = scratch_.data(),
                          .result = result_.data()});
  queue_->wait();
  throw_if_failed(*result_.data());
  coded_bytes_ = result_.data()->bytes;
}

void CodecAtWork::decode() {
  codec_.decode(*queue_, {.coded = coded_.data(),
                          .bytes = coded_bytes_,
                          .items = decoded_.data(),
                          .count = count_,
                          .result = result_.data()});
  queue_->wait();
  throw_if_failed(*result_.data());
}

void CodecAtWork::copy() {
  millrace::copy(*queue_, decoded_.span(), items_.span());
  queue_->wait();
}

std::vector<std::byte> CodecAtWork::coded() { return download(coded_.span(0, coded_bytes_)); }

void CodecAtWork::check(const std::byte* items) {
  fill_bytes(*queue_, decoded_.span(), std::byte{0xA5});
  decode();
  const std::vector<std::byte> decoded = download(decoded_.span());
  if (std::memcmp(decoded.data(), items, decoded.size()) != 0) {
    throw Error(ErrorCode::kInternal, std::string(codec_.name()) +
                                          " does not restore its input on " +
                                          queue_->device().info().name);
  }
}

std::vector<std::byte> CodecAtWork::download(BufferSpan<const std::byte> span) {
  std::vector<std::byte> bytes(span.size());
  millrace::copy(*queue_, BufferSpan<std::byte>(std::span(bytes)), span);
  queue_->wait();
  return bytes;
}

}  // namespace millrace::tools
