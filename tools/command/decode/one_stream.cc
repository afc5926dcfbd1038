// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruct_on.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/decode/decoded_stream.h>
#include <millrace/tools/command/decode/frame_writer.h>
#include <millrace/tools/command/decode/one_stream.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/video/h264/h264_input.h>
#include <millrace/tools/video/h264/parser_feed.h>
#include <millrace/tools/video/h264/session_file.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

constexpr std::int64_t kMostNotes = 5;

// Reconstructs pictures on a device, one after another.
class DeviceReconstruction {
 public:
  explicit DeviceReconstruction(const std::string& device)
      : device_(open_named_device(device)), queue_(device_->make_queue()) {}

  void operator()(const h264::ParsedPicture& picture, const h264::FindPicture& find,
                  h264::SamplePicture& output) const {
    const h264::ReconstructionJob job{&picture, find, &output};
    h264::reconstruct_on(*queue_, {&job, 1});
  }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<Queue> queue_;
};

// Decodes the stream into the file.
class StreamDecoding {
 public:
  StreamDecoding(const DecodeOptions& options, std::ostream& out)
      : options_(options),
        writer_(out),
        decoder_([this](const h264::DecodedFrame& frame) { take(frame); }, decoder_options()) {}

  void run() {
    const std::unique_ptr<h264::NalUnitSource> source =
        open_one_stream(stream(), {.described = read_session_file(options_.sdp)});
    ParserFeed feed(decoder_, [this] { return is_complete(); });
    while (!is_complete() && source->read(feed)) throw_if_interrupted();
    if (!is_complete()) decoder_.finish();
    check();
    lost_packets_ = source->lost_packets();
    notes_ = source->notes();
    if (!notes_.empty()) note(stream() + ": " + notes_);
  }

  const FrameWriter& writer() const { return writer_; }
  const h264::DecodingStatistics& statistics() const { return decoder_.statistics(); }
  std::int64_t lost_packets() const { return lost_packets_; }
  const std::string& notes() const { return notes_; }

 private:
  const std::string& stream() const { return options_.streams.front(); }

  h264::DecoderOptions decoder_options() {
    h264::DecoderOptions options;
    options.take_fault = [this](const h264::StreamFault& fault) { take(fault); };
    // A thread parses ahead, so with --frames the counts would depend on its speed.
    options.has_thread = options_.common.frames == 0;
    if (!options_.device.empty()) options.reconstruct = DeviceReconstruction(options_.device);
    return options;
  }

  // Always false without --frames: only with it may this thread read the writer before the end.
  bool is_complete() const {
    return options_.common.frames > 0 && writer_.frames() >= options_.common.frames;
  }

  void take(const h264::DecodedFrame& frame) {
    if (!is_complete()) writer_.write(frame);
    for (const std::string& text : held_) note(stream() + ": " + text);
    held_.clear();
  }

  void take(const h264::StreamFault& fault) {
    const std::string text = fault.message + " (NAL unit " + std::to_string(fault.nal_unit) +
                             ", byte " + std::to_string(fault.byte) + ", picture " +
                             std::to_string(fault.picture) + ")";
    if (first_fault_.empty()) first_fault_ = text;
    if (++faults_ > kMostNotes) return;
    if (writer_.frames() > 0) {
      note(stream() + ": " + text);
    } else {
      held_.push_back(text);
    }
  }

  // Throws unless there are frames.
  void check() const {
    if (writer_.frames() > 0) {
      if (faults_ <= kMostNotes) return;
      return note(stream() + ": " + std::to_string(faults_ - kMostNotes) + " more faults");
    }
    throw Error(ErrorCode::kIo, shown_name(stream(), NameUse::kInput) +
                                    " has no picture that can be decoded" +
                                    (first_fault_.empty() ? "" : ": " + first_fault_));
  }

  const DecodeOptions& options_;
  FrameWriter writer_;
  std::int64_t faults_ = 0;
  std::string first_fault_;
  std::vector<std::string> held_;  // Faults before the first frame: without one there is one error.
  std::int64_t lost_packets_ = 0;
  std::string notes_;
  h264::Decoder decoder_;
};

nlohmann::json to_json(const DecodeOptions& options, const StreamDecoding& decoding) {
  nlohmann::json json = to_json(DecodedStream{.stream = options.streams.front(),
                                              .output = options.output,
                                              .width = decoding.writer().width(),
                                              .height = decoding.writer().height(),
                                              .frames = decoding.writer().frames(),
                                              .statistics = decoding.statistics(),
                                              .lost_packets = decoding.lost_packets(),
                                              .notes = decoding.notes()});
  json["missing_references"] = decoding.statistics().missing_references;
  return json;
}

// Returns "1 picture" or "2 pictures".
std::string pictures_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " picture" : " pictures");
}

// Prints what is missing, and how far that spreads, unless nothing is.
void print_losses(const h264::DecodingStatistics& statistics) {
  const h264::MissingPictures& missing = statistics.missing;
  if (missing.dropped > 0) {
    std::printf("dropped: %s before one that decoding can begin with\n",
                pictures_text(missing.dropped).c_str());
  }
  if (missing.lost == 0 && statistics.concealed_macroblocks == 0 &&
      statistics.missing_references == 0) {
    return;
  }
  const std::string whole =
      missing.lost == 0 ? "" : pictures_text(missing.lost) + " as a whole, not written; ";
  std::printf(
      "lost: %s%lld macroblocks (%.2f %%) of %s, concealed by the picture before; %lld references; "
      "%.2f %% of inter macroblocks refer to concealed ones, %.2f %% to damage\n",
      whole.c_str(), static_cast<long long>(statistics.concealed_macroblocks),
      100 * statistics.concealed_fraction(),
      pictures_text(statistics.pictures_with_concealment).c_str(),
      static_cast<long long>(statistics.missing_references),
      100 * statistics.damage.concealed_reference_fraction(),
      100 * statistics.damage.damaged_reference_fraction());
}

void print_summary(const DecodeOptions& options, const StreamDecoding& decoding) {
  std::printf("%s: %dx%d, %s\n", options.streams.front().c_str(), decoding.writer().width(),
              decoding.writer().height(), frames_text(decoding.writer().frames()).c_str());
  print_losses(decoding.statistics());
  std::printf("wrote %s\n", options.output.c_str());
  if (!options.common.json_path.empty())
    std::printf("      %s\n", options.common.json_path.c_str());
}

}  // namespace

void decode_one_stream(const DecodeOptions& options) {
  check_outputs_differ({{"-o", options.output}, {"--json", options.common.json_path}},
                       {file_of_stream(options.streams.front()), options.sdp});
  InterruptGuard interrupt;
  OutputFile file(options.output, options.common.force);
  ReportFiles reports(options.common);
  StreamDecoding decoding(options, file.stream());
  decoding.run();
  reports.commit({&file}, to_json(options, decoding));
  if (!has_standard_output({options.output, options.common.json_path})) {
    print_summary(options, decoding);
  }
}

}  // namespace millrace::tools
