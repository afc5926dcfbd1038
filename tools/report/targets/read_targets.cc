// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/results/figure_range.h>
#include <millrace/tools/report/results/json_file.h>
#include <millrace/tools/report/results/json_format.h>
#include <millrace/tools/report/results/json_object.h>
#include <millrace/tools/report/targets/targets.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace millrace::tools {
namespace {

constexpr JsonFormat kFormat = {"millrace-benchmark-targets", "benchmark targets", kTargetsSchema};

constexpr std::pair<const char*, FigureKind> kFigureWords[] = {
    {"rate", FigureKind::kRate},
    {"time", FigureKind::kTime},
    {"limit_fraction", FigureKind::kLimitFraction},
    {"ratio", FigureKind::kRatio},
    {"value", FigureKind::kValue}};

FigureKind figure_of(const JsonObject& json) {
  std::string word;
  json.require("figure", word);
  const auto found =
      std::ranges::find_if(kFigureWords, [&](const auto& each) { return word == each.first; });
  if (found == std::end(kFigureWords)) {
    json.reject("figure", "is '" + word + "'; it is rate, time, limit_fraction, ratio or value");
  }
  return found->second;
}

ContenderPattern pattern_of(const JsonObject& json) {
  ContenderPattern pattern;
  json.take("workload", pattern.workload);
  json.take("input", pattern.input);
  json.take("size", pattern.size);
  json.take("device", pattern.device);
  json.take("policy", pattern.policy);
  json.take("strategy", pattern.strategy);
  json.take("peer", pattern.peer);
  return pattern;
}

void read_other(const JsonObject& json, Target& target) {
  const bool is_ratio = target.figure == FigureKind::kRatio;
  if (json.has("to") && !is_ratio) json.reject("to", "is given, and the figure is no ratio");
  if (!is_ratio) return;
  const JsonObject to = json.object("to");
  to.require_known({"workload", "input", "size", "device", "policy", "strategy", "peer"});
  target.to = pattern_of(to);
}

void read_value_name(const JsonObject& json, Target& target) {
  const bool is_value = target.figure == FigureKind::kValue;
  if (json.has("value") && !is_value) {
    json.reject("value", "is given, and the figure is no value; leave it out");
  }
  if (is_value) json.require("value", target.value);
}

// Bars are within the figures that results may have.
void read_bar(const JsonObject& json, Target& target) {
  target.is_least = json.has("at_least");
  if (target.is_least && json.has("at_most")) {
    json.reject("at_most", "is given with at_least; write a target for each");
  }
  const char* const name = target.is_least ? "at_least" : "at_most";
  if (!json.has(name)) json.reject("at_least", "is missing, and so is at_most; give one of them");
  json.require(name, target.bar);
  const bool may_be_any = target.figure == FigureKind::kValue;
  if (std::abs(target.bar) <= kMostFigure && (may_be_any || target.bar >= kLeastFigure)) return;
  json.reject(name, "is " + figure_text(target.bar) + "; it is a figure " +
                        (may_be_any ? "from -1e30 to 1e30" : "from 1e-18 to 1e30"));
}

Target target_of(const JsonObject& json, const std::string& source) {
  json.require_known({"workload", "input", "size", "device", "policy", "strategy", "peer", "figure",
                      "value", "to", "at_least", "at_most", "source"});
  Target target;
  std::string workload;
  json.require("workload", workload);
  target.of = pattern_of(json);
  target.figure = figure_of(json);
  read_value_name(json, target);
  read_other(json, target);
  read_bar(json, target);
  target.source = source;
  json.take("source", target.source);
  return target;
}

void read_machine(const JsonObject& json, TargetSet& set) {
  const JsonObject machine = json.object("machine");
  machine.require_known({"label", "device"});
  machine.take("label", set.label);
  machine.take("device", set.device);
  if (!set.label && !set.device) {
    json.reject("machine", "names none; give it a label, a device or both");
  }
}

}  // namespace

TargetSet read_targets(const std::string& path) {
  const nlohmann::json document = read_json(path, "give a file of benchmark targets");
  const JsonObject json(document, path, "");
  read_schema(json, path, kFormat);
  json.require_known({"format", "schema", "machine", "source", "targets"});
  TargetSet set;
  set.file = path;
  read_machine(json, set);
  std::string source;
  json.take("source", source);
  for (const JsonObject& target : json.objects("targets")) {
    set.targets.push_back(target_of(target, source));
  }
  return set;
}

}  // namespace millrace::tools
