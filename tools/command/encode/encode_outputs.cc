// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/encode/encode_outputs.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/video/encoding/sample_copy.h>

#include <filesystem>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

std::string kind_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

// Returns the container that the name stands for; none for a byte stream. Throws kInvalidArgument.
std::optional<Container> container_of(const std::string& path) {
  const std::string kind = kind_of(path);
  if (kind == ".mp4") return Container::kMp4;
  if (kind == ".mkv") return Container::kMatroska;
  // The name of a pipe or a descriptor has no extension.
  if (kind == ".264" || kind == ".h264" || is_written_directly(path)) return {};
  reject("--output is '" + path + "'; give a name that ends in .264, .mp4 or .mkv");
}

bool is_y4m(const std::string& path) {
  const std::string kind = kind_of(path);
  if (kind == ".y4m" || (kind != ".yuv" && is_written_directly(path))) return true;
  if (kind == ".yuv") return false;
  reject("--reconstruction is '" + path + "'; give a name that ends in .y4m or .yuv");
}

// Checks the name before the file is opened.
std::string checked(const std::string& path) {
  static_cast<void>(container_of(path));
  return path;
}

}  // namespace

ReconstructionFile::ReconstructionFile(const std::string& path, bool force, const Y4mFormat& format)
    : file_(path, force), picture_(format.width, format.height) {
  if (is_y4m(path)) writer_.emplace(file_.stream(), format);
}

void ReconstructionFile::write(const h264::SamplePicture& samples) {
  copy_samples(samples, picture_);
  if (writer_) return writer_->write(picture_);
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const PicturePlane plane = picture_.plane(i);
    for (int y = 0; y < plane.height; ++y) {
      file_.stream().write(reinterpret_cast<const char*>(plane.row(y)), plane.width);
    }
  }
}

EncodeOutputs::EncodeOutputs(const EncodeOptions& options, const Y4mFormat& format,
                             const std::optional<TimeBase>& time_base)
    : stream_(checked(options.out), options.common.force), reports_(options.common) {
  if (const std::optional<Container> container = container_of(options.out)) {
    muxer_.emplace(stream_, H264MuxerFormat{.container = *container,
                                            .width = format.width,
                                            .height = format.height,
                                            .rate = format.rate,
                                            .time_base = time_base,
                                            .aspect = format.aspect,
                                            .full_range = format.full_range});
    keeps_times_ = time_base.has_value() && options.reconstruction.empty();
  }
  if (options.reconstruction.empty()) return;
  static_cast<void>(is_y4m(options.reconstruction));
  reconstruction_.emplace(options.reconstruction, options.common.force, format);
}

void EncodeOutputs::write(const h264::EncodedPicture& picture, const PictureTime& time) {
  if (muxer_) {
    muxer_->write(picture.bytes, picture.is_idr, time);
  } else {
    stream_.stream().write(reinterpret_cast<const char*>(picture.bytes.data()),
                           static_cast<std::streamsize>(picture.bytes.size()));
  }
  if (reconstruction_) reconstruction_->write(*picture.reconstruction);
}

void EncodeOutputs::commit(const nlohmann::json& json) {
  if (muxer_) muxer_->finish();
  std::vector<OutputFile*> files = {&stream_};
  if (reconstruction_) files.push_back(&reconstruction_->file());
  reports_.commit(files, json);
}

}  // namespace millrace::tools
