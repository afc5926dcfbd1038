// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/file_kind.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/container/container_length.h>
#include <millrace/tools/video/decoder/clip_decoder.h>
#include <millrace/tools/video/decoder/frame_threads.h>
#include <millrace/tools/video/decoder/image_pattern.h>
#include <millrace/tools/video/decoder/libav_pipe.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace millrace::tools {
namespace {

constexpr char kAdvice[] = "; give a clip that FFmpeg reads, or raw video with --size";

// Returns true for formats by which FFmpeg draws text or any bytes; a text file is not a video.
bool draws_text(AVCodecID codec) {
  return codec == AV_CODEC_ID_ANSI || codec == AV_CODEC_ID_BINTEXT || codec == AV_CODEC_ID_XBIN ||
         codec == AV_CODEC_ID_IDF;
}

// Returns true if the decoder concealed an error with samples made from the neighbours.
bool is_damaged(const AVFrame& frame) {
  return (frame.flags & AV_FRAME_FLAG_CORRUPT) || frame.decode_error_flags != 0;
}

bool copy_matrix(const std::uint8_t* data, std::size_t size, DisplayMatrix& matrix) {
  if (data == nullptr || size < sizeof matrix.values) return false;
  std::memcpy(matrix.values.data(), data, sizeof matrix.values);
  return true;
}

DisplayMatrix matrix_of(const AVFrame& frame, const AVStream& stream) {
  DisplayMatrix matrix;
  const AVFrameSideData* const data = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
  if (data != nullptr && copy_matrix(data->data, data->size, matrix)) return matrix;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 0)
  const AVPacketSideData* const kept =
      av_packet_side_data_get(stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data,
                              AV_PKT_DATA_DISPLAYMATRIX);
  if (kept != nullptr) copy_matrix(kept->data, kept->size, matrix);
#else
  std::size_t size = 0;
  const std::uint8_t* const kept =
      av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  copy_matrix(kept, size, matrix);
#endif
  return matrix;
}

FieldOrder field_order_of(const AVFrame& frame, const AVCodecParameters& parameters) {
  switch (parameters.field_order) {
    // Names say the field that is coded first, then the one that is shown first.
    case AV_FIELD_TT:
    case AV_FIELD_BT: return FieldOrder::kTopFirst;
    case AV_FIELD_BB:
    case AV_FIELD_TB: return FieldOrder::kBottomFirst;
    default: break;
  }
  if (!is_interlaced(frame)) return FieldOrder::kProgressive;
  return is_top_field_first(frame) ? FieldOrder::kTopFirst : FieldOrder::kBottomFirst;
}

}  // namespace

ClipDecoder::ClipDecoder(const std::string& path, int threads)
    : path_(path), threads_(threads), packet_(av_packet_alloc()), frame_(av_frame_alloc()) {
  if (!packet_ || !frame_) throw Error(ErrorCode::kOutOfMemory, "no memory to decode " + path);
  keep_libav_errors();
}

ClipDecoder::ClipDecoder(std::unique_ptr<ClipInput> input, int threads)
    : ClipDecoder(input->path(), threads) {
  input_ = std::move(input);
  AVDictionary* options = nullptr;
  // Pictures: the name is that of one file, whatever letters it has.
  av_dict_set(&options, "pattern_type", "none", 0);
  if (input_->is_pipe()) pipe_ = open_pipe(*input_);
  // A prefix, so that a colon in a name is not taken for a protocol.
  open(nullptr, pipe_ ? "" : "file:" + input_->file_path(), options);
  open_stream();
  open_codec();
  if (!pipe_) {
    const std::int64_t missing = missing_bytes(input_->file_path());
    if (missing > 0) truncated_ = ": " + bytes_missing(missing);
  }
}

std::unique_ptr<ClipDecoder> ClipDecoder::of_pattern(const std::string& pattern, int threads) {
  std::unique_ptr<ClipDecoder> decoder(new ClipDecoder(pattern, threads));
  const ImagePattern images(pattern);
  AVDictionary* options = nullptr;
  av_dict_set(&options, "pattern_type", images.is_numbered() ? "sequence" : "glob", 0);
  if (images.is_numbered()) av_dict_set_int(&options, "start_number", images.first_number(), 0);
  // A path that has a slash is no protocol.
  decoder->open(av_find_input_format("image2"), pattern.starts_with('/') ? pattern : "./" + pattern,
                options);
  decoder->open_stream();
  decoder->open_codec();
  return decoder;
}

