// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/host_cores.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/common/gather_texts.h>
#include <millrace/tools/command/common/ranks.h>
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
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

// Maximum number of clips that one device encodes at a time; each takes up to 300 MB of the host's
// memory for its groups.
constexpr std::size_t kMostAtOnce = 4;

// Encodes the clips of one rank, several at a time.
class Encodes {
 public:
  Encodes(const std::vector<EncodeOptions>& clips, const DeviceList& devices, bool is_quiet)
      : clips_(clips), devices_(devices), is_quiet_(is_quiet), reports_(clips.size()) {}

  void run() {
    const std::size_t threads = std::min(clips_.size(), kMostAtOnce * devices_.size());
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) {
      others.emplace_back([this, i] { work(devices_[i % devices_.size()]); });
    }
    if (threads > 0) work(devices_[0]);
    others.clear();
    const std::size_t begun = std::min<std::size_t>(next_, clips_.size());
    for (std::size_t i = begun; i < clips_.size(); ++i) {
      note(clips_[i].clip.path + ": " + interruption(interrupt_.signal()) +
           " before its first group; nothing was written");
    }
  }

  // The following are called once run() has returned.
  // Those of clips that were not begun, or have no complete group, are null.
  const std::vector<nlohmann::json>& reports() const { return reports_; }
  std::size_t failed() const { return failed_; }
  const InterruptGuard& interrupt() const { return interrupt_; }

 private:
  void work(const std::shared_ptr<Device>& device) {
    while (!interrupt_.interrupted()) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= clips_.size()) return;
      try {
        encode(index, device);
      } catch (const std::exception& error) {
        fail(index, error.what());
      }
    }
  }

  void encode(std::size_t index, const std::shared_ptr<Device>& device) {
    const EncodeOptions& options = clips_[index];
    ClipEncode encode(options, device, interrupt_);
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
  const DeviceList& devices_;
  const bool is_quiet_;
  std::atomic<std::size_t> next_ = 0;

  std::mutex mutex_;  // Guards those below, and lines of output.
  std::vector<nlohmann::json> reports_;
  std::size_t failed_ = 0;
};

// Returns the clips of this rank: clip i is of rank i mod size(). With `devices` they share the
// cores that the rank has for reading.
std::vector<EncodeOptions> clips_of_rank(const Communicator& world,
                                         const std::vector<EncodeOptions>& all,
                                         std::size_t devices) {
  const auto ranks = static_cast<std::size_t>(world.size());
  std::vector<EncodeOptions> clips;
  for (auto i = static_cast<std::size_t>(world.rank()); i < all.size(); i += ranks) {
    clips.push_back(all[i]);
  }
  const std::size_t at_once = std::clamp<std::size_t>(clips.size(), 1, kMostAtOnce * devices);
  const int cores = host_cores().usable / world.local_size();
  for (EncodeOptions& clip : clips) {
    clip.clip.reading.threads = std::max(cores / static_cast<int>(at_once), 1);
  }
  return clips;
}

// Collective. Returns on rank 0 the reports of all `clips` clips in their order, which ranks have
// as clips_of_rank() gives them, and nothing on the others.
nlohmann::json gather_reports(Communicator& world, const std::vector<nlohmann::json>& own,
                              std::size_t clips) {
  const std::vector<std::string> texts = gather_texts(
      world, nlohmann::json(own).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  if (world.rank() > 0) return {};
  std::vector<nlohmann::json> ranks;
  for (const std::string& text : texts) ranks.push_back(nlohmann::json::parse(text));
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < clips; ++i) {
    const nlohmann::json& report = ranks[i % ranks.size()].at(i / ranks.size());
    if (!report.is_null()) all.push_back(report);
  }
  return all;
}

}  // namespace

std::vector<EncodeOptions> options_of_clips(const EncodeOptions& options) {
  const bool has_folder = names_folder(options.out);
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
  for (const std::string& path : options.clips) {
    EncodeOptions& clip = all.emplace_back(options);
    clip.clip.path = path;
    if (!has_folder) continue;
    const std::string extension = options.container.empty() ? "mp4" : options.container;
    const fs::path name = fs::path(clip.clip.name()).stem().string() + "." + extension;
    clip.folder = options.out;
    clip.out = (fs::path(clip.folder) / name).string();
    if (!names.insert(clip.out).second) {
      reject("two clips have the name " + name.string() + " in " + options.out +
             "; encode one of them to another folder");
    }
    if (options.clips.size() > 1) clip.common.json_path.clear();
  }
  static_cast<void>(options.encoder());  // Throws for wrong options.
  return all;
}

DeviceList devices_of_rank(const Communicator& world, const std::string& name) {
  if (world.size() > 1) return {open_rank_device(world, name)};
  return open_named_group(name.empty() ? default_device() : name).devices();
}

void encode_clips(Communicator& world, const EncodeOptions& options,
                  const std::vector<EncodeOptions>& clips, const DeviceList& devices) {
  const std::vector<EncodeOptions> own = clips_of_rank(world, clips, devices.size());
  std::optional<ReportFiles> reports;
  together(world, [&] {
    if (world.rank() == 0) reports.emplace(options.common);
  });
  Encodes encodes(own, devices, has_standard_output({options.common.json_path}));
  encodes.run();
  const nlohmann::json all = gather_reports(world, encodes.reports(), clips.size());
  const std::uint64_t failed = all_sum(world, encodes.failed());
  together(world, [&] {
    if (reports) reports->commit({}, {{"clips", all}, {"failed", failed}});
  });
  if (const int signal = signal_of_any(world, encodes.interrupt())) throw ExitStatus(128 + signal);
  if (world.rank() == 0) check_failed_inputs(failed, clips.size() - failed);
}

}  // namespace millrace::tools
