// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/sections/sections.h>

#include <map>
#include <tuple>

namespace millrace::tools {
namespace {

const char* word_for(MeasurementStatus status) {
  switch (status) {
    case MeasurementStatus::kOk: return "ok";
    case MeasurementStatus::kWrong: return "wrong result, not timed";
    case MeasurementStatus::kUnsupported: return "not supported";
    case MeasurementStatus::kFailed: return "failed";
  }
  return "";
}

}  // namespace

Section problem_section(const MergedResults& merged, const std::vector<Group>& groups) {
  using Key = std::tuple<MeasurementStatus, std::string, std::string, std::string, std::string>;
  std::map<Key, std::string> sizes;
  for (const Group& group : groups) {
    for (const auto& [platform, measurement] : group.entries) {
      if (measurement->status == MeasurementStatus::kOk) continue;
      std::string& text = sizes[{measurement->status, group.name(), name_of(merged, platform),
                                 contender_of(*measurement), measurement->message}];
      text += (text.empty() ? "" : ", ") + std::to_string(measurement->size);
    }
  }
  Section section{"What did not work", {}, {}};
  if (sizes.empty()) {
    section.blocks.emplace_back(
        Paragraph("Everything that was requested ran, and gave the right result."));
    return section;
  }
  Table table{"Configurations without a time",
              {{"Work"}, {"Device"}, {"Contender"}, {"Sizes"}, {"What"}, {"Why"}},
              {}};
  for (const auto& [key, text] : sizes) {
    const auto& [status, work, device, contender, message] = key;
    table.rows.push_back({work, device, contender, text, word_for(status), message});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace millrace::tools
