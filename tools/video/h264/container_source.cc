// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/decoder/libav_pipe.h>
#include <millrace/tools/video/h264/container_source.h>
#include <millrace/tools/video/h264/decoder_configuration.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace millrace::tools {
namespace {

constexpr int kPacketsAtOnce = 16;

// FFmpeg's last message may be of another stream, which another thread reads.
std::string reason(int code) {
  char meaning[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(code, meaning, sizeof meaning);
  return " (libav: " + std::string(meaning) + ")";
}

bool is_encrypted(const AVPacket& packet) {
  return av_packet_get_side_data(&packet, AV_PKT_DATA_ENCRYPTION_INFO, nullptr) != nullptr;
}

class ContainerSource final : public h264::NalUnitSource {
 public:
  explicit ContainerSource(std::unique_ptr<ClipInput> input)
      : input_(std::move(input)), path_(input_->path()), packet_(av_packet_alloc()) {
    if (!packet_) throw Error(ErrorCode::kOutOfMemory, "no memory to read " + path_);
    keep_libav_errors();
    open();
    find_stream();
    const AVCodecParameters& parameters = *stream_->codecpar;
    configuration_ = read_configuration(extradata(parameters));
  }

  bool read(h264::NalUnitReceiver& receiver) override {
    if (!has_begun_) begin(receiver);
    for (int i = 0; i < kPacketsAtOnce; ++i) {
      const int result = av_read_frame(container_.get(), packet_.get());
      if (pipe_ && pipe_->error == AVERROR_EXIT) throw_if_interrupted();
      if (result < 0) {
        if (!has_packet_ && pipe_) {
          fail(
              "cannot be read from a pipe, since its index is at the end or missing; save it as a "
              "file" +
              reason(result));
        }
        if (result != AVERROR_EOF) problem_ = "is damaged" + reason(result);
        splitter_.finish();
        pass_on_units(receiver);
        return false;
      }
      has_packet_ = true;
      if (packet_->stream_index == stream_->index) take(receiver);
      av_packet_unref(packet_.get());
    }
    return true;
  }

  std::string notes() const override {
    std::string text = problem_;
    if (broken_samples_ > 0) {
      text += (text.empty() ? "" : "; ") + std::to_string(broken_samples_) +
              " samples have NAL units that are longer than they are";
    }
    return text;
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(ErrorCode::kIo, path_ + ": " + sentence);
  }

  static std::span<const std::uint8_t> extradata(const AVCodecParameters& parameters) {
    if (parameters.extradata == nullptr || parameters.extradata_size <= 0) return {};
    return {parameters.extradata, static_cast<std::size_t>(parameters.extradata_size)};
  }

  // Finds the format of a file by its content alone: FFmpeg takes any file that is named .264 for a
  // byte stream. Returns FFmpeg's error code, or 0 or more.
  static int find_format(const std::string& url, const AVInputFormat*& format) {
    AVIOContext* file = nullptr;
    const int result = avio_open(&file, url.c_str(), AVIO_FLAG_READ);
    if (result < 0) return result;
    const int score = av_probe_input_buffer2(file, &format, nullptr, nullptr, 0, 0);
    avio_closep(&file);
    return score;
  }

  void open() {
    AVFormatContext* context = avformat_alloc_context();
    if (context == nullptr) throw Error(ErrorCode::kOutOfMemory, "no memory to read " + path_);
    if (input_->is_pipe()) {
      pipe_ = open_pipe(*input_);
      context->pb = pipe_.get();
    }
    // Packets as they are in the file: nothing is parsed.
    context->flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN;
    AVDictionary* options = nullptr;
    // A playlist must not reach for the network.
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    const std::string url = pipe_ ? "" : "file:" + input_->file_path();
    const AVInputFormat* format = nullptr;
    int result = pipe_ ? 0 : find_format(url, format);
    if (result < 0) avformat_free_context(std::exchange(context, nullptr));
    if (result >= 0) result = avformat_open_input(&context, url.c_str(), format, &options);
    container_.reset(context);
    av_dict_free(&options);
    if (result < 0) {
      if (pipe_) throw_if_interrupted();
      fail("is no H.264 stream, capture or video, or is encrypted as a whole" + reason(result) +
           "; give one of these");
    }
  }

  int find_h264() const {
    for (unsigned i = 0; i < container_->nb_streams; ++i) {
      if (container_->streams[i]->codecpar->codec_id == AV_CODEC_ID_H264) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }

  void find_stream() {
    int index = find_h264();
    // Reads ahead, which only containers need that say nothing at their beginning.
    if (index < 0 && avformat_find_stream_info(container_.get(), nullptr) >= 0) index = find_h264();
    if (pipe_) throw_if_interrupted();
    if (index < 0) fail_without_h264();
    for (unsigned i = 0; i < container_->nb_streams; ++i) {
      container_->streams[i]->discard = AVDISCARD_ALL;
    }
    stream_ = container_->streams[index];
    stream_->discard = AVDISCARD_DEFAULT;
  }

  [[noreturn]] void fail_without_h264() const {
    std::string codecs;
    bool is_protected = false;
    for (unsigned i = 0; i < container_->nb_streams; ++i) {
      const AVCodecParameters& parameters = *container_->streams[i]->codecpar;
      if (parameters.codec_type != AVMEDIA_TYPE_VIDEO) continue;
      is_protected = is_protected || parameters.codec_tag == MKTAG('e', 'n', 'c', 'v');
      codecs += (codecs.empty() ? "" : ", ") + std::string(avcodec_get_name(parameters.codec_id));
    }
    if (is_protected) fail("is encrypted (Common Encryption); decrypt it first");
    if (codecs.empty()) fail("has no video stream; give a file that has one of H.264");
    fail("has no H.264 stream; its video is " + codecs + "; convert it to H.264");
  }

  // Parameter sets beside the samples come first.
  void begin(h264::NalUnitReceiver& receiver) {
    has_begun_ = true;
    if (configuration_) {
      for (const auto& set : configuration_->parameter_sets) receiver.receive_beside(set);
    } else {
      h264::AnnexBSplitter sets;
      sets.push(extradata(*stream_->codecpar));
      sets.finish();
      while (const std::optional<h264::NalUnit> unit = sets.next()) {
        receiver.receive_beside(unit->bytes);
      }
    }
  }

  void take(h264::NalUnitReceiver& receiver) {
    if (is_encrypted(*packet_)) fail("is encrypted (Common Encryption); decrypt it first");
    const std::span<const std::uint8_t> sample(packet_->data,
                                               static_cast<std::size_t>(packet_->size));
    const std::int64_t byte = std::max<std::int64_t>(packet_->pos, 0);
    if (configuration_) {
      if (!pass_on_sample(sample, configuration_->length_bytes, byte, receiver)) {
        ++broken_samples_;
      }
      return;
    }
    splitter_.push(sample);
    pass_on_units(receiver);
  }

  void pass_on_units(h264::NalUnitReceiver& receiver) {
    while (const std::optional<h264::NalUnit> unit = splitter_.next()) {
      receiver.receive(unit->bytes, unit->byte, unit->start_code_bytes);
    }
  }

  std::unique_ptr<ClipInput> input_;
  std::string path_;
  LibavPointer<AVIOContext> pipe_;  // Reads a pipe; it outlives container_.
  LibavPointer<AVFormatContext> container_;
  AVStream* stream_ = nullptr;  // A stream of container_.
  LibavPointer<AVPacket> packet_;
  std::optional<DecoderConfiguration> configuration_;  // Nothing: samples are a byte stream.
  h264::AnnexBSplitter splitter_;
  bool has_begun_ = false;
  bool has_packet_ = false;
  std::int64_t broken_samples_ = 0;
  std::string problem_;
};

}  // namespace

std::unique_ptr<h264::NalUnitSource> open_container(std::unique_ptr<ClipInput> input) {
  return std::make_unique<ContainerSource>(std::move(input));
}

}  // namespace millrace::tools
