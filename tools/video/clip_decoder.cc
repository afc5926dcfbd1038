#include <millrace/tools/video/clip_decoder.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <millrace/runtime/error.h>
#include <millrace/tools/video/container_length.h>

extern "C" {
#include <libavutil/imgutils.h>
}

namespace millrace::tools {
namespace {

// Formats that FFmpeg draws text or any bytes with; a text file is not a video.
bool draws_text(AVCodecID codec) {
  return codec == AV_CODEC_ID_ANSI || codec == AV_CODEC_ID_BINTEXT || codec == AV_CODEC_ID_XBIN ||
         codec == AV_CODEC_ID_IDF;
}

LibavPointer<AVFormatContext> open_input(const std::string& path, const AVInputFormat* format,
                                         AVDictionary** options, int& result) {
  AVFormatContext* context = nullptr;
  // A prefix, so that a colon in a name is not taken for a protocol.
  result = avformat_open_input(&context, ("file:" + path).c_str(), format, options);
  return LibavPointer<AVFormatContext>(context);
}

// An error the decoder went over, with samples made up from the neighbours.
bool is_damaged(const AVFrame& frame) {
  return (frame.flags & AV_FRAME_FLAG_CORRUPT) || frame.decode_error_flags != 0;
}

std::string bytes_missing(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " byte is" : " bytes are") + " missing";
}

}  // namespace

ClipDecoder::ClipDecoder(const std::string& path, const std::optional<RawSize>& raw_size)
    : path_(path), packet_(av_packet_alloc()), frame_(av_frame_alloc()) {
  if (!packet_ || !frame_) throw Error(ErrorCode::kOutOfMemory, "no memory to decode " + path);
  keep_libav_errors();
  check_file();
  open_container(raw_size);
  open_stream();
  open_codec();
  measure(raw_size);
}

void ClipDecoder::check_file() const {
  struct stat status = {};
  if (stat(path_.c_str(), &status) != 0 || access(path_.c_str(), R_OK) != 0) {
    fail("cannot be read: " + std::generic_category().message(errno));
  }
  if (S_ISDIR(status.st_mode)) fail("is a directory, not a video");
  if (S_ISREG(status.st_mode) && status.st_size == 0) fail("is empty");
}

void ClipDecoder::open_container(const std::optional<RawSize>& raw_size) {
  AVDictionary* options = nullptr;
  // A playlist must not reach for the network.
  av_dict_set(&options, "protocol_whitelist", "file", 0);
  const AVInputFormat* format = nullptr;
  if (raw_size) {
    format = av_find_input_format("rawvideo");
    const std::string size =
        std::to_string(raw_size->width) + "x" + std::to_string(raw_size->height);
    av_dict_set(&options, "video_size", size.c_str(), 0);
    av_dict_set(&options, "pixel_format", "yuv420p", 0);
  }
  int result = 0;
  container_ = open_input(path_, format, &options, result);
  av_dict_free(&options);
  if (result < 0) {
    const std::int64_t missing = missing_bytes(path_);
    if (missing > 0) fail("truncated: " + bytes_missing(missing) + " " + libav_reason(result));
    fail("not a video " + libav_reason(result));
  }
}

