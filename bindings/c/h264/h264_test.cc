// SPDX-License-Identifier: Apache-2.0

// Tests the C interface of H.264 streams.
#include <millrace/bindings/c/expect_rejected.h>
#include <millrace/c/millrace.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

// Programs were compiled with these sizes, and bindings/python/millrace/_library.py repeats the
// structs.
static_assert(sizeof(millrace_h264_options) == 16);
static_assert(sizeof(millrace_h264_macroblock) == 316);
static_assert(sizeof(millrace_h264_slice) == 552);
static_assert(sizeof(millrace_h264_fault) == 296);
static_assert(sizeof(millrace_h264_frame_info) == 1824);

// 12 frames of 64x64 luma samples, with an IDR picture at least every 8 (tests/test_data/BUILD).
constexpr char kStream[] = "tests/test_data/streams/testsrc2_64x64.264";
constexpr std::size_t kFrames = 12;
constexpr char kInterlaced[] = "tests/test_data/streams/interlaced_64x64.264";

std::vector<std::uint8_t> read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string write_file(const char* name, const std::vector<std::uint8_t>& bytes) {
  std::string path = testing::TempDir() + name;
  std::ofstream file(path, std::ios::binary);
  for (const std::uint8_t byte : bytes) file.put(static_cast<char>(byte));
  return path;
}

// Frames, freed at the end of the test.
class Frames {
 public:
  Frames() = default;
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;
  ~Frames() {
    for (millrace_h264_frame* const frame : frames_) {
      EXPECT_EQ(millrace_h264_frame_free(frame), MILLRACE_OK);
    }
  }

  // Takes the frames that are there.
  void take(millrace_h264_stream* stream) {
    while (true) {
      millrace_h264_frame* frame = nullptr;
      ASSERT_EQ(millrace_h264_next(stream, &frame), MILLRACE_OK) << millrace_error_message();
      if (frame == nullptr) return;
      frames_.push_back(frame);
      millrace_h264_frame_info info{};
      info.size = sizeof(info);
      ASSERT_EQ(millrace_h264_frame_get(frame, &info), MILLRACE_OK) << millrace_error_message();
      infos.push_back(info);
    }
  }

  std::vector<millrace_h264_frame_info> infos;

 private:
  std::vector<millrace_h264_frame*> frames_;
};

// Takes all frames of a file, and closes it before they are used.
void take_all(const char* path, const millrace_h264_options* options, Frames& frames) {
  millrace_h264_stream* stream = nullptr;
  ASSERT_EQ(millrace_h264_open(path, options, &stream), MILLRACE_OK) << millrace_error_message();
  frames.take(stream);
  std::size_t faults = 1;
  EXPECT_EQ(millrace_h264_fault_count(stream, &faults), MILLRACE_OK);
  EXPECT_EQ(faults, 0u);
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
}

TEST(H264Test, FramesOfAFileHaveAllOfItsBytes) {
  Frames frames;
  take_all(kStream, nullptr, frames);
  ASSERT_EQ(frames.infos.size(), kFrames);
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < kFrames; ++i) {
    const millrace_h264_frame_info& info = frames.infos[i];
    EXPECT_EQ(info.frame, static_cast<std::int64_t>(i));
    EXPECT_EQ(info.width, 64);
    EXPECT_EQ(info.height, 64);
    EXPECT_EQ(info.columns, 4);
    EXPECT_EQ(info.rows, 4);
    EXPECT_EQ(info.is_idr != 0, info.frame_type == 1);
    std::int64_t bits = info.header_bits + info.other_bits;
    for (const std::int64_t of_class : info.bits) bits += of_class;
    EXPECT_EQ(bits, 8 * info.bytes);
    bytes += info.bytes;
  }
  EXPECT_EQ(frames.infos[0].is_idr, 1);
  EXPECT_EQ(bytes, static_cast<std::int64_t>(read_file(kStream).size()));
}

