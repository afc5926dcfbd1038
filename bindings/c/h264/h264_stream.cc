// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/slice.h>
#include <millrace/bindings/c/h264/h264_stream.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace millrace::c {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

std::string fault_text(const h264::StreamFault& fault) {
  return fault.message + " (NAL unit " + std::to_string(fault.nal_unit) + ", byte " +
         std::to_string(fault.byte) + ")";
}

millrace_h264_slice slice_of(const h264::Slice& slice) {
  millrace_h264_slice result{};
  result.type = static_cast<std::int32_t>(slice.header.type);
  result.qp = slice.header.qp;
  result.first_macroblock = slice.header.first_macroblock;
  result.macroblocks = slice.macroblock_count;
  result.is_damaged = slice.is_damaged ? 1 : 0;
  result.header_bits = slice.header_bits;
  result.bytes = slice.bytes;
  for (int list = 0; list < 2; ++list) {
    std::fill_n(result.references[list], MILLRACE_H264_MOST_REFERENCES, -1);
    const std::size_t count =
        std::min<std::size_t>(slice.references[list].size(), MILLRACE_H264_MOST_REFERENCES);
    result.reference_counts[list] = static_cast<std::int32_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      result.references[list][i] = slice.references[list][i].picture;
    }
  }
  return result;
}

}  // namespace

const std::int16_t* H264Frame::coefficients() const {
  const h264::PictureCoefficients& coded = picture->coefficients;
  if (!coded.are_wanted()) return nullptr;
  std::call_once(is_expanded_, [&] {
    coefficients_.resize(coded.size());
    for (std::size_t i = 0; i < coded.size(); ++i) h264::expand(coded.of(i), coefficients_[i]);
  });
  return coefficients_.front().luma;
}

H264Stream::H264Stream(const H264StreamOptions& options) {
  if (!options.decodes) {
    h264::PictureSink& sink = *this;  // The base is private to make_unique.
    parser_ = std::make_unique<h264::StreamParser>(sink, options.parser);
    return;
  }
  h264::DecoderOptions decoding;
  decoding.take_fault = [this](const h264::StreamFault& each) { fault(each); };
  decoder_ = std::make_unique<h264::Decoder>(
      [this](const h264::DecodedFrame& frame) { take(frame); }, decoding);
}

H264Stream::H264Stream(const std::string& path, const H264StreamOptions& options)
    : H264Stream(options) {
  path_ = path;
  file_.reset(std::fopen(path.c_str(), "rb"));
  bytes_.resize(kPieceBytes);
  if (!file_) {
    throw Error(ErrorCode::kIo, path_ + " cannot be opened: " + std::strerror(errno));
  }
  check_begins_as_byte_stream();
}

H264Stream::H264Stream(const std::shared_ptr<const H264Capture>& capture, std::size_t index,
                       const H264StreamOptions& options)
    : H264Stream(options) {
  path_ = capture->name(index);
  source_ = H264Capture::open_stream(capture, index);
}

void H264Stream::push(std::span<const std::uint8_t> unit, int framing_bytes) {
  const std::lock_guard lock(mutex_);
  check_is_pushed();
  push_unit(unit, 0, framing_bytes);
}

void H264Stream::note_missing() {
  const std::lock_guard lock(mutex_);
  check_is_pushed();
  note_loss();
}

void H264Stream::finish() {
  const std::lock_guard lock(mutex_);
  check_is_pushed();
  finish_units();
}

std::shared_ptr<H264Frame> H264Stream::next() {
  const std::lock_guard lock(mutex_);
  if (!parser_) reject("the stream decodes; take pictures by millrace_h264_next_picture");
  return next_of(frames_);
}

std::shared_ptr<H264Picture> H264Stream::next_picture() {
  const std::lock_guard lock(mutex_);
  if (!decoder_) reject("the stream does not decode; open it with decodes = 1");
  return next_of(pictures_);
}

template <class Item>
std::shared_ptr<Item> H264Stream::next_of(std::deque<std::shared_ptr<Item>>& items) {
  while (items.empty() && !path_.empty() && !is_finished_) advance();
  if (items.empty()) {
    if (is_finished_ && frame_count_ == 0) throw_no_frames();
    return nullptr;
  }
  std::shared_ptr<Item> item = std::move(items.front());
  items.pop_front();
  return item;
}

std::int64_t H264Stream::lost_packets() const {
  const std::lock_guard lock(mutex_);
  return source_ ? source_->lost_packets() : 0;
}

std::size_t H264Stream::fault_count() const {
  const std::lock_guard lock(mutex_);
  return fault_count_;
}

h264::StreamFault H264Stream::fault_at(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  if (index >= faults_.size()) {
    reject("index is " + std::to_string(index) + "; the stream has " +
           std::to_string(fault_count_) + " faults, of which the first " +
           std::to_string(faults_.size()) + " are kept, counted from 0");
  }
  return faults_[index];
}

