// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_cores.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/encode/clip_encode.h>
#include <millrace/tools/command/encode/encode_clips.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <thread>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

// Each has groups of up to 300 MB in the host's memory.
constexpr int kMostAtOnce = 4;

bool is_folder(const std::string& path) {
  std::error_code error;
  return path.ends_with('/') || fs::is_directory(path, error);
}

// Throws Error (kIo) unless the folder is there afterwards.
void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directory(fs::path(path.ends_with('/') ? path.substr(0, path.size() - 1) : path),
                       error);
  if (error) throw Error(ErrorCode::kIo, path + ": cannot be written: " + error.message());
}

// The clips on their way.
class Encodes {
 public:
  Encodes(const std::vector<EncodeOptions>& clips, const std::shared_ptr<Device>& device,
          bool is_quiet)
      : clips_(clips), device_(device), is_quiet_(is_quiet), reports_(clips.size()) {}

  void run() {
    const std::size_t threads = std::min<std::size_t>(clips_.size(), kMostAtOnce);
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) {
      others.emplace_back([this] { work(); });
    }
    work();
    others.clear();
    const std::size_t begun = std::min<std::size_t>(next_, clips_.size());
    for (std::size_t i = begun; i < clips_.size(); ++i) {
      note(clips_[i].clip.path + ": " + interruption(interrupt_.signal()) +
           " before its first group; nothing was written");
    }
  }

  // The following are called once run() has returned.
  nlohmann::json json() const {
    nlohmann::json clips = nlohmann::json::array();
    for (const nlohmann::json& report : reports_) {
      if (!report.is_null()) clips.push_back(report);
    }
    return {{"clips", clips}, {"failed", failed_}};
  }
  std::size_t failed() const { return failed_; }
  const InterruptGuard& interrupt() const { return interrupt_; }

 private:
  void work() {
    while (!interrupt_.interrupted()) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= clips_.size()) return;
      try {
        encode(index);
      } catch (const std::exception& error) {
        fail(index, error.what());
      }
    }
  }

  void encode(std::size_t index) {
    const EncodeOptions& options = clips_[index];
    ClipEncode encode(options, device_, interrupt_);
    const std::int64_t frames = encode.encode(false);
    const std::lock_guard lock(mutex_);
    if (frames == 0) {
      note(options.clip.path + ": " + interruption(interrupt_.signal()) +
           " before the first group; nothing was written");
      return;
    }
    encode.commit();
    reports_[index] = encode.json();
    if (!is_quiet_) encode.print_line();
    if (interrupt_.interrupted()) {
      note(options.clip.path + ": " + interruption(interrupt_.signal()) + "; " +
           frames_text(frames) + " complete and written");
    }
  }

  void fail(std::size_t index, std::string message) {
    const std::string& path = clips_[index].clip.path;
    if (!message.starts_with(path)) message = path + ": " + message;
    const std::lock_guard lock(mutex_);
    note(message);
    reports_[index] = {{"clip", path}, {"error", message}};
    ++failed_;
  }

  const InterruptGuard interrupt_;
  const std::vector<EncodeOptions>& clips_;
  const std::shared_ptr<Device>& device_;
  const bool is_quiet_;
  std::atomic<std::size_t> next_ = 0;

  std::mutex mutex_;  // Guards those below, and lines of output.
  std::vector<nlohmann::json> reports_;
  std::size_t failed_ = 0;
};

}  // namespace

std::vector<EncodeOptions> options_of_clips(const EncodeOptions& options) {
  const bool has_folder = is_folder(options.out);
  if (!has_folder) {
    if (options.clips.size() > 1) {
      reject("--output is '" + options.out + "', and there are " +
             std::to_string(options.clips.size()) +
             " clips; give a folder, with / at the end of its name");
    }
    if (!options.container.empty()) {
      reject("--container is for files of a folder; leave it out, as --output is '" + options.out +
             "'");
    }
  }
  if (options.clips.size() > 1) {
    if (!options.reconstruction.empty()) reject("--reconstruction takes one clip; give one");
    if (!options.common.trace_path.empty()) reject("--trace takes one clip; give one");
  }
  std::vector<EncodeOptions> all;
  std::set<std::string> names;
  const int at_once = std::min(static_cast<int>(options.clips.size()), kMostAtOnce);
  for (const std::string& path : options.clips) {
    EncodeOptions& clip = all.emplace_back(options);
    clip.clip.path = path;
    clip.clip.reading.threads = std::max(host_cores().usable / at_once, 1);
    if (!has_folder) continue;
    const std::string extension = options.container.empty() ? "mp4" : options.container;
    const fs::path name = fs::path(clip.clip.name()).stem().string() + "." + extension;
    clip.out = (fs::path(options.out) / name).string();
    if (!names.insert(clip.out).second) {
      reject("two clips have the name " + name.string() + " in " + options.out +
             "; encode one of them to another folder");
    }
    if (options.clips.size() > 1) clip.common.json_path.clear();
  }
  if (has_folder) {
    static_cast<void>(options.encoder());  // Throws for wrong options.
    make_folder(options.out);
  }
  return all;
}

void encode_clips(const EncodeOptions& options, const std::vector<EncodeOptions>& clips,
                  const std::shared_ptr<Device>& device) {
  ReportFiles reports(options.common);
  Encodes encodes(clips, device, has_standard_output({options.common.json_path}));
  encodes.run();
  reports.commit({}, encodes.json());
  if (encodes.interrupt().interrupted()) throw ExitStatus(128 + encodes.interrupt().signal());
  constexpr int kSomeFailed = 1;
  constexpr int kAllFailed = 2;
  if (encodes.failed() == clips.size()) throw ExitStatus(kAllFailed);
  if (encodes.failed() > 0) throw ExitStatus(kSomeFailed);
}

}  // namespace millrace::tools
