// SPDX-License-Identifier: Apache-2.0

// An H.264 stream whose frames or pictures are pulled: it reads, or is given, NAL units until one
// is there.
#ifndef MILLRACE_BINDINGS_C_H264_H264_STREAM_H_
#define MILLRACE_BINDINGS_C_H264_H264_STREAM_H_

#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/bindings/c/h264/h264_capture.h>
#include <millrace/c/millrace.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace millrace::c {

// The object of a millrace_h264_frame. It owns what its info points to.
struct H264Frame {
  std::int64_t index = 0;  // Counts from 0 in decoding order.
  h264::FrameFeatures features;
  std::shared_ptr<const h264::ParsedPicture> picture;
  std::vector<millrace_h264_slice> slices;

  // Returns all coefficients of all macroblocks, which are expanded when they are first requested;
  // null where the stream skips them. May be called from any thread.
  const std::int16_t* coefficients() const;

 private:
  mutable std::once_flag is_expanded_;
  mutable std::vector<h264::MacroblockCoefficients> coefficients_;
};

// The object of a millrace_h264_picture: cropped planes, one behind another.
struct H264Picture {
  std::int64_t picture = 0;  // ParsedPicture::id
  int width = 0;
  int height = 0;
  int concealed_macroblocks = 0;
  std::vector<std::uint8_t> samples;
};

struct H264StreamOptions {
  h264::ParserOptions parser = {};
  bool decodes = false;  // Gives pictures instead of frames.
};

// The object of a millrace_h264_stream. All members may be called from any thread.
class H264Stream final : private h264::PictureSink, private h264::NalUnitReceiver {
 public:
  // Makes a stream of NAL units that are pushed.
  explicit H264Stream(const H264StreamOptions& options);
  // Opens a byte stream. Throws kIo, and kUnsupported if it does not begin as one.
  H264Stream(const std::string& path, const H264StreamOptions& options);
  // Reads a stream of a capture. Throws kInvalidArgument for an index that is too large.
  H264Stream(const std::shared_ptr<const H264Capture>& capture, std::size_t index,
             const H264StreamOptions& options);

  // Throw kInvalidArgument for a stream of a file and for one that is finished.
  void push(std::span<const std::uint8_t> unit, int framing_bytes);
  void note_missing();
  void finish();

  // Return the next frame in decoding order, or picture in output order; null at the end, and where
  // NAL units have to be pushed first. Throw kIo, and at the end of a stream without frames
  // kUnsupported or kInvalidArgument, with the reason; kInvalidArgument if it gives the other.
  std::shared_ptr<H264Frame> next();
  std::shared_ptr<H264Picture> next_picture();

  // Returns the packets of RTP that were lost so far.
  std::int64_t lost_packets() const;

  std::size_t fault_count() const;
  // Throws kInvalidArgument where that fault is not kept.
  h264::StreamFault fault_at(std::size_t index) const;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override;
  void release(std::int64_t picture) override { extractor_.release(picture); }
  void fault(const h264::StreamFault& fault) override;
  void take(const h264::DecodedFrame& frame);

  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override;
  void receive_beside(std::span<const std::uint8_t> unit) override;
  void note_loss() override;

  void check_is_pushed() const;
  void push_unit(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes);
  void finish_units();
  template <class Item>
  std::shared_ptr<Item> next_of(std::deque<std::shared_ptr<Item>>& items);
  // Reads some bytes into the splitter and returns them; none at the end.
  std::span<const std::uint8_t> read_bytes();
  void check_begins_as_byte_stream();
  // Parses the file's next NAL unit, or reads some bytes where none is complete; or parses some of
  // a capture.
  void advance();
  [[noreturn]] void throw_no_frames() const;

  mutable std::mutex mutex_;
  std::string path_;                             // "" where NAL units are pushed.
  std::unique_ptr<std::FILE, CloseFile> file_;   // Set for a byte stream.
  std::unique_ptr<h264::NalUnitSource> source_;  // Set for a stream of a capture.
  std::vector<std::uint8_t> bytes_;              // Bytes of the last read.
  bool is_file_read_ = false;                    // The splitter has all of the file.
  bool is_finished_ = false;                     // The parser has all NAL units.
  h264::AnnexBSplitter splitter_;
  h264::FrameFeatureExtractor extractor_;
  std::deque<std::shared_ptr<H264Frame>> frames_;  // Frames that next() has not returned yet.
  std::deque<std::shared_ptr<H264Picture>>
      pictures_;                           // Pictures that next_picture() has not returned yet.
  std::int64_t frame_count_ = 0;           // Number of frames, or pictures, so far.
  std::vector<h264::StreamFault> faults_;  // The first ones.
  std::size_t fault_count_ = 0;
  std::string unsupported_;                     // The first fault of that kind, if any.
  std::unique_ptr<h264::StreamParser> parser_;  // Null where pictures are decoded.
  std::unique_ptr<h264::Decoder> decoder_;      // Null where they are not.
};

}  // namespace millrace::c

#endif  // MILLRACE_BINDINGS_C_H264_H264_STREAM_H_