void H264Stream::decode(const std::shared_ptr<const h264::ParsedPicture>& picture) {
  if (picture->is_inferred) return extractor_.skip(*picture);
  auto frame = std::make_shared<H264Frame>();
  frame->index = frame_count_++;
  frame->features = extractor_.measure(*picture);
  frame->picture = picture;
  // The addresses in its reference lists are not valid later, so the lists are copied.
  frame->slices.reserve(picture->slices.size());
  for (const h264::Slice& slice : picture->slices) frame->slices.push_back(slice_of(slice));
  frames_.push_back(std::move(frame));
}

void H264Stream::take(const h264::DecodedFrame& frame) {
  auto picture = std::make_shared<H264Picture>();
  picture->picture = frame.picture;
  picture->width = frame.width(0);
  picture->height = frame.height(0);
  picture->concealed_macroblocks = frame.concealed_macroblocks;
  for (int plane = 0; plane < 3; ++plane) {
    for (int y = 0; y < frame.height(plane); ++y) {
      const std::uint8_t* const row =
          frame.first_sample(plane) + std::ptrdiff_t{y} * frame.samples->width(plane);
      picture->samples.insert(picture->samples.end(), row, row + frame.width(plane));
    }
  }
  ++frame_count_;
  pictures_.push_back(std::move(picture));
}

void H264Stream::fault(const h264::StreamFault& fault) {
  ++fault_count_;
  if (fault.is_unsupported && unsupported_.empty()) unsupported_ = fault_text(fault);
  if (faults_.size() < MILLRACE_H264_KEPT_FAULTS) faults_.push_back(fault);
}

void H264Stream::check_is_pushed() const {
  if (!path_.empty())
    reject("the stream reads " + path_ + "; push NAL units to one without a file");
  if (is_finished_) reject("the stream is finished; make another one");
}

void H264Stream::receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) {
  push_unit(unit, byte, framing_bytes);
}

// Its bytes are taken off again: they are not the stream's.
void H264Stream::receive_beside(std::span<const std::uint8_t> unit) {
  push_unit(unit, 0, -static_cast<int>(unit.size()));
}

void H264Stream::note_loss() {
  if (parser_) parser_->note_loss();
  if (decoder_) decoder_->note_loss();
}

void H264Stream::push_unit(std::span<const std::uint8_t> unit, std::int64_t byte,
                           int framing_bytes) {
  if (parser_) parser_->push_nal_unit(unit, byte, framing_bytes);
  if (decoder_) decoder_->push_nal_unit(unit, byte, framing_bytes);
}

void H264Stream::finish_units() {
  is_finished_ = true;
  if (parser_) parser_->finish();
  if (decoder_) decoder_->finish();
}

std::span<const std::uint8_t> H264Stream::read_bytes() {
  ssize_t count = 0;
  do {
    count = ::read(::fileno(file_.get()), bytes_.data(), bytes_.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    throw Error(ErrorCode::kIo, path_ + " cannot be read: " + std::strerror(errno));
  }
  const std::span<const std::uint8_t> read(bytes_.data(), static_cast<std::size_t>(count));
  is_file_read_ = read.empty();
  if (is_file_read_) {
    splitter_.finish();
  } else {
    splitter_.push(read);
  }
  return read;
}

// Zeros may stand in front of the first start code.
void H264Stream::check_begins_as_byte_stream() {
  std::size_t zeros = 0;
  while (zeros < kPieceBytes) {
    const std::span<const std::uint8_t> read = read_bytes();
    if (read.empty()) break;
    for (const std::uint8_t byte : read) {
      if (byte == 1 && zeros >= 2) return;
      if (byte != 0 && is_h264_capture(path_)) {
        throw Error(
            ErrorCode::kUnsupported,
            path_ +
                " is a capture; open it by millrace_h264_capture_open, which finds its streams");
      }
      if (byte != 0) {
        throw Error(ErrorCode::kUnsupported,
                    path_ +
                        " does not begin with a start code, so it is no byte stream of H.264 "
                        "(Annex B); take that out of a container first, as by ffmpeg -i " +
                        path_ + " -c copy -bsf:v h264_mp4toannexb stream.264");
      }
      ++zeros;
    }
  }
  throw Error(ErrorCode::kUnsupported, path_ + (zeros == 0 ? " is empty" : " has zeros alone") +
                                           "; give a byte stream of H.264 (Annex B)");
}

void H264Stream::advance() {
  if (source_) {
    if (!source_->read(*this)) finish_units();
    return;
  }
  if (const std::optional<h264::NalUnit> unit = splitter_.next()) {
    return push_unit(unit->bytes, unit->byte, unit->start_code_bytes);
  }
  if (!is_file_read_) {
    read_bytes();
    return;
  }
  finish_units();
}

void H264Stream::throw_no_frames() const {
  const std::string name = path_.empty() ? "the stream" : path_;
  if (!unsupported_.empty()) {
    throw Error(ErrorCode::kUnsupported, name + " has no frame: " + unsupported_);
  }
  reject(name + " has no frame" + (faults_.empty() ? "" : ": " + fault_text(faults_.front())));
}

}  // namespace millrace::c