TEST(H264Test, MacroblocksOutliveTheStreamAndAgreeWithFeatures) {
  Frames frames;
  take_all(kStream, nullptr, frames);
  ASSERT_EQ(frames.infos.size(), kFrames);
  std::int64_t vectors = 0;
  for (const millrace_h264_frame_info& info : frames.infos) {
    ASSERT_EQ(info.macroblock_bytes, sizeof(millrace_h264_macroblock));
    ASSERT_EQ(info.slice_bytes, sizeof(millrace_h264_slice));
    ASSERT_EQ(info.slice_count, 1);
    EXPECT_EQ(info.slices[0].type, info.frame_type == 1 ? 2 : info.frame_type - 2);
    EXPECT_EQ(info.slices[0].macroblocks, 16);
    double qp_sum = 0;
    std::int64_t bits[MILLRACE_H264_SYNTAX_CLASSES] = {};
    std::int64_t skipped = 0;
    for (int m = 0; m < 16; ++m) {
      const millrace_h264_macroblock& macroblock = info.macroblocks[m];
      qp_sum += macroblock.qp;
      skipped += macroblock.type == MILLRACE_H264_SKIP ? 1 : 0;
      for (int c = 0; c < MILLRACE_H264_SYNTAX_CLASSES; ++c) bits[c] += macroblock.bits[c];
      for (int list = 0; list < 2; ++list) {
        for (int block = 0; block < 16; ++block) {
          const int reference = macroblock.references[list][block / 8 * 2 + block % 4 / 2];
          EXPECT_LT(reference, info.slices[0].reference_counts[list]);
          if (reference < 0) continue;
          ++vectors;
          const std::int64_t picture = info.slices[0].references[list][reference];
          EXPECT_GE(picture, 0);
          EXPECT_LT(picture, info.picture);
        }
      }
    }
    EXPECT_DOUBLE_EQ(info.mean_qp, qp_sum / 16);
    EXPECT_EQ(skipped, info.kinds[13] + info.kinds[14]);
    EXPECT_TRUE(std::equal(std::begin(bits), std::end(bits), info.bits));
  }
  EXPECT_GT(vectors, 0);
}

// Luma blocks of a transform of 4x4 are coded if one of their coefficients is not 0.
TEST(H264Test, CoefficientsAgreeWithCodedBlocks) {
  Frames frames;
  take_all(kStream, nullptr, frames);
  int coded = 0;
  for (const millrace_h264_frame_info& info : frames.infos) {
    ASSERT_NE(info.coefficients, nullptr);
    for (int m = 0; m < 16; ++m) {
      const millrace_h264_macroblock& macroblock = info.macroblocks[m];
      if (macroblock.has_8x8_transform != 0 || macroblock.type == MILLRACE_H264_INTRA_16X16) {
        continue;
      }
      const std::int16_t* const luma =
          info.coefficients + std::ptrdiff_t{m} * MILLRACE_H264_COEFFICIENTS;
      for (int block = 0; block < 16; ++block) {
        bool has_any = false;
        for (int i = 0; i < 16; ++i) {
          const int x = block % 4 * 4 + i % 4;
          const int y = block / 4 * 4 + i / 4;
          has_any = has_any || luma[16 * y + x] != 0;
        }
        EXPECT_EQ(macroblock.coded_blocks >> block & 1, has_any ? 1u : 0u);
        coded += has_any ? 1 : 0;
      }
    }
  }
  EXPECT_GT(coded, 0);
}

TEST(H264Test, CoefficientsMayBeSkipped) {
  millrace_h264_options options{};
  options.size = sizeof(options);
  options.skips_coefficients = 1;
  Frames frames;
  take_all(kStream, &options, frames);
  ASSERT_EQ(frames.infos.size(), kFrames);
  EXPECT_EQ(frames.infos[0].coefficients, nullptr);
  EXPECT_NE(frames.infos[0].macroblocks, nullptr);
}

struct Unit {
  const std::uint8_t* data;
  std::size_t bytes;
  int framing;  // Length of the start code.
};

// Returns the units of a byte stream whose start codes are of three and four bytes.
std::vector<Unit> units_of(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::size_t> codes;  // Offsets behind start codes.
  for (std::size_t i = 3; i <= bytes.size(); ++i) {
    if (bytes[i - 3] == 0 && bytes[i - 2] == 0 && bytes[i - 1] == 1) codes.push_back(i);
  }
  std::vector<Unit> units;
  int framing = codes[0] == 4 ? 4 : 3;
  for (std::size_t u = 0; u < codes.size(); ++u) {
    std::size_t end = bytes.size();
    int next_framing = 3;
    if (u + 1 < codes.size()) {
      end = codes[u + 1] - 3;
      if (bytes[end - 1] == 0) {
        --end;
        next_framing = 4;
      }
    }
    units.push_back({bytes.data() + codes[u], end - codes[u], framing});
    framing = next_framing;
  }
  return units;
}