void ClipDecoder::open(const AVInputFormat* format, const std::string& url, AVDictionary* options) {
  // A playlist must not reach for the network.
  av_dict_set(&options, "protocol_whitelist", "file", 0);
  AVFormatContext* context = nullptr;
  if (pipe_) {
    context = avformat_alloc_context();
    if (context == nullptr) throw Error(ErrorCode::kOutOfMemory, "no memory to read " + path_);
    context->pb = pipe_.get();
  }
  const int result = avformat_open_input(&context, url.c_str(), format, &options);
  container_.reset(context);
  av_dict_free(&options);
  if (result < 0) {
    if (pipe_) throw_if_interrupted();
    fail_to_open(result);
  }
}

void ClipDecoder::fail_to_open(int code) const {
  if (input_ && !pipe_) {
    const std::int64_t missing = missing_bytes(input_->file_path());
    if (missing > 0) fail("truncated: " + bytes_missing(missing) + " " + libav_reason(code));
  }
  if (pipe_ && is_iso_media(input_->start())) {
    fail(
        "cannot be read from a pipe, since its index is at the end or missing; save it as a file " +
        libav_reason(code));
  }
  if (input_) {
    const FileKind kind = kind_of(input_->start(), '\0', input_->start().size());
    if (kind.family == FileKind::Family::kPacked) {
      throw Error(ErrorCode::kIo, rejection(path_, kind, "a video"));
    }
  }
  fail("not a video " + libav_reason(code) + kAdvice);
}

