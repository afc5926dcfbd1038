// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_paper_workload.h>
#include <millrace/tools/reproduce/idct/idct_findings.h>
#include <millrace/tools/reproduce/tables/reproduction.h>
#include <millrace/tools/reproduce/tables/table_charts.h>
#include <millrace/tools/video/h264/luma_queue_reader.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using idct::Access;
using idct::PaperAlgorithm;

constexpr std::uint64_t kPaperCrossing = 25'000;  // Macroblocks at the crossing, by section IV.B.

std::vector<std::uint64_t> counts_of(const ReproductionPlan& plan) {
  switch (plan.scale_of_device()) {
    case Scale::kTiny: return {10, 30, 100};
    case Scale::kQuick: return {1'000, 5'000, 25'000, 50'000};
    case Scale::kFull: break;
  }
  return idct_paper_workload().sizes(plan.device, false);
}

// Returns the sizes that are measured of a stream: those it has, and its own.
std::vector<std::uint64_t> counts_of_stream(const std::string& path,
                                            const std::vector<std::uint64_t>& wanted) {
  const std::uint64_t most = *std::ranges::max_element(wanted);
  const std::uint64_t own = read_luma_queue(path, most).sizes.size();
  std::vector<std::uint64_t> counts;
  std::ranges::copy_if(wanted, std::back_inserter(counts),
                       [=](std::uint64_t count) { return count <= own; });
  if (own < most && (counts.empty() || counts.back() != own)) counts.push_back(own);
  return counts;
}

// The measured times, and the reasons for which others are missing.
class Measured {
 public:
  explicit Measured(const MeasuredDevice& device) : device_(device) {
    // A stream's queue is what the paper measured.
    for (const std::string& input : device.inputs(kIdctPaper)) {
      if (input != kIdctPaperInput) input_ = input;
    }
  }

  // Says what macroblocks these are; empty of random ones.
  std::string input_note() const {
    if (input_ == kIdctPaperInput || counts().empty()) return "";
    const RunKey of{kIdctPaper, input_, counts().back(), kIdctPaperTasks,
                    to_string(kConcretePolicies[0])};
    const auto percent = [&](const char* name) {
      return in_words(100 * device_.value(of, name).value_or(0)) + " %";
    };
    return "Macroblocks are the first ones of " + input_ + ": of " +
           std::to_string(counts().back()) + ", " + percent(kIdctCodedFraction) +
           " have a coefficient that is not 0 and " + percent(kIdct8x8Fraction) +
           " the 8x8 transform.";
  }

  // The reasons for which the paper's algorithms and accesses, and those through textures, are
  // missing; empty: they are there.
  std::string why_no_paper() const { return why_missing(Access::kGlobal); }
  std::string why_no_textures() const { return why_missing(Access::kSharedTexture); }

  std::vector<std::uint64_t> counts() const { return device_.sizes(kIdctPaper, input_); }

  std::optional<double> milliseconds(PaperAlgorithm algorithm, Access access,
                                     std::uint64_t count) const {
    return in_milliseconds(device_.seconds(key(algorithm, access, count)));
  }

  std::optional<double> kernel_milliseconds(PaperAlgorithm algorithm, Access access,
                                            std::uint64_t count) const {
    return in_milliseconds(device_.value(key(algorithm, access, count), kIdctKernelSeconds));
  }

  std::optional<double> milliseconds(Policy policy, std::uint64_t count) const {
    return in_milliseconds(
        device_.seconds({kIdctPaper, input_, count, kIdctPaperTasks, to_string(policy)}));
  }

  // Shared memory where there are no textures.
  Access best_access() const {
    return why_no_textures().empty() ? Access::kSharedTexture : Access::kShared;
  }

 private:
  RunKey key(PaperAlgorithm algorithm, Access access, std::uint64_t count) const {
    return {kIdctPaper, input_, count, idct_paper_strategy(algorithm, access)};
  }

  static std::optional<double> in_milliseconds(std::optional<double> seconds) {
    return seconds ? std::optional(*seconds * 1e3) : std::nullopt;
  }

  std::string why_missing(Access access) const {
    return device_.why_missing(kIdctPaper,
                               idct_paper_strategy(PaperAlgorithm::kUberkernel, access));
  }

  const MeasuredDevice& device_;
  std::string input_ = kIdctPaperInput;
};

std::optional<double> ratio(std::optional<double> slower, std::optional<double> faster) {
  if (!slower || !faster) return std::nullopt;
  return *slower / *faster;
}

// Returns notes that say what stream was measured and why lines are missing, where either is so.
std::vector<std::string> notes_on(const Measured& measured) {
  std::vector<std::string> notes;
  if (const std::string note = measured.input_note(); !note.empty()) notes.push_back(note);
  for (const std::string& reason : {measured.why_no_paper(), measured.why_no_textures()}) {
    if (reason.empty()) continue;
    notes.push_back("What is missing cannot run here: " + reason + ".");
    break;
  }
  return notes;
}

