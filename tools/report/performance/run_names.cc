// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/performance/run_names.h>

#include <algorithm>
#include <cstddef>

namespace millrace::tools {
namespace {

std::string text_of_index(std::size_t index) { return "[" + std::to_string(index + 1) + "]"; }

// Shortens the hash, and keeps what follows it: "94efc2af1758-changed".
std::string commit_text(const BuildRecord& build) {
  constexpr std::size_t kDigits = 12;
  if (build.commit.empty()) return "not known";
  const std::size_t end = std::min(build.commit.find('-'), build.commit.size());
  return build.commit.substr(0, std::min(end, kDigits)) + build.commit.substr(end);
}

std::string compiler_text(const BuildRecord& build) {
  std::string text = build.compiler;
  for (const auto& [name, version] : build.toolkits) {
    text += (text.empty() ? "" : ", ") + name + " " + version;
  }
  return text;
}

// Names each driver once.
std::string driver_text(const std::vector<DeviceRecord>& devices) {
  std::vector<std::string> drivers;
  std::string text;
  for (const DeviceRecord& device : devices) {
    if (device.driver.empty() || std::ranges::count(drivers, device.driver) > 0) continue;
    drivers.push_back(device.driver);
    text += (text.empty() ? "" : ", ") + device.driver;
  }
  return text;
}

}  // namespace

std::string RunNames::name_of(const Results& run) {
  const auto found = std::ranges::find(runs_, &run);
  const auto index = static_cast<std::size_t>(found - runs_.begin());
  if (found == runs_.end()) runs_.push_back(&run);
  return text_of_index(index);
}

Table RunNames::table() const {
  Table table{"Runs that the tables name",
              {{"Run"}, {"Machine"}, {"Date"}, {"Commit"}, {"Compiler"}, {"Driver"}, {"Command"}},
              {}};
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const Results& run = *runs_[i];
    table.rows.push_back(
        {text_of_index(i), run.machine.label, run.started.substr(0, 10), commit_text(run.build),
         compiler_text(run.build), driver_text(run.devices),
         run.command + (run.is_complete ? "" : " (not finished: it measured a part)")});
  }
  return table;
}

}  // namespace millrace::tools