void ClipDecoder::open_stream() {
  const int found = avformat_find_stream_info(container_.get(), nullptr);
  if (pipe_) throw_if_interrupted();
  if (found < 0) fail("not a video " + libav_reason(found) + kAdvice);
  const int index = av_find_best_stream(container_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (index < 0) fail("no video stream; give a clip that has one");
  for (unsigned i = 0; i < container_->nb_streams; ++i) {
    container_->streams[i]->discard = AVDISCARD_ALL;
  }
  stream_ = container_->streams[index];
  stream_->discard = AVDISCARD_DEFAULT;
  if (stream_->disposition & AV_DISPOSITION_ATTACHED_PIC) {
    fail("no video stream, only a cover; give a clip that has one");
  }
  if (draws_text(stream_->codecpar->codec_id)) fail(std::string("not a video") + kAdvice);
  has_times_ = (container_->iformat->flags & AVFMT_NOTIMESTAMPS) == 0;
}

void ClipDecoder::open_codec() {
  const AVCodec* codec = avcodec_find_decoder(stream_->codecpar->codec_id);
  if (codec == nullptr) {
    fail("FFmpeg has no decoder for " + codec_name() + "; give a clip of another codec");
  }
  int result = open_codec(*codec, threads_);
  // The system may not allow so many threads.
  if (result < 0 && doubt_) result = open_codec(*codec, 1);
  if (result < 0) {
    fail("cannot be decoded " + libav_reason(result) + "; give a clip of another codec");
  }
  watch_.emplace(*stream_->codecpar);
}

int ClipDecoder::open_codec(const AVCodec& codec, int threads) {
  codec_.reset(avcodec_alloc_context3(&codec));
  doubt_.reset();
  if (!codec_) throw Error(ErrorCode::kOutOfMemory, "no memory to decode " + path_);
  const int result = avcodec_parameters_to_context(codec_.get(), stream_->codecpar);
  if (result < 0) return result;
  // With threads by frame FFmpeg loses errors of the frames in flight, and with threads by slice it
  // does not search for missing slices; one thread reports every damage, and at the right frame.
  codec_->thread_count = frame_threads(*codec_, threads);
  if (codec_->thread_count > 1) {
    codec_->thread_type = FF_THREAD_FRAME;
    listen(*codec_, doubt_.emplace());
  }
  codec_->pkt_timebase = stream_->time_base;
  // Frames before the first key frame are marked rather than left out, so that they are counted.
  if (codec.id == AV_CODEC_ID_H264) codec_->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
  return avcodec_open2(codec_.get(), &codec, nullptr);
}

const AVFrame* ClipDecoder::next() {
  while (true) {
    const int result = receive();
    if (doubt_ && !is_sound(result)) doubt_->raise();
    if (is_in_doubt()) return nullptr;
    if (result == AVERROR(EAGAIN)) {
      feed();
    } else if (result == AVERROR_EOF) {
      return end();
    } else if (result < 0) {
      fail_here(problem_of(result));
    } else if (watch_->drops(*frame_)) {
      continue;
    } else if (is_damaged(*frame_)) {
      fail_here(problem_of(AVERROR_INVALIDDATA));
    } else {
      if (frames_ == 0) read_shape(*frame_);
      add_time(*frame_);
      ++frames_;
      return frame_.get();
    }
  }
}

void ClipDecoder::add_time(const AVFrame& frame) {
  const bool has_time = frame.pts != AV_NOPTS_VALUE;
  has_times_ = has_times_ && has_time;
  if (frames_ == 0 && has_times_) {
    const FrameRate rate = frame_rate();
    clock_.emplace(first_tick(frame.pts),
                   av_rescale_q(1, {rate.denominator, rate.numerator}, stream_->time_base));
  }
  if (clock_) {
    clock_->add(has_time ? std::optional(frame.pts) : std::nullopt, duration_of(frame));
  }
  if (has_times_) intervals_.add(frame.pts);
}

std::int64_t ClipDecoder::first_tick(std::int64_t first_frame) const {
  const std::int64_t of_all = container_->start_time;  // Rounded to microseconds.
  const std::int64_t own = stream_->start_time;
  if (of_all == AV_NOPTS_VALUE) return first_frame;
  const bool is_own =
      own != AV_NOPTS_VALUE && av_rescale_q(own, stream_->time_base, AV_TIME_BASE_Q) == of_all;
  const std::int64_t first =
      is_own ? own : av_rescale_q(of_all, AV_TIME_BASE_Q, stream_->time_base);
  return std::min(first, first_frame);
}

std::optional<TimeBase> ClipDecoder::time_base() const {
  if (!clock_) return {};
  return TimeBase{stream_->time_base.num, stream_->time_base.den};
}

int ClipDecoder::receive() {
  const LossWatch::Scope scope(*watch_);
  return avcodec_receive_frame(codec_.get(), frame_.get());
}

bool ClipDecoder::is_sound(int received) const {
  if (received == AVERROR_EOF) return problem_.what.empty() && frames_ > 0;
  return received == AVERROR(EAGAIN) || (received >= 0 && !is_damaged(*frame_));
}

const AVFrame* ClipDecoder::end() const {
  if (!problem_.what.empty()) fail_here(problem_);
  const std::int64_t lost = losses().lost;
  if (frames_ == 0 && lost > 0) {
    fail("no frames: the key picture that its " + std::to_string(lost) +
         (lost == 1 ? " picture refers" : " pictures refer") +
         " to is missing; give a clip that has it");
  }
  return nullptr;
}

void ClipDecoder::read_shape(const AVFrame& frame) {
  const AVRational aspect =
      av_guess_sample_aspect_ratio(container_.get(), stream_, const_cast<AVFrame*>(&frame));
  if (aspect.num > 0 && aspect.den > 0) aspect_ = {aspect.num, aspect.den};
  field_order_ = field_order_of(frame, *stream_->codecpar);
  matrix_ = matrix_of(frame, *stream_);
}

void ClipDecoder::feed() {
  const int read = av_read_frame(container_.get(), packet_.get());
  // A demuxer may take a read that was given up for the end of a packet or of the clip.
  if (pipe_ && pipe_->error == AVERROR_EXIT) throw_if_interrupted();
  if (read == AVERROR_EOF) {
    measure_pipe();
    return end_of_packets(problem_at_end());
  }
  if (read < 0) return end_of_packets(problem_of(read));
  if (packet_->stream_index == stream_->index) {
    // The codec would take a packet of no bytes for the end.
    if (packet_->size > 0)
      send();
    else
      ++empty_samples_;
    // Threads decode frames later, so that more samples count as skipped before them.
    if (doubt_ && empty_samples_ > 0) doubt_->raise();
  }
  av_packet_unref(packet_.get());
}

void ClipDecoder::send() {
  ++packets_;
  watch_->start(*packet_);
  // FFmpeg logs nothing of a slice that is missing from a field.
  if (doubt_ && (watch_->is_leading() || watch_->has_field())) doubt_->raise();
  const bool is_cut = packet_->flags & AV_PKT_FLAG_CORRUPT;
  int sent = AVERROR_INVALIDDATA;
  if (is_cut) {
    measure_pipe();
  } else {
    const LossWatch::Scope scope(*watch_);
    sent = avcodec_send_packet(codec_.get(), packet_.get());
  }
  if (sent >= 0) return;
  // With threads the error is that of an earlier packet, and frames behind it are still to come.
  if (doubt_) doubt_->raise();
  if (sent == AVERROR_INVALIDDATA && watch_->is_leading()) return watch_->reject_leading();
  end_of_packets(problem_of(sent));
}

void ClipDecoder::end_of_packets(Problem problem) {
  problem_ = std::move(problem);
  const int sent = avcodec_send_packet(codec_.get(), nullptr);
  // With threads the code may be that of the last packet.
  if (sent < 0 && doubt_) doubt_->raise();
}

void ClipDecoder::measure_pipe() {
  if (!pipe_) return;
  const std::string_view start = input_->start();
  const bool promises_more = missing_bytes(start, static_cast<std::int64_t>(start.size())) > 0;
  if (!promises_more) return;  // A pipe may go on for ever.
  char rest[ClipInput::kStart];
  while (input_->read_some(rest, sizeof rest) > 0) {
  }
  const std::int64_t missing = missing_bytes(start, input_->position());
  if (missing > 0) truncated_ = ": " + bytes_missing(missing);
}

ClipDecoder::Problem ClipDecoder::problem_of(int code) const {
  if (!truncated_.empty()) return {"truncated", truncated_};
  return {"damaged", " " + libav_reason(code)};
}

ClipDecoder::Problem ClipDecoder::problem_at_end() const {
  if (!truncated_.empty()) return {"truncated", truncated_};
  std::int64_t promised = 0;
  for (int i = 0; i < avformat_index_get_entries_count(stream_); ++i) {
    if (avformat_index_get_entry(stream_, i)->size > 0) ++promised;
  }
  if (packets_ >= promised) return {};
  return {"damaged", ": " + std::to_string(promised - packets_) + " of " +
                         std::to_string(promised) + " packets are missing"};
}

void ClipDecoder::fail_here(const Problem& problem) const {
  // The index came after pictures that had gone by.
  if (frames_ == 0 && pipe_ && is_iso_media(input_->start())) fail_to_open(AVERROR_INVALIDDATA);
  fail(problem.what + " at frame " + std::to_string(frames_) + problem.detail);
}

void ClipDecoder::fail(const std::string& sentence) const {
  throw Error(ErrorCode::kIo, path_ + ": " + sentence);
}

ClipLosses ClipDecoder::losses() const { return watch_->losses(); }

std::string ClipDecoder::irregular() const {
  if (!has_times_ || !intervals_.differ()) return "";
  const auto milliseconds = [this](std::int64_t ticks) {
    return std::to_string(av_rescale_q(ticks, stream_->time_base, {1, 1000}));
  };
  const FrameRate rate = frame_rate();
  return "frames last from " + milliseconds(intervals_.shortest()) + " to " +
         milliseconds(intervals_.longest()) +
         " ms (variable frame rate); they are taken as of one "
         "rate, " +
         std::to_string(rate.numerator) + "/" + std::to_string(rate.denominator);
}

// Returns the mean rate if frames have different durations: FFmpeg then guesses a rate that all of
// them fit, such as the clock's.
FrameRate ClipDecoder::frame_rate() const {
  constexpr AVRational kFastest = {240, 1};  // Highest rate of clips whose clock alone has one.
  const AVRational guess = av_guess_frame_rate(container_.get(), stream_, nullptr);
  const AVRational mean = stream_->avg_frame_rate;
  if (guess.num <= 0 || guess.den <= 0) return {};
  if (mean.num > 0 && mean.den > 0) {
    const bool is_regular = av_q2d(guess) < 1.5 * av_q2d(mean);
    return is_regular ? FrameRate{guess.num, guess.den} : FrameRate{mean.num, mean.den};
  }
  const bool is_of_clock = av_cmp_q(guess, av_inv_q(stream_->time_base)) == 0;
  if (is_of_clock && av_cmp_q(guess, kFastest) > 0) return {};
  return {guess.num, guess.den};
}

std::int64_t ClipDecoder::expected_frames() const {
  if (stream_->nb_frames > 0) return stream_->nb_frames;
  if (container_->duration <= 0 ||
      container_->duration_estimation_method == AVFMT_DURATION_FROM_BITRATE) {
    return 0;
  }
  const FrameRate rate = frame_rate();
  return av_rescale(container_->duration, rate.numerator,
                    std::int64_t{rate.denominator} * AV_TIME_BASE);
}

std::string ClipDecoder::codec_name() const {
  return avcodec_get_name(stream_->codecpar->codec_id);
}

}  // namespace millrace::tools
