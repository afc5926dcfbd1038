// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/choice/stream_speed_store.h>
#include <millrace/tools/files/output/output_file.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <locale>
#include <string>
#include <system_error>

namespace millrace::tools {
namespace {

constexpr char kFormat[] = "millrace stream speed 1";

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

// Returns the path of the device's file; empty where there is no folder for it.
std::filesystem::path store_path(const DeviceInfo& device) {
  std::filesystem::path path = policy_store_path(device);
  if (path.empty()) return path;
  return path.replace_filename("streams-" + path.filename().string());
}

}  // namespace

DeviceSpeed assumed_stream_speed(const DeviceInfo& device) {
  constexpr double kUnitsACore = 6;
  constexpr double kHalfPicturesAUnit = 30;
  constexpr double kStartSeconds = 0.5;
  return {.cores = device.compute_units / kUnitsACore,
          .half_pictures = kHalfPicturesAUnit * device.compute_units,
          .start_seconds = kStartSeconds};
}

DeviceSpeed stream_speed_of(const DeviceInfo& device) {
  DeviceSpeed speed = assumed_stream_speed(device);
  std::ifstream file(store_path(device));
  file.imbue(std::locale::classic());
  std::string format, host, word, end;
  double cores = 0;
  std::getline(file, format);
  std::getline(file, host);
  if (format != kFormat || host != "host " + host_name()) return speed;
  if (!(file >> word >> cores >> end) || word != "cores" || end != "end") return speed;
  if (!std::isfinite(cores) || cores <= 0) return speed;
  speed.cores = cores;
  return speed;
}

DeviceSpeed updated_stream_speed(DeviceSpeed before, double core_seconds, double seconds,
                                 double fraction) {
  if (core_seconds <= 0 || seconds <= 0 || fraction <= 0) return before;
  before.cores = (before.cores + core_seconds / seconds / fraction) / 2;
  return before;
}

void store_stream_speed(const DeviceInfo& device, const DeviceSpeed& speed) {
  const std::filesystem::path path = store_path(device);
  if (path.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  try {
    OutputFile file(path.string(), /*force=*/true);
    file.stream().imbue(std::locale::classic());
    file.stream().precision(std::numeric_limits<double>::max_digits10);
    file.stream() << kFormat << "\nhost " << host_name() << "\ncores " << speed.cores << "\nend\n";
    file.commit();
  } catch (const Error&) {
    // The next run assumes the same speed as this one.
  }
}

}  // namespace millrace::tools