TEST(H264Test, PushedUnitsGiveTheFramesOfTheFile) {
  const std::vector<std::uint8_t> bytes = read_file(kStream);
  millrace_h264_stream* stream = nullptr;
  ASSERT_EQ(millrace_h264_create(nullptr, &stream), MILLRACE_OK);
  Frames pushed;
  for (const Unit& unit : units_of(bytes)) {
    EXPECT_EQ(millrace_h264_push(stream, unit.data, unit.bytes, unit.framing), MILLRACE_OK);
    pushed.take(stream);
  }
  EXPECT_EQ(pushed.infos.size(), kFrames - 1);
  EXPECT_EQ(millrace_h264_finish(stream), MILLRACE_OK);
  pushed.take(stream);
  EXPECT_REJECTED(millrace_h264_push(stream, bytes.data(), 1, 4), MILLRACE_INVALID_ARGUMENT,
                  "the stream is finished");
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
  Frames read;
  take_all(kStream, nullptr, read);
  ASSERT_EQ(pushed.infos.size(), read.infos.size());
  for (std::size_t i = 0; i < kFrames; ++i) {
    EXPECT_EQ(pushed.infos[i].bytes, read.infos[i].bytes);
    EXPECT_EQ(pushed.infos[i].mean_qp, read.infos[i].mean_qp);
    EXPECT_EQ(pushed.infos[i].picture_order, read.infos[i].picture_order);
  }
}

TEST(H264Test, ParameterSetsFromBesideTheStreamCountToNoFrame) {
  constexpr int kSequenceSet = 7;
  constexpr int kPictureSet = 8;
  const std::vector<std::uint8_t> bytes = read_file(kStream);
  millrace_h264_stream* stream = nullptr;
  ASSERT_EQ(millrace_h264_create(nullptr, &stream), MILLRACE_OK);
  Frames frames;
  std::int64_t expected = 0;
  std::int64_t beside = 0;
  for (const Unit& unit : units_of(bytes)) {
    const int type = unit.data[0] & 31;
    const auto size = static_cast<std::int32_t>(unit.bytes);
    const bool is_beside = type == kSequenceSet || type == kPictureSet;
    const int framing = is_beside ? -size : unit.framing;
    EXPECT_EQ(millrace_h264_push(stream, unit.data, unit.bytes, framing), MILLRACE_OK);
    expected += size + framing;
    beside += is_beside ? 1 : 0;
    frames.take(stream);
  }
  EXPECT_GE(beside, 2);
  EXPECT_EQ(millrace_h264_finish(stream), MILLRACE_OK);
  frames.take(stream);
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
  ASSERT_EQ(frames.infos.size(), kFrames);
  std::int64_t sum = 0;
  for (const millrace_h264_frame_info& info : frames.infos) sum += info.bytes;
  EXPECT_EQ(sum, expected);
}

TEST(H264Test, AStreamWithoutFramesIsRejectedAtItsEnd) {
  millrace_h264_stream* stream = nullptr;
  ASSERT_EQ(millrace_h264_create(nullptr, &stream), MILLRACE_OK);
  EXPECT_EQ(millrace_h264_note_loss(stream), MILLRACE_OK);
  EXPECT_EQ(millrace_h264_finish(stream), MILLRACE_OK);
  millrace_h264_frame* frame = nullptr;
  EXPECT_REJECTED(millrace_h264_next(stream, &frame), MILLRACE_INVALID_ARGUMENT,
                  "the stream has no frame");
  EXPECT_EQ(frame, nullptr);
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
}

