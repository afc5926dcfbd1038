// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/fnv_hash.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <sstream>
#include <system_error>
#include <utility>

namespace millrace {
namespace {

constexpr char kFormat[] = "millrace policy costs";
constexpr int kVersion = 2;  // Version 1 had no costs of the mix of types.

std::string key_of(const DeviceInfo& device) {
  return device.backend + ' ' + std::to_string(device.compute_units) + ' ' + device.description;
}

std::filesystem::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && std::filesystem::path(cache).is_absolute()) {
    return std::filesystem::path(cache) / "millrace";
  }
  const char* const home = std::getenv("HOME");
  if (home == nullptr || !std::filesystem::path(home).is_absolute()) return {};
  return std::filesystem::path(home) / ".cache" / "millrace";
}

std::string text_of(const DeviceInfo& device, const DeviceCosts& costs) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(std::numeric_limits<double>::max_digits10);
  text << kFormat << ' ' << kVersion << '\n' << "device " << key_of(device) << '\n';
  for (const Policy policy : kConcretePolicies) {
    text << to_string(policy);
    for (const double cost : costs.of(policy)) text << ' ' << cost;
    text << '\n';
  }
  text << "workers " << costs.workers << '\n';
  text << "link " << costs.link.up << ' ' << costs.link.down << ' ' << costs.link.chunk_seconds
       << '\n';
  text << "residual " << costs.residual << "\nend\n";
  return text.str();
}

// Reads a word and then numbers, which must be finite and not negative.
template <std::size_t kCount>
bool read_line(std::istream& text, const std::string& word, std::array<double, kCount>& figures) {
  std::string found;
  if (!(text >> found) || found != word) return false;
  for (double& figure : figures) {
    if (!(text >> figure) || !std::isfinite(figure) || figure < 0) return false;
  }
  return true;
}

StoredCosts parse(std::istream& text, const DeviceInfo& device) {
  text.imbue(std::locale::classic());
  std::string line;
  int version = 0;
  std::getline(text, line);
  if (std::sscanf(line.c_str(), "millrace policy costs %d", &version) != 1) {
    return {nullptr, "it is damaged"};
  }
  if (version > kVersion) return {nullptr, "a newer Millrace has written it"};
  if (version < kVersion) return {nullptr, "an older Millrace has written it"};
  std::getline(text, line);
  if (line != "device " + key_of(device)) return {nullptr, "it is of another device"};
  DeviceCosts costs;
  bool is_good = true;
  for (const Policy policy : kConcretePolicies) {
    is_good = is_good && read_line(text, to_string(policy), costs.of(policy));
  }
  std::array<double, 1> workers{};
  std::array<double, 3> link{};
  std::array<double, 1> residual{};
  is_good = is_good && read_line(text, "workers", workers) && read_line(text, "link", link) &&
            read_line(text, "residual", residual) && workers[0] >= 1;
  std::string end;
  if (!is_good || !(text >> end) || end != "end") return {nullptr, "it is damaged"};
  costs.workers = workers[0];
  costs.link = {link[0], link[1], link[2]};
  costs.residual = residual[0];
  costs.source = "measured by tune";
  return {std::make_shared<const DeviceCosts>(std::move(costs)), ""};
}

[[noreturn]] void throw_io(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorCode::kIo, "cannot write " + path.string() + ": " + why +
                                  "; set XDG_CACHE_HOME to a folder that can be written");
}

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

// Writes a new file beside `neighbor` and returns its path, which is unique even among containers
// and machines that share the folder. Errors name `path`, which the file is to replace.
std::string write_beside(const std::filesystem::path& neighbor, const std::filesystem::path& path,
                         const std::string& text) {
  std::string temporary = neighbor.string() + ".XXXXXX";
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) throw_io(path, std::generic_category().message(errno));
  constexpr mode_t kForAllToRead = 0644;  // Other users of a shared folder read the file.
  int error = 0;
  if (fchmod(file, kForAllToRead) != 0 || !write_all(file, text)) error = errno;
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0) return temporary;
  unlink(temporary.c_str());
  throw_io(path, std::generic_category().message(error));
}

std::filesystem::path path_to_store(const DeviceInfo& device) {
  const std::filesystem::path path = policy_store_path(device);
  if (!path.empty()) return path;
  throw Error(
      ErrorCode::kIo,
      "there is no folder to store costs in: neither XDG_CACHE_HOME nor HOME is an absolute "
      "path; set one of them");
}

// The costs that this process uses.
class UsedCosts {
 public:
  std::shared_ptr<const DeviceCosts> of(const DeviceInfo& device) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const DeviceCosts>& used = by_name_[device.name];
    if (used == nullptr) used = load_costs(device).costs;
    if (used == nullptr) used = std::make_shared<const DeviceCosts>(default_costs(device));
    return used;
  }

  void set(const DeviceInfo& device, std::shared_ptr<const DeviceCosts> costs) {
    const std::lock_guard lock(mutex_);
    by_name_[device.name] = std::move(costs);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const DeviceCosts>> by_name_;
};

UsedCosts& used_costs() {
  static auto* const costs = new UsedCosts;  // Not destroyed, because runs may outlive statics.
  return *costs;
}

}  // namespace

std::filesystem::path policy_store_path(const DeviceInfo& device) {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) return {};
  std::array<char, 17> name{};
  std::snprintf(name.data(), name.size(), "%016llx",
                static_cast<unsigned long long>(fnv1a_hash(key_of(device))));
  return folder / ("costs-" + device.backend + '-' + name.data() + ".txt");
}

StoredCosts load_costs(const DeviceInfo& device) {
  const std::filesystem::path path = policy_store_path(device);
  if (path.empty()) return {};
  std::ifstream file(path);
  if (!file) return {};
  return parse(file, device);
}

void check_costs_can_be_stored(const DeviceInfo& device) {
  const std::filesystem::path path = path_to_store(device);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw_io(path, std::generic_category().message(EISDIR));
  }
  // Missing folders are not made: a process that may write to a folder may also make folders in it.
  std::filesystem::path beside = path;
  while (beside.has_relative_path() &&
         !std::filesystem::exists(std::filesystem::symlink_status(beside.parent_path(), ignored))) {
    beside = beside.parent_path();
  }
  unlink(write_beside(beside, path, text_of(device, default_costs(device))).c_str());
}

void store_costs(const DeviceInfo& device, const DeviceCosts& costs) {
  const std::filesystem::path path = path_to_store(device);
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  if (problem) throw_io(path, problem.message());
  const std::string temporary = write_beside(path, path, text_of(device, costs));
  std::filesystem::rename(temporary, path, problem);
  if (!problem) return;
  unlink(temporary.c_str());
  throw_io(path, problem.message());
}

bool forget_costs(const DeviceInfo& device) {
  const std::filesystem::path path = policy_store_path(device);
  if (path.empty()) return false;
  std::error_code problem;
  const bool was_there = std::filesystem::remove(path, problem);
  if (problem) throw_io(path, problem.message());
  return was_there;
}

std::shared_ptr<const DeviceCosts> costs_of(const DeviceInfo& device) {
  return used_costs().of(device);
}

void use_costs(const DeviceInfo& device, std::shared_ptr<const DeviceCosts> costs) {
  used_costs().set(device, std::move(costs));
}

}  // namespace millrace
