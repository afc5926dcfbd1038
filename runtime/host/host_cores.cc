// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_cores.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr double kNoQuota = std::numeric_limits<double>::infinity();

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> fields;
  std::istringstream stream(text);
  for (std::string field; std::getline(stream, field, separator);) fields.push_back(field);
  return fields;
}

bool contains(const std::string& list, std::string_view word) {
  const auto words = split(list, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// Returns the microseconds in `text`, or 0 if it is no positive number: "max" and -1 set no limit.
double microseconds(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && std::isfinite(value) && value > 0 ? value : 0;
}

double quota_of(double quota, double period) {
  return quota > 0 && period > 0 ? quota / period : kNoQuota;
}

// Return the limit that one control group sets, without the groups that contain it.
double quota_of_version_1(const fs::path& group) {
  return quota_of(microseconds(first_line(group / "cpu.cfs_quota_us")),
                  microseconds(first_line(group / "cpu.cfs_period_us")));
}

double quota_of_version_2(const fs::path& group) {
  const auto words = split(first_line(group / "cpu.max"), ' ');
  return words.size() == 2 ? quota_of(microseconds(words[0]), microseconds(words[1])) : kNoQuota;
}

// A mounted hierarchy of control groups that may limit processors.
struct Hierarchy {
  bool is_version_2 = false;
  std::string root;   // The group that is mounted.
  std::string point;  // The mount point.
};

// Decodes mountinfo's escapes: spaces, tabs, line breaks and backslashes are written as \ and three
// octal digits.
std::string unescape(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    const bool is_escape =
        text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 1] + 3, code, 8).ptr == &text[i + 1] + 3;
    plain += is_escape ? static_cast<char>(code) : text[i];
    if (is_escape) i += 3;
  }
  return plain;
}

// Parses lines of the form "ID PARENT DEVICE ROOT POINT OPTIONS [MORE...] - TYPE SOURCE OPTIONS".
std::vector<Hierarchy> mounted_hierarchies(const fs::path& mountinfo) {
  std::vector<Hierarchy> found;
  std::ifstream stream(mountinfo);
  for (std::string line; std::getline(stream, line);) {
    const auto words = split(line, ' ');
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (dash - words.begin() < 6 || words.end() - dash < 4) continue;
    const bool is_version_2 = dash[1] == "cgroup2";
    if (!is_version_2 && !(dash[1] == "cgroup" && contains(dash[3], "cpu"))) continue;
    found.push_back({is_version_2, unescape(words[3]), unescape(words[4])});
  }
  return found;
}

// Returns the group of the process in a hierarchy from /proc/self/cgroup. A line is
// "NUMBER:CONTROLLERS:GROUP"; version 2 has the number 0 and no controllers.
std::string group_of_process(const fs::path& file, bool is_version_2) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_it = is_version_2 ? line.substr(0, first) == "0" && controllers.empty()
                                    : contains(controllers, "cpu");
    if (is_it) return line.substr(second + 1);
  }
  return "/";
}

// Returns the group's path below the mount point. In a container the file may name a group of the
// host that is not below the mounted one; the mounted group is then the process's.
fs::path path_in(const Hierarchy& hierarchy, const std::string& group) {
  const fs::path relative = fs::path(group).lexically_relative(hierarchy.root);
  if (relative.empty() || relative == "." || *relative.begin() == "..") return {};
  return relative;
}

double least_quota(const fs::path& root) {
  double least = kNoQuota;
  for (const Hierarchy& hierarchy : mounted_hierarchies(root / "proc/self/mountinfo")) {
    const fs::path point = root / fs::path(hierarchy.point).relative_path();
    fs::path below =
        path_in(hierarchy, group_of_process(root / "proc/self/cgroup", hierarchy.is_version_2));
    for (;; below = below.parent_path()) {
      const fs::path group = point / below;
      least = std::min(
          least, hierarchy.is_version_2 ? quota_of_version_2(group) : quota_of_version_1(group));
      if (below.empty()) break;
    }
  }
  return least;
}

// Returns the number of processors in the affinity mask of the process, which excludes those that
// its cpuset does not allow, or 0 if the mask cannot be read.
int count_allowed() {
  constexpr int kMostProcessors = 1 << 16;
  for (int most = 1024; most <= kMostProcessors; most *= 2) {
    std::vector<cpu_set_t> sets(CPU_ALLOC_SIZE(most) / sizeof(cpu_set_t) + 1);
    const std::size_t bytes = sets.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(getpid(), bytes, sets.data()) == 0) {
      return CPU_COUNT_S(bytes, sets.data());
    }
    if (errno != EINVAL) break;  // EINVAL: the machine has more processors.
  }
  return 0;
}

}  // namespace

HostCores read_host_cores(const fs::path& root, int processors, int affinity) {
  HostCores cores;
  cores.processors = std::max(processors, 1);
  cores.affinity = affinity > 0 ? std::min(affinity, cores.processors) : cores.processors;
  const double quota = least_quota(root);
  cores.quota = quota == kNoQuota ? 0 : quota;
  cores.usable = std::max(1, static_cast<int>(std::min<double>(cores.affinity, std::ceil(quota))));
  return cores;
}

const HostCores& host_cores() {
  static const HostCores cores =
      read_host_cores("/", static_cast<int>(std::thread::hardware_concurrency()), count_allowed());
  return cores;
}

std::string describe(const HostCores& cores) {
  std::string limits;
  if (cores.affinity < cores.processors) {
    limits = std::to_string(cores.affinity) + " by affinity";
  }
  if (cores.quota > 0) {
    std::array<char, 32> quota{};
    std::snprintf(quota.data(), quota.size(), "CPU quota %.4g", cores.quota);
    limits += (limits.empty() ? "" : ", ") + std::string(quota.data());
  }
  return std::to_string(cores.usable) + " of " + std::to_string(cores.processors) +
         (cores.processors == 1 ? " processor" : " processors") +
         (limits.empty() ? "" : " (" + limits + ")");
}

}  // namespace millrace
