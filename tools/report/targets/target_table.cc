// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/names/joined_names.h>
#include <millrace/tools/report/analysis/curve.h>
#include <millrace/tools/report/analysis/merged_results.h>
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/targets/target_table.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace millrace::tools {
namespace {

std::string name_of(TargetVerdict verdict) {
  switch (verdict) {
    case TargetVerdict::kMet: return "met";
    case TargetVerdict::kMissed: return "missed";
    case TargetVerdict::kNotKnown: return "not known";
    case TargetVerdict::kNoFigure: return "no figure";
  }
  return "";
}

std::string plain(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return text;
}

std::string number_text(const JudgedTarget& judged, double number) {
  switch (judged.target->figure) {
    case FigureKind::kRate: return quantity_text(number, rate_unit(*judged.measurement));
    case FigureKind::kTime: return quantity_text(number, "s");
    case FigureKind::kLimitFraction: return quantity_text(100 * number, "%");
    case FigureKind::kRatio: return ratio_text(number);
    case FigureKind::kValue: return plain(number);
  }
  return "";
}

// "sort-keys, uniform, size 1000, on tbb"
std::string configuration_text(const Measurement& each) {
  return each.workload + (each.input.empty() ? "" : ", " + each.input) + ", size " +
         std::to_string(each.size) + ", on " + each.device;
}

// "rate", "ratio to CUB, pinned", "fraction of copy"
std::string figure_name(const JudgedTarget& judged) {
  switch (judged.target->figure) {
    case FigureKind::kRate: return "rate";
    case FigureKind::kTime: return "time";
    case FigureKind::kLimitFraction: return "fraction of " + judged.measurement->limit;
    case FigureKind::kRatio: break;
    case FigureKind::kValue: return judged.target->value;
  }
  if (judged.other == nullptr) return "ratio";
  const Measurement& own = *judged.measurement;
  const Measurement& other = *judged.other;
  std::string text = "ratio to " + contender_of(other);
  if (other.workload != own.workload) text += ", " + other.workload;
  if (other.input != own.input) text += ", " + other.input;
  if (other.size != own.size) text += ", size " + std::to_string(other.size);
  if (other.device != own.device) text += ", on " + other.device;
  return text;
}

std::vector<std::string> row_of(const JudgedTarget& judged) {
  const bool has_figure = judged.verdict != TargetVerdict::kNoFigure;
  const bool has_width = has_figure && judged.low < judged.high;
  const Target& target = *judged.target;
  return {
      configuration_text(*judged.measurement),
      contender_of(*judged.measurement),
      figure_name(judged),
      has_figure ? number_text(judged, judged.figure) : "",
      has_width ? number_text(judged, judged.low) + " to " + number_text(judged, judged.high) : "",
      (target.is_least ? "at least " : "at most ") + number_text(judged, target.bar),
      name_of(judged.verdict) + (judged.reason.empty() ? "" : ": " + judged.reason),
      target.source};
}

std::string not_measured_text(const JudgedTargets& judged) {
  if (judged.not_measured.empty()) return "";
  std::vector<std::string> names;
  for (const Target* target : judged.not_measured) {
    const std::string& name = *target->of.workload;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return "; " + std::to_string(judged.not_measured.size()) + " not measured (" +
         joined_names(names) + ")";
}

std::string machine_text(const TargetSet& set) {
  std::string text = set.label ? "label '" + *set.label + "'" : "";
  if (set.device) text += (text.empty() ? "" : " and ") + ("device '" + *set.device + "'");
  return text;
}

std::string machine_text(const Results& results) {
  std::string text = "label '" + results.machine.label + "'";
  for (const DeviceRecord& device : results.devices) {
    text += ", device '" + device.description + "'";
  }
  return text;
}

}  // namespace

Table target_table(const TargetSet& set, const JudgedTargets& judged) {
  Table table{"Targets of " + std::filesystem::path(set.file).filename().string(),
              {{"Work"},
               {"Contender"},
               {"Figure"},
               {"Measured", true},
               {"95 % interval", true},
               {"Target", true},
               {"Result"},
               {"From"}},
              {}};
  for (const JudgedTarget& each : judged.targets) table.rows.push_back(row_of(each));
  return table;
}

std::string target_summary(const TargetSet& set, const JudgedTargets& judged,
                           const Results& results) {
  const std::string file = std::filesystem::path(set.file).filename().string();
  if (!judged.is_of_machine) {
    return "targets of " + file + " are for " + machine_text(set) + "; this machine has " +
           machine_text(results) + ", so nothing is compared";
  }
  const auto count = [&](TargetVerdict verdict) { return std::to_string(judged.count(verdict)); };
  return "targets of " + file + ": " + count(TargetVerdict::kMet) + " met, " +
         count(TargetVerdict::kMissed) + " missed, " + count(TargetVerdict::kNotKnown) +
         " not known, " + count(TargetVerdict::kNoFigure) + " without a figure" +
         not_measured_text(judged);
}

}  // namespace millrace::tools