TEST(H264Test, ToolsThatAreNotSupportedAreNamedAtTheEnd) {
  millrace_h264_stream* stream = nullptr;
  ASSERT_EQ(millrace_h264_open(kInterlaced, nullptr, &stream), MILLRACE_OK);
  millrace_h264_frame* frame = nullptr;
  EXPECT_REJECTED(millrace_h264_next(stream, &frame), MILLRACE_UNSUPPORTED, "frame_mbs_only_flag");
  std::size_t faults = 0;
  EXPECT_EQ(millrace_h264_fault_count(stream, &faults), MILLRACE_OK);
  EXPECT_GT(faults, 0u);
  millrace_h264_fault fault{};
  fault.size = sizeof(fault);
  ASSERT_EQ(millrace_h264_fault_describe(stream, 0, &fault), MILLRACE_OK);
  EXPECT_EQ(fault.is_unsupported, 1);
  EXPECT_NE(std::string(fault.message), "");
  EXPECT_REJECTED(millrace_h264_fault_describe(stream, 1000, &fault), MILLRACE_INVALID_ARGUMENT,
                  "index is 1000; the stream has ");
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
}

TEST(H264Test, FilesThatAreNoByteStreamAreRejected) {
  millrace_h264_stream* stream = nullptr;
  EXPECT_REJECTED(millrace_h264_open("no/such.264", nullptr, &stream), MILLRACE_IO,
                  "no/such.264 cannot be opened");
  EXPECT_REJECTED(millrace_h264_open(testing::TempDir().c_str(), nullptr, &stream), MILLRACE_IO,
                  "cannot be read");
  const std::string empty = write_file("empty.264", {});
  EXPECT_REJECTED(millrace_h264_open(empty.c_str(), nullptr, &stream), MILLRACE_UNSUPPORTED,
                  "is empty");
  const std::string zeros = write_file("zeros.264", std::vector<std::uint8_t>(100, 0));
  EXPECT_REJECTED(millrace_h264_open(zeros.c_str(), nullptr, &stream), MILLRACE_UNSUPPORTED,
                  "has zeros alone");
  const std::string mp4 =
      write_file("clip.mp4", {0, 0, 0, 24, 'f', 't', 'y', 'p', 'i', 's', 'o', 'm'});
  EXPECT_REJECTED(millrace_h264_open(mp4.c_str(), nullptr, &stream), MILLRACE_UNSUPPORTED,
                  "-bsf:v h264_mp4toannexb");
}

millrace_h264_options decoding() {
  millrace_h264_options options{};
  options.size = sizeof(options);
  options.decodes = 1;
  return options;
}

TEST(H264Test, DecodedPicturesHaveTheSamplesOfPcm) {
  // A sequence and a picture parameter set, and an IDR slice of one macroblock of I_PCM.
  const std::vector<std::uint8_t> sequence = {0x67, 0x42, 0xc0, 0x0a, 0xdd, 0xc4};
  const std::vector<std::uint8_t> parameters = {0x68, 0xce, 0x38, 0x80};
  std::vector<std::uint8_t> slice = {0x65, 0x88, 0x84, 0x86, 0x80};
  for (int k = 0; k < 384; ++k) slice.push_back(static_cast<std::uint8_t>(1 + k % 255));
  slice.push_back(0x80);
  const millrace_h264_options options = decoding();
  millrace_h264_stream* stream = nullptr;
  ASSERT_EQ(millrace_h264_create(&options, &stream), MILLRACE_OK);
  for (const auto& unit : {sequence, parameters, slice}) {
    EXPECT_EQ(millrace_h264_push(stream, unit.data(), unit.size(), 4), MILLRACE_OK);
  }
  millrace_h264_picture* picture = nullptr;
  EXPECT_EQ(millrace_h264_finish(stream), MILLRACE_OK);
  ASSERT_EQ(millrace_h264_next_picture(stream, &picture), MILLRACE_OK) << millrace_error_message();
  ASSERT_NE(picture, nullptr);
  millrace_h264_picture* none = picture;
  EXPECT_EQ(millrace_h264_next_picture(stream, &none), MILLRACE_OK);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
  millrace_h264_picture_info info{};
  info.size = sizeof(info);
  ASSERT_EQ(millrace_h264_picture_get(picture, &info), MILLRACE_OK);
  EXPECT_EQ(info.width, 16);
  EXPECT_EQ(info.height, 16);
  EXPECT_EQ(info.concealed_macroblocks, 0);
  int k = 0;
  for (int plane = 0; plane < 3; ++plane) {
    const int length = plane == 0 ? 16 : 8;
    for (int y = 0; y < length; ++y) {
      for (int x = 0; x < length; ++x, ++k) {
        EXPECT_EQ(info.planes[plane][static_cast<std::size_t>(y) * info.strides[plane] +
                                     static_cast<std::size_t>(x)],
                  1 + k % 255);
      }
    }
  }
  EXPECT_EQ(millrace_h264_picture_free(picture), MILLRACE_OK);
  EXPECT_REJECTED(millrace_h264_picture_get(picture, &info), MILLRACE_INVALID_ARGUMENT,
                  "picture is a handle that was freed");
}

