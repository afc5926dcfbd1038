// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/me/me_outputs.h>
#include <millrace/tools/files/names/file_name.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

int macroblocks_of(int size) { return (size + Picture::kMacroblock - 1) / Picture::kMacroblock; }

MotionFileFormat format_of(const MeOptions& options, const VideoReader& clip) {
  return {.width = static_cast<std::uint32_t>(clip.width()),
          .height = static_cast<std::uint32_t>(clip.height()),
          .references = static_cast<std::uint32_t>(options.references),
          .range = static_cast<std::uint32_t>(options.range),
          .qp = static_cast<std::uint32_t>(options.qp),
          .precision = static_cast<std::uint32_t>(options.search().precision)};
}

}  // namespace

MeOutputs::MeOutputs(const MeOptions& options, const VideoReader& clip) : reports_(options.common) {
  if (!options.out.empty()) {
    const std::string kind = std::filesystem::path(options.out).extension().string();
    // The name of a pipe or a descriptor has no extension.
    const bool is_csv = kind == ".csv" || (kind != ".bin" && is_written_directly(options.out));
    if (!is_csv && kind != ".bin") {
      reject("--output is '" + options.out + "'; give a name that ends in .csv or .bin");
    }
    vectors_file_.emplace(options.out, options.common.force);
    if (is_csv) {
      csv_.emplace(vectors_file_->stream(), macroblocks_of(clip.width()), options.references);
    } else {
      binary_.emplace(vectors_file_->stream(), format_of(options, clip));
    }
  }
  if (!options.overlay.empty()) {
    overlay_.emplace(options.overlay, options.common.force, clip, options.search());
  }
}

void MeOutputs::add(const MotionView& picture) {
  if (csv_) csv_->write(picture.motion);
  if (binary_) binary_->write(picture.motion);
  if (overlay_) overlay_->add(picture);
}

void MeOutputs::commit(const nlohmann::json& json) {
  if (binary_) binary_->finish();
  std::vector<OutputFile*> files;
  if (vectors_file_) files.push_back(&*vectors_file_);
  if (overlay_) {
    for (OutputFile* const file : overlay_->files()) files.push_back(file);
  }
  reports_.commit(files, json);
  if (overlay_) note(overlay_->remove_rest());
}

}  // namespace millrace::tools