Reproduction reproduce_accesses(const PaperTable& paper, const Measured& measured,
                                PaperAlgorithm algorithm) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, notes_on(measured)};
  std::string kernels;
  for (const std::uint64_t count : measured.counts()) {
    const auto cells_of = [&](const auto& milliseconds) {
      std::vector<std::optional<double>> cells;
      for (const Access access : idct::kAccesses) cells.push_back(milliseconds(access));
      cells.push_back(ratio(cells[1], cells[2]));
      cells.push_back(ratio(cells[0], cells[2]));
      return cells;
    };
    here.rows.push_back({std::to_string(count), cells_of([&](Access access) {
                           return measured.milliseconds(algorithm, access, count);
                         })});
    const auto of_kernels = cells_of(
        [&](Access access) { return measured.kernel_milliseconds(algorithm, access, count); });
    if (!of_kernels[3]) continue;
    kernels = "Of the kernels alone, SM+Tex is " + in_words(*of_kernels[3]) +
              " times as fast as SM and " + in_words(*of_kernels[4]) + " times as fast as GM for " +
              std::to_string(count) + " macroblocks; times above have all transfers.";
  }
  if (!kernels.empty()) here.notes.push_back(kernels);
  return {&paper, here,
          line_charts(paper.name, "macroblocks", "s",
                      lines_of(here, {"GM", "SM", "SM+Tex"}, kOfMilliseconds)),
          access_findings(paper.data, here,
                          measured.why_no_paper().empty() ? measured.why_no_textures()
                                                          : measured.why_no_paper())};
}

Reproduction reproduce_algorithms(const PaperTable& paper, const Measured& measured) {
  DataTable here{paper.data.label_name, paper.data.columns, {}, notes_on(measured)};
  for (const Policy policy : kConcretePolicies) {
    here.columns.push_back({std::string("policy ") + to_string(policy), "ms", 3});
  }
  here.notes.push_back("Policies are this library's, with macroblocks in host memory as well.");
  if (measured.why_no_paper().empty()) {
    here.notes.push_back(std::string("The paper's algorithms are those with ") +
                         to_string(measured.best_access()) + " access.");
  }
  for (const std::uint64_t count : measured.counts()) {
    TableRow row{std::to_string(count), {}};
    for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
      row.cells.push_back(measured.milliseconds(algorithm, measured.best_access(), count));
    }
    for (const Policy policy : kConcretePolicies) {
      row.cells.push_back(measured.milliseconds(policy, count));
    }
    here.rows.push_back(std::move(row));
  }
  std::vector<std::string> names;
  for (const TableColumn& column : here.columns) names.push_back(column.name);
  auto charts = line_charts(paper.name, "macroblocks", "s", lines_of(here, names, kOfMilliseconds));
  if (!charts.empty() && measured.counts().back() >= kPaperCrossing) {
    ChartMark& mark = std::get<LineChart>(charts[0]).marks.emplace_back();
    mark.x = kPaperCrossing;
    mark.text = "where the paper's algorithms cross";
  }
  return {&paper, here, std::move(charts), algorithm_findings(here, measured.why_no_paper())};
}

}  // namespace

std::vector<PlannedRuns> plan_idct(const ReproductionPlan& plan,
                                   const std::set<std::string>& names) {
  std::vector<PlannedRuns> planned;
  const bool is_needed = std::ranges::any_of(
      idct_paper_tables(), [&](const PaperTable& paper) { return names.contains(paper.name); });
  if (!is_needed) return planned;
  RunSelection choice;
  for (const Policy policy : kConcretePolicies) choice.policies.emplace_back(to_string(policy));
  const bool is_random = plan.stream.empty();
  const std::string input = is_random ? kIdctPaperInput : plan.stream;
  const std::vector<std::uint64_t> wanted = counts_of(plan);
  for (const std::uint64_t count : is_random ? wanted : counts_of_stream(input, wanted)) {
    planned.push_back({kIdctPaper, input, count, choice});
  }
  return planned;
}

std::vector<Reproduction> reproduce_idct(const MeasuredDevice& device,
                                         const std::set<std::string>& names) {
  const Measured measured(device);
  std::vector<Reproduction> done;
  for (const PaperTable& paper : paper_tables()) {
    if (paper.paper->subject != "idct" || !names.contains(paper.name)) continue;
    if (paper.name == "Fig. 5(a)") {
      done.push_back(reproduce_accesses(paper, measured, PaperAlgorithm::kPersistent));
    } else if (paper.name == "Fig. 5(b)") {
      done.push_back(reproduce_accesses(paper, measured, PaperAlgorithm::kUberkernel));
    } else {
      done.push_back(reproduce_algorithms(paper, measured));
    }
  }
  return done;
}

}  // namespace millrace::tools
