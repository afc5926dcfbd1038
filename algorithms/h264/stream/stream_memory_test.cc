// SPDX-License-Identifier: Apache-2.0

// Memory that a stream of 1920x1080 luma samples holds at its peak, as the bytes of all allocations
// that are not freed, when it is parsed and measured and when it is decoded. Every macroblock is
// PCM, so none can have more coefficients, and all pictures that the level allows stay references.
#include <millrace/algorithms/h264/bitstream/sequence_parameters.h>
#include <millrace/algorithms/h264/bitstream/testing/small_sequence.h>
#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>
#include <millrace/algorithms/h264/encoder/syntax/write_slice.h>
#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace {

std::atomic<std::int64_t> live_bytes = 0;
std::atomic<std::int64_t> peak_bytes = 0;

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const auto bytes = static_cast<std::int64_t>(malloc_usable_size(memory));
  const std::int64_t live = live_bytes += bytes;
  for (std::int64_t peak = peak_bytes; live > peak;) {
    if (peak_bytes.compare_exchange_weak(peak, live)) break;
  }
  return memory;
}

void free_counted(void* memory) {
  if (memory == nullptr) return;
  live_bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
  return counted(std::malloc(std::max<std::size_t>(bytes, 1)));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  void* const memory = std::malloc(std::max<std::size_t>(bytes, 1));
  return memory == nullptr ? nullptr : counted(memory);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* memory = nullptr;
  const std::size_t least = std::max(static_cast<std::size_t>(alignment), sizeof(void*));
  if (posix_memalign(&memory, least, std::max<std::size_t>(bytes, 1)) != 0) throw std::bad_alloc();
  return counted(memory);
}
void operator delete(void* memory) noexcept { free_counted(memory); }
void operator delete(void* memory, std::size_t) noexcept { free_counted(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { free_counted(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { free_counted(memory); }

namespace millrace::h264 {
namespace {

constexpr std::int64_t kMostBytes = 64'000'000;
constexpr int kColumns = 120;  // 1,920 luma samples.
constexpr int kRows = 68;      // 1,080 luma samples, and 8 that are cropped.
constexpr int kPictures = 24;  // More than references.

// Returns a sequence of this size, all of whose frames that the level holds are references.
SequenceParameters sequence_1080(int level) {
  SequenceParameters sequence = small_sequence();
  sequence.level = level;
  sequence.picture_order_type = 2;
  sequence.width_in_macroblocks = kColumns;
  sequence.height_in_macroblocks = kRows;
  sequence.crop_bottom = 8;
  sequence.max_reference_frames = decoded_frame_capacity(sequence);
  return sequence;
}

// Returns picture `number` as one slice of PCM.
std::vector<std::uint8_t> picture_unit(const SequenceParameters& sequence, int number) {
  static const std::vector<Macroblock> macroblocks = [] {
    Macroblock macroblock = {};
    macroblock.type = MacroblockType::kPcm;
    macroblock.coded_block_pattern = 0x2f;
    return std::vector<Macroblock>(std::size_t{kColumns} * kRows, macroblock);
  }();
  static const std::vector<MacroblockLevels> levels = [] {
    MacroblockLevels samples = {};
    for (auto& block : samples.luma) std::fill(std::begin(block), std::end(block), 100);
    for (auto& plane : samples.chroma_ac) {
      for (auto& block : plane) std::fill(std::begin(block), std::end(block), 100);
    }
    return std::vector<MacroblockLevels>(std::size_t{kColumns} * kRows, samples);
  }();
  SliceHeader header;
  header.nal_reference = 1;
  header.nal_unit_type = number == 0 ? 5 : 1;
  header.type = SliceType::kI;
  header.frame_number = number % 16;
  return write_slice(header, sequence, {}, {macroblocks.data(), levels.data(), kColumns * kRows});
}

// Measures each picture, as `millrace features` does.
class Measuring final : public PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    const FrameFeatures features = extractor_.measure(*picture);
    pcm_ += features.kinds[static_cast<int>(MacroblockKind::kPcm)];
  }
  void release(std::int64_t picture) override { extractor_.release(picture); }
  void fault(const StreamFault& fault) override { ADD_FAILURE() << fault.message; }

  std::int64_t pcm() const { return pcm_; }

 private:
  FrameFeatureExtractor extractor_;
  std::int64_t pcm_ = 0;
};

// Pushes pictures of the sequence and returns the peak of memory, without that of the NAL units.
template <class Parser>
std::int64_t peak_of(const SequenceParameters& sequence, std::int64_t before, Parser& parser) {
  std::int64_t most = 0;
  const auto measure = [&](const auto& work) {
    peak_bytes = live_bytes.load();
    work();
    most = std::max(most, peak_bytes - before);
  };
  const std::vector<std::uint8_t> sets[] = {sequence_nal_unit(sequence), picture_nal_unit({})};
  for (const std::vector<std::uint8_t>& set : sets) parser.push_nal_unit(set);
  for (int number = 0; number < kPictures; ++number) {
    const std::vector<std::uint8_t> unit = picture_unit(sequence, number);
    measure([&] { parser.push_nal_unit(unit); });
  }
  measure([&] { parser.finish(); });
  return most;
}

TEST(StreamMemory, AStreamOf1080LinesTakesLessThan64Megabytes) {
  const SequenceParameters sequence = sequence_1080(40);
  picture_unit(sequence, 0);  // Makes what is static.
  const std::int64_t before = live_bytes;
  Measuring sink;
  std::int64_t most = 0;
  {
    StreamParser parser(sink);
    most = peak_of(sequence, before, parser);
  }
  EXPECT_EQ(sink.pcm(), std::int64_t{kPictures} * kColumns * kRows);
  // A picture's coefficients alone are 384 of a macroblock, so this test counts something.
  EXPECT_GT(most, std::int64_t{384} * kColumns * kRows);
  EXPECT_LT(most, kMostBytes);
  RecordProperty("peak_bytes", std::to_string(most));
}

struct DecodingCase {
  bool has_thread;
  int level;
  // Number of frames that the level holds: 32,768, 34,816 and 184,320 macroblocks, at most 16.
  int frames;
};

class DecodingMemoryTest : public testing::TestWithParam<DecodingCase> {};

TEST_P(DecodingMemoryTest, AStreamOf1080LinesThatIsDecodedIsBounded) {
  const SequenceParameters sequence = sequence_1080(GetParam().level);
  ASSERT_EQ(sequence.max_reference_frames, GetParam().frames);
  picture_unit(sequence, 0);
  const std::int64_t before = live_bytes;
  std::int64_t most = 0;
  int frames = 0;
  {
    Decoder decoder([&](const DecodedFrame& frame) { frames += frame.samples != nullptr ? 1 : 0; },
                    {.take_fault = [](const StreamFault& fault) { ADD_FAILURE() << fault.message; },
                     .has_thread = GetParam().has_thread});
    most = peak_of(sequence, before, decoder);
  }
  EXPECT_EQ(frames, kPictures);
  // References and the picture that is decoded have 384 samples a macroblock.
  EXPECT_GT(most, std::int64_t{GetParam().frames + 1} * 384 * kColumns * kRows);
  // More than four references keep their samples, and their macroblocks for direct prediction.
  const std::int64_t reference =
      (384 + static_cast<std::int64_t>(sizeof(Macroblock))) * kColumns * kRows;
  EXPECT_LT(most, kMostBytes + (GetParam().frames - 4) * reference);
  RecordProperty("peak_bytes", std::to_string(most));
}

INSTANTIATE_TEST_SUITE_P(, DecodingMemoryTest,
                         testing::Values(DecodingCase{false, 40, 4}, DecodingCase{true, 40, 4},
                                         DecodingCase{true, 42, 4}, DecodingCase{true, 51, 16}),
                         [](const auto& info) {
                           return "Level" + std::to_string(info.param.level) +
                                  (info.param.has_thread ? "WithAThread" : "WithoutAThread");
                         });

}  // namespace
}  // namespace millrace::h264
