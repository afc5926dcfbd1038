// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/muxer/h264_muxer.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr int kSequenceParameters = 7;  // nal_unit_type
constexpr int kPictureParameters = 8;

struct MuxerDeleter {
  void operator()(AVFormatContext* context) const { avformat_free_context(context); }
};

const char* name_of(Container container) {
  return container == Container::kMp4 ? "mp4" : "matroska";
}

// Returns the parameter sets of an access unit, each with a start code.
std::vector<std::uint8_t> parameter_sets_of(std::span<const std::uint8_t> access_unit) {
  std::vector<std::uint8_t> sets;
  h264::AnnexBSplitter splitter;
  splitter.push(access_unit);
  splitter.finish();
  while (const std::optional<h264::NalUnit> unit = splitter.next()) {
    const int type = unit->bytes[0] & 31;
    if (type != kSequenceParameters && type != kPictureParameters) continue;
    sets.insert(sets.end(), {0, 0, 0, 1});
    sets.insert(sets.end(), unit->bytes.begin(), unit->bytes.end());
  }
  return sets;
}

// Lets a muxer write to a file. FFmpeg is C: what the file throws is kept while its code returns.
class FileContext {
 public:
  explicit FileContext(OutputFile& file) : file_(file) {
    constexpr int kBuffer = 1 << 16;
    auto* const buffer = static_cast<unsigned char*>(av_malloc(kBuffer));
    // The type of the bytes differs between versions of FFmpeg.
    context_.reset(buffer == nullptr
                       ? nullptr
                       : avio_alloc_context(
                             buffer, kBuffer, 1, this, nullptr,
                             [](void* self, auto* bytes, int size) {
                               return static_cast<FileContext*>(self)->write(bytes, size);
                             },
                             file.is_direct() ? nullptr : seek));
    if (!context_) {
      av_free(buffer);
      throw Error(ErrorCode::kOutOfMemory, "no memory to write " + file.path());
    }
    context_->seekable = file.is_direct() ? 0 : AVIO_SEEKABLE_NORMAL;
  }

  AVIOContext* context() { return context_.get(); }

  // Throws what the file has thrown.
  void check() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  void flush() {
    avio_flush(context_.get());
    check();
  }

 private:
  int write(const std::uint8_t* bytes, int size) {
    return guarded([&] {
      file_.stream().write(reinterpret_cast<const char*>(bytes), size);
      position_ += size;
      end_ = std::max(end_, position_);
      return size;
    });
  }

  static std::int64_t seek(void* self, std::int64_t offset, int whence) {
    auto& context = *static_cast<FileContext*>(self);
    if (whence == AVSEEK_SIZE) return context.end_;
    if (whence != SEEK_SET) return AVERROR(ENOSYS);
    return context.guarded([&] {
      context.file_.stream().seekp(offset);
      return context.position_ = offset;
    });
  }

  template <class Work>
  auto guarded(const Work& work) -> decltype(work()) {
    if (error_) return AVERROR(EIO);
    try {
      return work();
    } catch (...) {
      error_ = std::current_exception();
      return AVERROR(EIO);
    }
  }

  OutputFile& file_;
  LibavPointer<AVIOContext> context_;
  std::exception_ptr error_;
  std::int64_t position_ = 0;
  std::int64_t end_ = 0;
};

}  // namespace

struct H264Muxer::State {
  State(OutputFile& file, const H264MuxerFormat& the_format)
      : format(the_format), output(file), packet(av_packet_alloc()) {
    keep_libav_errors();
    AVFormatContext* allocated = nullptr;
    avformat_alloc_output_context2(&allocated, nullptr, name_of(format.container), nullptr);
    context.reset(allocated);
    if (!context) {
      throw Error(ErrorCode::kUnsupported, file.path() + ": the linked libavformat has no muxer '" +
                                               name_of(format.container) +
                                               "'; give a name that ends in .264");
    }
    if (!packet) throw Error(ErrorCode::kOutOfMemory, "no memory to write " + file.path());
    context->pb = output.context();
    // Without the time and random numbers, so that equal streams give equal files.
    context->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
    stream = avformat_new_stream(context.get(), nullptr);
    if (stream == nullptr)
      throw Error(ErrorCode::kOutOfMemory, "no memory to write " + file.path());
  }

  void require(int code, const char* what) {
    output.check();
    if (code >= 0) return;
    throw Error(ErrorCode::kInternal,
                std::string("libavformat cannot write ") + what + ' ' + libav_reason(code));
  }