TEST(H264Test, AStreamGivesFramesOrPictures) {
  const millrace_h264_options options = decoding();
  millrace_h264_stream* stream = nullptr;
  ASSERT_EQ(millrace_h264_open(kStream, &options, &stream), MILLRACE_OK);
  millrace_h264_frame* frame = nullptr;
  EXPECT_REJECTED(millrace_h264_next(stream, &frame), MILLRACE_INVALID_ARGUMENT,
                  "take pictures by millrace_h264_next_picture");
  std::size_t pictures = 0;
  for (millrace_h264_picture* picture = nullptr;; ++pictures) {
    ASSERT_EQ(millrace_h264_next_picture(stream, &picture), MILLRACE_OK);
    if (picture == nullptr) break;
    EXPECT_EQ(millrace_h264_picture_free(picture), MILLRACE_OK);
  }
  EXPECT_EQ(pictures, kFrames);
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
  ASSERT_EQ(millrace_h264_open(kStream, nullptr, &stream), MILLRACE_OK);
  millrace_h264_picture* picture = nullptr;
  EXPECT_REJECTED(millrace_h264_next_picture(stream, &picture), MILLRACE_INVALID_ARGUMENT,
                  "open it with decodes = 1");
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
}

TEST(H264Test, WrongCallsAreRejected) {
  millrace_h264_stream* stream = nullptr;
  EXPECT_REJECTED(millrace_h264_open(nullptr, nullptr, &stream), MILLRACE_INVALID_ARGUMENT,
                  "path is null");
  EXPECT_REJECTED(millrace_h264_create(nullptr, nullptr), MILLRACE_INVALID_ARGUMENT,
                  "stream is null");
  ASSERT_EQ(millrace_h264_open(kStream, nullptr, &stream), MILLRACE_OK);
  const std::uint8_t unit[] = {9, 16};
  EXPECT_REJECTED(millrace_h264_push(stream, unit, 2, 4), MILLRACE_INVALID_ARGUMENT,
                  "the stream reads ");
  EXPECT_REJECTED(millrace_h264_push(stream, nullptr, 2, 4), MILLRACE_INVALID_ARGUMENT,
                  "unit is null");
  EXPECT_REJECTED(millrace_h264_push(stream, unit, 2, -1), MILLRACE_INVALID_ARGUMENT,
                  "framing_bytes is -1");
  EXPECT_REJECTED(millrace_h264_finish(stream), MILLRACE_INVALID_ARGUMENT, "the stream reads ");
  millrace_h264_frame* frame = nullptr;
  ASSERT_EQ(millrace_h264_next(stream, &frame), MILLRACE_OK);
  millrace_h264_frame_info info{};
  EXPECT_REJECTED(millrace_h264_frame_get(frame, &info), MILLRACE_INVALID_ARGUMENT,
                  "info->size is 0");
  EXPECT_REJECTED(millrace_h264_frame_get(reinterpret_cast<millrace_h264_frame*>(stream), &info),
                  MILLRACE_INVALID_ARGUMENT, "frame is the handle of a stream");
  EXPECT_EQ(millrace_h264_frame_free(frame), MILLRACE_OK);
  EXPECT_REJECTED(millrace_h264_frame_free(frame), MILLRACE_INVALID_ARGUMENT,
                  "frame is a handle that was freed");
  EXPECT_EQ(millrace_h264_close(stream), MILLRACE_OK);
  EXPECT_REJECTED(millrace_h264_next(stream, &frame), MILLRACE_INVALID_ARGUMENT,
                  "stream is a handle that was freed");
}

}  // namespace
