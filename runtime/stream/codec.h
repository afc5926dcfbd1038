// SPDX-License-Identifier: Apache-2.0

// A codec compresses a chunk of items for the link between host and device, and restores it on the
// other side.
//
//   const Codec& codec = codecs::delta_codec<std::uint32_t>();   // algorithms/codecs
//   codec.encode(*gpu_queue, {.items = keys, .count = n, .coded = coded, .capacity = capacity,
//                             .scratch = scratch, .result = result});
//   gpu_queue->wait();
//   throw_if_failed(*result);
//   if (result->bytes == 0) ...                                  // Send the items uncoded.
//   ... copy result->bytes bytes to the host ...
//   codec.decode(*host_queue, {.coded = copied, .bytes = bytes, .items = out, .count = n,
//                              .result = other_result});
//
// A codec has one format: all backends encode to the same bytes, and each decodes them. A decoder
// does not trust its input. A damaged chunk is an error or decodes to other items; the decoder
// never accesses memory outside of its arguments.
#ifndef MILLRACE_RUNTIME_STREAM_CODEC_H_
#define MILLRACE_RUNTIME_STREAM_CODEC_H_

#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace millrace {

enum class CodecError : std::uint32_t {
  kNone,
  kNotCodable,  // Encoding: an item is outside the range the codec is for.
  kCorrupt,     // Decoding: these are not the bytes of an encoder for this codec and count.
};

// The result of one operation. It is in memory that the queue's device writes and the host reads
// (pinned memory, or any on a CPU), and is complete once the queue has finished the operation. Each
// operation in flight needs one of its own.
struct CodecResult {
  std::uint64_t bytes = 0;       // Size of the coded chunk; 0 if it did not fit the capacity.
  std::uint32_t error_word = 0;  // A CodecError, as the plain word that devices write.

  CodecError error() const { return static_cast<CodecError>(error_word); }
};

// Throws kInvalidArgument with the reason if the result has an error.
void throw_if_failed(const CodecResult& result);

// Arguments of Codec::encode. The queue's device must reach all memory. The ranges must not
// overlap, and the caller keeps them unchanged until the queue has finished the operation.
struct EncodeChunk {
  const void* items = nullptr;  // Aligned as their type.
  std::size_t count = 0;        // Number of items, at most Codec::kMaxItems.
  std::byte* coded = nullptr;   // Output, aligned to kCodedAlignment.
  std::size_t capacity = 0;     // Bytes in `coded`, usually as many as the items have.
  void* scratch = nullptr;      // Codec::scratch_bytes(count) bytes, aligned to 8.
  CodecResult* result = nullptr;
};

// Arguments of Codec::decode; memory as for EncodeChunk.
struct DecodeChunk {
  const std::byte* coded = nullptr;  // Aligned to kCodedAlignment.
  std::size_t bytes = 0;             // CodecResult::bytes of the encoder.
  void* items = nullptr;             // Output for `count` items, aligned as their type.
  std::size_t count = 0;             // Number of items that were encoded.
  CodecResult* result = nullptr;     // Only the error is set; `bytes` stays 0.
};

// Codecs are immutable. All threads and queues share one object.
class Codec {
 public:
  static constexpr std::size_t kCodedAlignment = 16;

  virtual ~Codec() = default;

  // Returns a name for reports, such as "delta-u32".
  virtual std::string_view name() const = 0;

  // Returns the size of an item in bytes.
  virtual std::size_t item_bytes() const = 0;

  // Returns the capacity in bytes that every chunk of `count` items fits, even one that does not
  // shrink.
  virtual std::size_t max_coded_bytes(std::size_t count) const = 0;

  // Returns the bytes of scratch memory that encode() needs: device memory for a device.
  virtual std::size_t scratch_bytes(std::size_t count) const = 0;

  // Enqueue the work for a chunk and return at once. They reset *result when called and allocate
  // nothing. A chunk that cannot be encoded or decoded sets *result only; the queue does not fail.
  // Both throw kInvalidArgument for null or misaligned memory or a count above kMaxItems, and
  // kUnsupported if the queue's backend has no implementation.
  virtual void encode(Queue& queue, const EncodeChunk& chunk) const = 0;
  virtual void decode(Queue& queue, const DecodeChunk& chunk) const = 0;

  static constexpr std::size_t kMaxItems = std::size_t{1} << 32;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_STREAM_CODEC_H_
