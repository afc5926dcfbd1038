// SPDX-License-Identifier: Apache-2.0

// Memory that a stream of 1920x1080 luma samples holds at its peak, as the bytes of all allocations
// that are not freed. Every macroblock is PCM, so none can have more coefficients, and all pictures
// that the level allows stay references.
#include <millrace/algorithms/h264/bitstream/testing/small_sequence.h>
#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>
#include <millrace/algorithms/h264/encoder/syntax/write_slice.h>
#include <millrace/algorithms/h264/features/frame_features.h>
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
constexpr int kColumns = 120;  // Of 1,920 luma samples,
constexpr int kRows = 68;      // and of 1,080.

// Level 4.0 holds four frames of this size.
SequenceParameters sequence_1080() {
  SequenceParameters sequence = small_sequence();
  sequence.level = 40;
  sequence.max_reference_frames = 4;
  sequence.picture_order_type = 2;
  sequence.width_in_macroblocks = kColumns;
  sequence.height_in_macroblocks = kRows;
  sequence.crop_bottom = 8;
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

TEST(StreamMemory, AStreamOf1080LinesTakesLessThan64Megabytes) {
  constexpr int kPictures = 12;
  const SequenceParameters sequence = sequence_1080();
  const std::vector<std::uint8_t> sets[] = {sequence_nal_unit(sequence), picture_nal_unit({})};
  picture_unit(sequence, 0);  // Makes what is static.
  const std::int64_t before = live_bytes;
  std::int64_t most = 0;
  Measuring sink;
  {
    StreamParser parser(sink);
    for (const std::vector<std::uint8_t>& set : sets) parser.push_nal_unit(set);
    for (int number = 0; number < kPictures; ++number) {
      const std::vector<std::uint8_t> unit = picture_unit(sequence, number);
      peak_bytes = live_bytes.load();
      parser.push_nal_unit(unit);
      most = std::max(most, peak_bytes - before);
    }
    peak_bytes = live_bytes.load();
    parser.finish();
    most = std::max(most, peak_bytes - before);
  }
  EXPECT_EQ(sink.pcm(), std::int64_t{kPictures} * kColumns * kRows);
  // A picture's coefficients alone are 384 of a macroblock, so this test counts something.
  EXPECT_GT(most, std::int64_t{384} * kColumns * kRows);
  EXPECT_LT(most, kMostBytes);
  RecordProperty("peak_bytes", std::to_string(most));
}

}  // namespace
}  // namespace millrace::h264
