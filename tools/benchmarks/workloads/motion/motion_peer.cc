// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_peer.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::uint8_t kGrey = 128;

std::filesystem::path new_path() {
  static std::atomic<int> count = 0;
  return std::filesystem::temp_directory_path() /
         ("millrace-motion-" + std::to_string(::getpid()) + "-" + std::to_string(++count) + ".y4m");
}

void write_clip(const std::filesystem::path& path, const MotionWorkload& workload,
                std::size_t pictures) {
  std::ofstream file(path, std::ios::binary);
  Y4mWriter writer(file, {.width = workload.width(), .height = workload.height()});
  Picture picture(workload.width(), workload.height());
  for (const int chroma : {1, 2}) {
    const PicturePlane plane = picture.plane(chroma);
    for (int y = 0; y < plane.height; ++y) std::fill_n(plane.row(y), plane.width, kGrey);
  }
  for (std::size_t i = 0; i < pictures; ++i) {
    const PicturePlane luma = picture.plane(0);
    for (int y = 0; y < luma.height; ++y) {
      std::copy_n(workload.picture(i) + static_cast<std::ptrdiff_t>(y) * luma.width, luma.width,
                  luma.row(y));
    }
    writer.write(picture);
  }
}

}  // namespace

MotionPeer::MotionPeer(std::string program, const MotionWorkload& workload, std::size_t searches,
                       int range)
    : program_(std::move(program)), clip_(new_path()) {
  write_clip(clip_, workload, searches + 1);
  arguments_ = {"--me",         "esa",
                "--merange",    std::to_string(range),
                "--subme",      "5",
                "--partitions", "all",
                "--threads",    "1",
                "--ref",        "1",
                "--bframes",    "0",
                "--keyint",     "infinite",
                "--scenecut",   "0",
                "--qp",         "32",
                "--quiet",      "--no-progress"};
}

MotionPeer::~MotionPeer() {
  std::error_code ignored;
  std::filesystem::remove(clip_, ignored);
}

std::string MotionPeer::command() const {
  std::string text = program_;
  for (const std::string& argument : arguments_) text += " " + argument;
  return text;
}

void MotionPeer::run() const {
  std::vector<std::string> words{program_};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  words.insert(words.end(), {"--output", "/dev/null", clip_.string()});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  // It sums up what it did there, quiet or not.
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failure =
      ::posix_spawnp(&child, program_.c_str(), &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    throw Error(ErrorCode::kUnsupported, "cannot run " + program_ + ": " + std::strerror(failure));
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child) {
    throw Error(ErrorCode::kInternal, "cannot wait for " + program_ + ": " + std::strerror(errno));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  throw Error(ErrorCode::kInternal,
              program_ + " ended with " +
                  (WIFEXITED(status) ? "status " + std::to_string(WEXITSTATUS(status))
                                     : "signal " + std::to_string(WTERMSIG(status))) +
                  "; run `" + command() + " --output /dev/null CLIP` to see why");
}

}  // namespace millrace::tools
