// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/decode/decoded_stream.h>
#include <millrace/tools/command/decode/frame_writer.h>
#include <millrace/tools/command/decode/picture_files.h>
#include <millrace/tools/command/features/output/stream_file_stem.h>
#include <millrace/tools/command/features/output/stream_note.h>
#include <millrace/tools/files/output/output_file.h>

#include <filesystem>
#include <optional>
#include <utility>

namespace millrace::tools {

// Opens its file with the first frame, so that streams without one leave none.
class PictureFiles::Stream final : public StreamOutput {
 public:
  Stream(PictureFiles& files, const std::string& stream, std::string path)
      : files_(files), path_(std::move(path)) {
    decoded_.stream = stream;
    decoded_.output = path_;
  }

  void add(const FeatureRow& row) override {
    h264::DecodingStatistics& statistics = decoded_.statistics;
    const h264::FrameFeatures& features = row.features;
    ++statistics.pictures;
    statistics.macroblocks += features.macroblocks;
    statistics.concealed_macroblocks += features.lost_macroblocks;
    statistics.pictures_with_concealment += features.lost_macroblocks > 0 ? 1 : 0;
    statistics.damage += features.damage;
  }

  std::string add_frame(const h264::DecodedFrame& frame) override {
    try {
      if (!file_) {
        if (path_.empty()) return "has the name of another stream; decode it to another folder";
        file_.emplace(path_, files_.force_);
        writer_.emplace(file_->stream());
      }
      writer_->write(frame);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  void end(const StreamEnd& end) override {
    if (!end.error.empty()) {
      print_stream_note(decoded_.stream + ": " + end.error);
      files_.add_report(decoded_.stream, {{"stream", decoded_.stream}, {"error", end.error}});
      return;
    }
    file_->commit();
    decoded_.width = writer_->width();
    decoded_.height = writer_->height();
    decoded_.frames = end.frames;
    decoded_.statistics.faults = end.faults;
    decoded_.statistics.missing = {.lost = end.lost_pictures, .dropped = end.dropped_pictures};
    decoded_.lost_packets = end.lost_packets;
    decoded_.notes = end.notes;
    files_.add_report(decoded_.stream, to_json(decoded_));
  }

 private:
  PictureFiles& files_;
  const std::string path_;
  DecodedStream decoded_;
  std::optional<OutputFile> file_;
  std::optional<FrameWriter> writer_;
};

std::unique_ptr<StreamOutput> PictureFiles::begin(const std::string& stream) {
  return std::make_unique<Stream>(*this, stream, take_path(stream));
}

nlohmann::json PictureFiles::reports() const {
  const std::lock_guard lock(mutex_);
  nlohmann::json all = nlohmann::json::array();
  for (const auto& [stream, report] : reports_) all.push_back(report);
  return all;
}

std::string PictureFiles::take_path(const std::string& stream) {
  const std::filesystem::path name = stream_file_stem(stream) + ".y4m";
  std::string path = (std::filesystem::path(folder_) / name).string();
  const std::lock_guard lock(mutex_);
  return paths_.insert(path).second ? path : "";
}

void PictureFiles::add_report(const std::string& stream, nlohmann::json report) {
  const std::lock_guard lock(mutex_);
  reports_.emplace(stream, std::move(report));
}

}  // namespace millrace::tools