  void write_header(std::span<const std::uint8_t> access_unit, std::int64_t first_time) {
    AVCodecParameters& parameters = *stream->codecpar;
    parameters.codec_type = AVMEDIA_TYPE_VIDEO;
    parameters.codec_id = AV_CODEC_ID_H264;
    parameters.format = AV_PIX_FMT_YUV420P;
    parameters.width = format.width;
    parameters.height = format.height;
    parameters.color_range = format.full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    if (format.aspect.numerator > 0 && format.aspect.denominator > 0) {
      parameters.sample_aspect_ratio = {format.aspect.numerator, format.aspect.denominator};
      stream->sample_aspect_ratio = parameters.sample_aspect_ratio;
    }
    const std::vector<std::uint8_t> sets = parameter_sets_of(access_unit);
    parameters.extradata =
        static_cast<std::uint8_t*>(av_mallocz(sets.size() + AV_INPUT_BUFFER_PADDING_SIZE));
    if (parameters.extradata == nullptr) {
      throw Error(ErrorCode::kOutOfMemory, "no memory for parameter sets");
    }
    std::memcpy(parameters.extradata, sets.data(), sets.size());
    parameters.extradata_size = static_cast<int>(sets.size());
    stream->time_base = kept_time_base();
    stream->avg_frame_rate = {format.rate.numerator, format.rate.denominator};
    AVDictionary* options = nullptr;
    if (format.container == Container::kMp4) set_mp4_options(&options, first_time > 0);
    const int code = avformat_write_header(context.get(), &options);
    av_dict_free(&options);
    require(code, "the header");
    has_header = true;
  }

  // A file that begins late has an edit list, in ticks of the movie and not of the stream, which
  // comes with the first pictures.
  void set_mp4_options(AVDictionary** options, bool begins_late) const {
    if (begins_late) av_dict_set_int(options, "movie_timescale", stream->time_base.den, 0);
    if (context->pb->seekable != 0) return;
    av_dict_set(options, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0);
    if (begins_late) av_dict_set(options, "movflags", "+delay_moov", AV_DICT_APPEND);
  }

  // Returns the clock of the times that write() is given.
  AVRational time_base() const {
    if (!format.time_base) return {format.rate.denominator, format.rate.numerator};
    return {format.time_base->numerator, format.time_base->denominator};
  }

  // Returns the clock that the file may have. Durations of MP4 have 31 bits.
  AVRational kept_time_base() const {
    constexpr AVRational kFinest = {1, 1'000'000};
    const bool is_too_fine = format.time_base && av_cmp_q(time_base(), kFinest) < 0;
    return is_too_fine ? kFinest : time_base();
  }

  // Sets the time of the next picture.
  void set_time(const PictureTime& time) {
    packet->pts = format.time_base ? time.begin : pictures;
    packet->duration = format.time_base ? time.duration : 1;
    ++pictures;
    packet->dts = packet->pts;
    av_packet_rescale_ts(packet.get(), time_base(), stream->time_base);
    if (context->oformat->flags & AVFMT_TS_NONSTRICT) return;
    packet->pts = packet->dts = std::max(packet->dts, least_time);
    least_time = packet->dts + 1;
  }

  const H264MuxerFormat format;
  FileContext output;
  std::unique_ptr<AVFormatContext, MuxerDeleter> context;
  LibavPointer<AVPacket> packet;
  AVStream* stream = nullptr;  // Stream of the context.
  std::int64_t pictures = 0;
  std::int64_t least_time = 0;  // The next picture's, in ticks of the file.
  bool has_header = false;
};

H264Muxer::H264Muxer(OutputFile& file, const H264MuxerFormat& format)
    : state_(std::make_unique<State>(file, format)) {}

H264Muxer::~H264Muxer() = default;

void H264Muxer::write(std::span<const std::uint8_t> access_unit, bool is_key,
                      const PictureTime& time) {
  State& state = *state_;
  if (!state.has_header) state.write_header(access_unit, time.begin);
  AVPacket& packet = *state.packet;
  if (av_new_packet(&packet, static_cast<int>(access_unit.size())) < 0) {
    throw Error(ErrorCode::kOutOfMemory, "no memory for a coded picture");
  }
  std::ranges::copy(access_unit, packet.data);
  packet.stream_index = state.stream->index;
  if (is_key) packet.flags |= AV_PKT_FLAG_KEY;
  state.set_time(time);
  const int code = av_write_frame(state.context.get(), &packet);
  av_packet_unref(&packet);
  state.require(code, "a picture");
}

void H264Muxer::finish() {
  if (state_->has_header) state_->require(av_write_trailer(state_->context.get()), "the end");
  state_->output.flush();
}

}  // namespace millrace::tools
