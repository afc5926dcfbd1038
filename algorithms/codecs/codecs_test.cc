// SPDX-License-Identifier: Apache-2.0

// Properties common to all codecs, on every device.
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::codecs {
namespace {

// Returns the code of the Error that `call` throws.
std::optional<ErrorCode> code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

class CodecsTest : public conformance::ConformanceTest {
 protected:
  EncodeChunk encode_chunk() {
    return {.items = memory.data(),
            .count = 10,
            .coded = memory.data() + 8192,
            .capacity = 8192,
            .scratch = memory.data() + 16384,
            .result = result.data()};
  }
  DecodeChunk decode_chunk() {
    return {.coded = memory.data() + 8192,
            .bytes = 64,
            .items = memory.data(),
            .count = 10,
            .result = result.data() + 1};
  }

  const std::unique_ptr<const Codec> bounded = make_bounded_codec(100);
  const std::vector<const Codec*> codecs = {
      &delta_codec<std::uint32_t>(), &delta_codec<std::uint64_t>(), bounded.get(), &sparse_codec()};
  Buffer<std::byte> memory{device, MemorySpace::kDevice, 32768};
  Buffer<CodecResult> result{device, MemorySpace::kPinned, 2};
};

TEST_P(CodecsTest, EncodersRejectWhatTheyCannotUse) {
  const std::vector<std::function<void(EncodeChunk&)>> mistakes = {
      [](EncodeChunk& chunk) { chunk.items = nullptr; },
      [](EncodeChunk& chunk) { chunk.items = static_cast<const std::byte*>(chunk.items) + 1; },
      [](EncodeChunk& chunk) { chunk.coded = nullptr; },
      [](EncodeChunk& chunk) { chunk.coded += 8; },
      [](EncodeChunk& chunk) { chunk.result = nullptr; },
      [](EncodeChunk& chunk) { chunk.count = Codec::kMaxItems + 1; }};
  for (const Codec* codec : codecs) {
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
      EncodeChunk chunk = encode_chunk();
      mistakes[i](chunk);
      EXPECT_EQ(code_of([&] { codec->encode(*queue, chunk); }), ErrorCode::kInvalidArgument)
          << codec->name() << ", mistake " << i;
    }
  }
}

TEST_P(CodecsTest, DecodersRejectWhatTheyCannotUse) {
  const std::vector<std::function<void(DecodeChunk&)>> mistakes = {
      [](DecodeChunk& chunk) { chunk.items = nullptr; },
      [](DecodeChunk& chunk) { chunk.items = static_cast<std::byte*>(chunk.items) + 1; },
      [](DecodeChunk& chunk) { chunk.coded = nullptr; },
      [](DecodeChunk& chunk) { chunk.coded += 8; },
      [](DecodeChunk& chunk) { chunk.result = nullptr; },
      [](DecodeChunk& chunk) { chunk.count = Codec::kMaxItems + 1; }};
  for (const Codec* codec : codecs) {
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
      DecodeChunk chunk = decode_chunk();
      mistakes[i](chunk);
      EXPECT_EQ(code_of([&] { codec->decode(*queue, chunk); }), ErrorCode::kInvalidArgument)
          << codec->name() << ", mistake " << i;
    }
  }
}

TEST_P(CodecsTest, ACorruptChunkIsReportedInTheResultAndTheQueueGoesOn) {
  fill_bytes(*queue, memory.span(), std::byte{0x5A});
  for (const Codec* codec : codecs) {
    codec->decode(*queue, decode_chunk());
    EXPECT_NO_THROW(queue->wait()) << codec->name();
    EXPECT_EQ(result.data()[1].error(), CodecError::kCorrupt) << codec->name();
    EXPECT_EQ(code_of([&] { throw_if_failed(result.data()[1]); }), ErrorCode::kInvalidArgument);
  }
}

// Chunks follow one another in flight, as in a pipeline.
TEST_P(CodecsTest, EncodersAndDecodersFollowOneAnotherInTheQueue) {
  const Codec& codec = delta_codec<std::uint32_t>();
  fill_bytes(*queue, memory.span(), std::byte{1});
  codec.encode(*queue, encode_chunk());
  queue->wait();
  DecodeChunk decode = decode_chunk();
  decode.bytes = result.data()->bytes;
  codec.encode(*queue, encode_chunk());
  fill_bytes(*queue, memory.span(0, 40), std::byte{2});
  codec.decode(*queue, decode);
  std::vector<std::byte> items(48);
  copy(*queue, BufferSpan<std::byte>(std::span(items)), memory.span(0, 48));
  queue->wait();
  EXPECT_NO_THROW(throw_if_failed(result.data()[1]));
  EXPECT_EQ(items, std::vector<std::byte>(48, std::byte{1}));
}

INSTANTIATE_TEST_SUITE_P(, CodecsTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

TEST(CodecsOfAnyKindTest, HaveNames) {
  EXPECT_EQ(delta_codec<std::uint32_t>().name(), "delta-u32");
  EXPECT_EQ(delta_codec<std::uint64_t>().name(), "delta-u64");
  EXPECT_EQ(make_bounded_codec(1)->name(), "bounded-u32");
  EXPECT_EQ(sparse_codec().name(), "sparse-i16");
}

}  // namespace
}  // namespace millrace::codecs
