// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/me/vectors/motion_overlay.h>
#include <millrace/tools/files/names/file_name.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

std::string numbered(const std::string& path, std::uint64_t index) {
  char number[32];
  std::snprintf(number, sizeof number, "-%05llu", static_cast<unsigned long long>(index));
  const fs::path name(path);
  return name.parent_path() / (name.stem().string() + number + ".png");
}

// Returns the existing numbered files from `first` on, in any order.
std::vector<std::string> numbered_files(const std::string& path, std::uint64_t first) {
  const fs::path name(path);
  const std::string start = name.stem().string() + "-";
  const fs::path folder = name.parent_path().empty() ? "." : name.parent_path();
  std::vector<std::string> files;
  std::error_code none;  // A folder that cannot be read is reported when it is written to.
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(start)) continue;
    std::uint64_t index = 0;
    std::from_chars(file.data() + start.size(), file.data() + file.size(), index);
    const std::string there = name.parent_path() / file;
    if (index >= first && there == numbered(path, index)) files.push_back(there);
  }
  return files;
}

// Rejects any numbered file: the number of pictures is not known.
void reject_numbered_files(const std::string& path) {
  const std::vector<std::string> files = numbered_files(path, 0);
  if (files.empty()) return;
  throw Error(ErrorCode::kIo, std::ranges::min(files) + ": exists already (--force replaces it)");
}

}  // namespace

MotionOverlay::MotionOverlay(const std::string& path, bool force, const VideoReader& clip,
                             const motion::SearchOptions& options)
    : path_(path),
      force_(force),
      precision_(options.precision),
      overlay_(clip.width(), clip.height(), clip.full_range()) {
  const std::string kind = fs::path(path).extension().string();
  if (kind == ".png") {
    if (!force) reject_numbered_files(path);
    start_png(0);
    return;
  }
  if (kind != ".y4m" && !is_written_directly(path)) {
    reject("--overlay is '" + path +
           "'; give a name that ends in .y4m for a video or in .png for pictures");
  }
  files_.push_back(std::make_unique<OutputFile>(path, force));
  video_.emplace(files_.back()->stream(), Y4mFormat{.width = overlay_.width(),
                                                    .height = overlay_.height(),
                                                    .rate = clip.frame_rate(),
                                                    .aspect = clip.aspect()});
}

void MotionOverlay::add(const MotionView& picture) {
  blocks_.clear();
  for (std::size_t macroblock = 0; macroblock < picture.motion.modes.size(); ++macroblock) {
    add_blocks(picture, macroblock);
  }
  write(picture.motion.index, overlay_.draw(picture.luma, blocks_));
}

std::vector<OutputFile*> MotionOverlay::files() {
  std::vector<OutputFile*> files;
  for (const auto& file : files_) files.push_back(file.get());
  return files;
}

std::string MotionOverlay::remove_rest() const {
  if (video_) return "";
  for (const std::string& path : numbered_files(path_, files_.size())) {
    std::error_code error;
    if (fs::is_directory(path, error)) continue;
    fs::remove(path, error);
    if (error) return path + ": of an earlier run, cannot be removed: " + error.message();
  }
  return "";
}

void MotionOverlay::add_blocks(const MotionView& picture, std::size_t macroblock) {
  const std::size_t per_row = picture.macroblocks_per_row();
  const int x = static_cast<int>(macroblock % per_row) * Picture::kMacroblock;
  const int y = static_cast<int>(macroblock / per_row) * Picture::kMacroblock;
  choose_partitions(picture.motion.modes[macroblock], chosen_);
  for (const ChosenPartition& chosen : chosen_) {
    const motion::Partition area = motion::partition_at(chosen.partition);
    const std::size_t position = motion::MotionField::index(macroblock, chosen.partition);
    const motion::MotionVector vector =
        chosen.kind == kSkipKind ? motion::skip_vector(picture.predictors[macroblock], precision_)
                                 : picture.motion.vectors[chosen.reference][position];
    blocks_.push_back({.x = x + area.x,
                       .y = y + area.y,
                       .width = area.width,
                       .height = area.height,
                       .vector_x = vector.x / 4.0,
                       .vector_y = vector.y / 4.0,
                       .colour = kPartitionColours[chosen.kind]});
  }
}

void MotionOverlay::write(std::uint64_t index, const RgbCanvas& canvas) {
  if (video_) {
    convert(canvas, frame_);
    video_->write(frame_);
    return;
  }
  if (index > 0) start_png(index);
  write_png(canvas, files_.back()->stream());
  files_.back()->close();  // There may be more files than a process may have open.
}

void MotionOverlay::start_png(std::uint64_t index) {
  files_.push_back(std::make_unique<OutputFile>(numbered(path_, index), force_));
}

}  // namespace millrace::tools
