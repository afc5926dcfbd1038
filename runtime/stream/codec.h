// SPDX-License-Identifier: Apache-2.0

// How a chunk of items is made smaller for the link, and restored on the other side.
//
//   const Codec& codec = codecs::delta_codec<std::uint32_t>();          // algorithms/codecs
//   codec.encode(*gpu_queue, {.items = keys, .count = n, .coded = coded, .capacity = room,
//                             .scratch = scratch, .result = result});
//   gpu_queue->wait();
//   throw_if_failed(*result);
//   if (result->bytes == 0) ...                                         // Send the items
//   themselves.
//   ... copy result->bytes bytes to the host ...
//   codec.decode(*host_queue, {.coded = copied, .bytes = bytes, .items = out, .count = n,
//                              .result = other_result});
//
// A codec has one format: whichever backend encodes, the bytes are the same, and any other decodes
// them. A decoder trusts nothing it reads: a chunk that was damaged is an error or decodes to other
// items, and never reads or writes outside of what it was given.
#ifndef MILLRACE_RUNTIME_STREAM_CODEC_H_
#define MILLRACE_RUNTIME_STREAM_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <millrace/runtime/core/queue.h>

namespace millrace {

enum class CodecError : std::uint32_t {
  kNone,
  kNotCodable,  // Encoding: an item is outside the range the codec is for.
  kCorrupt,     // Decoding: these are not the bytes of an encoder for this codec and count.
};

// What came of one chunk, written while the queue runs: in memory that the queue's device writes
// and the host reads (pinned, or any on a CPU), read once the queue has passed the operation. Each
// operation in flight has one of its own.
struct CodecResult {
  std::uint64_t bytes = 0;       // Of the coded chunk; 0 where it would not fit the capacity.
  std::uint32_t error_word = 0;  // A CodecError. Devices need the plain word.

  CodecError error() const { return static_cast<CodecError>(error_word); }
};

// Throws kInvalidArgument, and says what was wrong, unless the result's error is kNone.
void throw_if_failed(const CodecResult& result);

// All memory is such as the queue's device reaches, does not overlap, and stays as it is until the
// queue has passed the operation.
struct EncodeChunk {
  const void* items = nullptr;  // Aligned as their type.
  std::size_t count = 0;
  std::byte* coded = nullptr;  // Aligned to kCodedAlignment.
  std::size_t capacity = 0;    // The room in `coded`, most often the bytes of the items.
  void* scratch = nullptr;     // Codec::scratch_bytes(count), aligned to 8.
  CodecResult* result = nullptr;
};

struct DecodeChunk {
  const std::byte* coded = nullptr;  // Aligned to kCodedAlignment.
  std::size_t bytes = 0;             // CodecResult::bytes of its encoder.
  void* items = nullptr;             // Aligned as their type; room for `count`.
  std::size_t count = 0;             // As many as were encoded.
  CodecResult* result = nullptr;     // `bytes` stays 0.
};

// Immutable: threads and queues share one.
class Codec {
 public:
  static constexpr std::size_t kCodedAlignment = 16;

  virtual ~Codec() = default;

  // "delta-u32": for reports.
  virtual std::string_view name() const = 0;

  virtual std::size_t item_bytes() const = 0;

  // With so much room every chunk of that count fits, also one that does not shrink.
  virtual std::size_t max_coded_bytes(std::size_t count) const = 0;

  // The memory that encode() works in: device memory for a device.
  virtual std::size_t scratch_bytes(std::size_t count) const = 0;

  // Enqueue the work for a chunk; nothing is allocated. They set *result when called, and a failure
  // to encode or decode is told there alone; the queue goes on. Both throw kInvalidArgument for
  // null or misaligned memory or a count above kMaxItems, and kUnsupported where the queue's
  // backend has no implementation.
  virtual void encode(Queue& queue, const EncodeChunk& chunk) const = 0;
  virtual void decode(Queue& queue, const DecodeChunk& chunk) const = 0;

  static constexpr std::size_t kMaxItems = std::size_t{1} << 32;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_STREAM_CODEC_H_