void ClipDecoder::open_stream() {
  const int found = avformat_find_stream_info(container_.get(), nullptr);
  if (found < 0) fail("not a video " + libav_reason(found));
  const int index = av_find_best_stream(container_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (index < 0) fail("no video stream");
  for (unsigned i = 0; i < container_->nb_streams; ++i) {
    container_->streams[i]->discard = AVDISCARD_ALL;
  }
  stream_ = container_->streams[index];
  stream_->discard = AVDISCARD_DEFAULT;
  if (stream_->disposition & AV_DISPOSITION_ATTACHED_PIC) fail("no video stream, only a cover");
  if (draws_text(stream_->codecpar->codec_id)) fail("not a video");
}

void ClipDecoder::open_codec() {
  const AVCodec* codec = avcodec_find_decoder(stream_->codecpar->codec_id);
  if (codec == nullptr) fail("FFmpeg has no decoder for " + codec_name());
  codec_.reset(avcodec_alloc_context3(codec));
  if (!codec_) throw Error(ErrorCode::kOutOfMemory, "no memory to decode " + path_);
  // With threads by frame FFmpeg loses errors of the frames in flight, and with threads by slice it
  // does not look for missing slices; one thread reports every damage, and at the right frame.
  codec_->thread_count = 1;
  codec_->pkt_timebase = stream_->time_base;
  int result = avcodec_parameters_to_context(codec_.get(), stream_->codecpar);
  if (result >= 0) result = avcodec_open2(codec_.get(), codec, nullptr);
  if (result < 0) fail("cannot be decoded " + libav_reason(result));
}

void ClipDecoder::measure(const std::optional<RawSize>& raw_size) {
  const AVCodecParameters& parameters = *stream_->codecpar;
  std::int64_t missing = missing_bytes(path_);
  if (raw_size) {
    struct stat status = {};
    stat(path_.c_str(), &status);
    if (status.st_size % raw_size->frame_bytes() != 0) {
      fail("truncated or of another size: " + std::to_string(status.st_size) +
           " bytes are no whole number of " + std::to_string(raw_size->width) + "x" +
           std::to_string(raw_size->height) + " frames");
    }
    known_frames_ = status.st_size / raw_size->frame_bytes();
  } else if (parameters.codec_id == AV_CODEC_ID_RAWVIDEO) {
    const Y4mLength length =
        y4m_length(path_, av_image_get_buffer_size(static_cast<AVPixelFormat>(parameters.format),
                                                   parameters.width, parameters.height, 1));
    known_frames_ = length.frames;
    missing += length.missing_bytes;
  }
  if (missing > 0) truncated_ = ": " + bytes_missing(missing);
}

const AVFrame* ClipDecoder::next() {
  while (true) {
    const int result = avcodec_receive_frame(codec_.get(), frame_.get());
    if (result == AVERROR(EAGAIN)) {
      feed();
    } else if (result == AVERROR_EOF) {
      if (!problem_.what.empty()) fail_here(problem_);
      return nullptr;
    } else if (result < 0 || is_damaged(*frame_)) {
      fail_here(problem_of(result < 0 ? result : AVERROR_INVALIDDATA));
    } else {
      ++frames_;
      return frame_.get();
    }
  }
}

void ClipDecoder::feed() {
  const int read = av_read_frame(container_.get(), packet_.get());
  if (read == AVERROR_EOF) return end_of_packets(problem_at_end());
  if (read < 0) return end_of_packets(problem_of(read));
  if (packet_->stream_index == stream_->index) {
    if (packet_->size > 0) ++packets_;
    const bool cut = packet_->flags & AV_PKT_FLAG_CORRUPT;
    const int sent = cut ? AVERROR_INVALIDDATA : avcodec_send_packet(codec_.get(), packet_.get());
    if (sent < 0) end_of_packets(problem_of(sent));
  }
  av_packet_unref(packet_.get());
}

void ClipDecoder::end_of_packets(Problem problem) {
  problem_ = std::move(problem);
  avcodec_send_packet(codec_.get(), nullptr);
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
  fail(problem.what + " at frame " + std::to_string(frames_) + problem.detail);
}

void ClipDecoder::fail(const std::string& sentence) const {
  throw Error(ErrorCode::kIo, path_ + ": " + sentence);
}

FrameRate ClipDecoder::frame_rate() const {
  const AVRational rate = av_guess_frame_rate(container_.get(), stream_, nullptr);
  return rate.num > 0 && rate.den > 0 ? FrameRate{rate.num, rate.den} : FrameRate{};
}

std::int64_t ClipDecoder::expected_frames() const {
  if (known_frames_ > 0) return known_frames_;
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
