// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/bounded_format.h>
#include <millrace/algorithms/codecs/codec_ops.h>
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/codecs/delta_format.h>
#include <millrace/algorithms/codecs/sparse_format.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace millrace::codecs {
namespace {

void check(const char* name, const void* data, std::size_t alignment, std::size_t bytes) {
  if (bytes == 0) return;
  if (data == nullptr) reject(std::string(name) + " is null; pass the address of its memory");
  if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0) {
    reject(std::string(name) + " is not aligned; its address must be a multiple of " +
           std::to_string(alignment));
  }
}

// Directories count units of 16 bytes in 32 bits.
constexpr std::size_t kMostCodedBytes = std::size_t{1} << 36;

void check_count(const Codec& codec, std::size_t count) {
  if (count > Codec::kMaxItems || codec.max_coded_bytes(count) > kMostCodedBytes) {
    reject("chunk.count is " + std::to_string(count) + "; it must be at most " +
           std::to_string(Codec::kMaxItems) + ", and at most what fits " +
           std::to_string(kMostCodedBytes) + " coded bytes");
  }
}

// A Codec that calls the entries of its format in the tables of operations.
template <class Format>
class FormatCodec final : public Codec {
 public:
  explicit FormatCodec(Format format) : format_(format) {}

  std::string_view name() const override { return Format::kName; }
  std::size_t item_bytes() const override { return sizeof(Item); }
  std::size_t max_coded_bytes(std::size_t count) const override {
    return format_.max_coded_bytes(count);
  }
  std::size_t scratch_bytes(std::size_t count) const override {
    return format_.scratch_bytes(count);
  }

  void encode(Queue& queue, const EncodeChunk& chunk) const override {
    check_count(*this, chunk.count);
    check("chunk.items", chunk.items, alignof(Item), chunk.count);
    check("chunk.coded", chunk.coded, kCodedAlignment, chunk.capacity);
    check("chunk.scratch", chunk.scratch, alignof(std::uint64_t), scratch_bytes(chunk.count));
    check("chunk.result", chunk.result, alignof(CodecResult), sizeof(CodecResult));
    auto* const encode_on_device = &OpTable<EncodeOp<Format>>::at(queue);
    *chunk.result = {};
    encode_on_device(queue, format_, chunk);
  }

  void decode(Queue& queue, const DecodeChunk& chunk) const override {
    check_count(*this, chunk.count);
    check("chunk.items", chunk.items, alignof(Item), chunk.count);
    check("chunk.coded", chunk.coded, kCodedAlignment, chunk.bytes);
    check("chunk.result", chunk.result, alignof(CodecResult), sizeof(CodecResult));
    auto* const decode_on_device = &OpTable<DecodeOp<Format>>::at(queue);
    *chunk.result = {};
    decode_on_device(queue, format_, chunk);
  }

 private:
  using Item = typename Format::Item;
  const Format format_;
};

}  // namespace

template <class T>
const Codec& delta_codec() {
  static const FormatCodec<DeltaFormat<T>> codec({});
  return codec;
}
template const Codec& delta_codec<std::uint32_t>();
template const Codec& delta_codec<std::uint64_t>();

std::unique_ptr<const Codec> make_bounded_codec(std::uint64_t bound) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  if (bound < 1 || bound > kMost) {
    reject("bound is " + std::to_string(bound) + "; it must be 1 to " + std::to_string(kMost));
  }
  return std::make_unique<FormatCodec<BoundedFormat>>(BoundedFormat{bound});
}

const Codec& sparse_codec() {
  static const FormatCodec<SparseFormat> codec({});
  return codec;
}

}  // namespace millrace::codecs
