// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/report/report_command.h>
#include <millrace/tools/command/report/report_outputs.h>
#include <millrace/tools/command/report/timeline_picture.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/report/analysis/compare_results.h>
#include <millrace/tools/report/compliance/compliance.h>
#include <millrace/tools/report/export/fom_lines.h>
#include <millrace/tools/report/export/google_benchmark.h>
#include <millrace/tools/report/export/measurement_csv.h>
#include <millrace/tools/report/export/p3_csv.h>
#include <millrace/tools/report/page/page.h>
#include <millrace/tools/report/performance/performance.h>
#include <millrace/tools/report/report.h>
#include <millrace/tools/report/targets/targets.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr const char* kDefaultPage = "report.html";
constexpr const char* kDefaultPicture = "timeline.svg";

struct ReportCommandOptions {
  std::vector<std::string> files;
  std::vector<std::string> compared;  // The old and the new file; empty: a report.
  std::string timeline;               // A file of --trace to draw; empty: a report.
  std::string page;
  std::string markdown;
  std::string csv;
  std::string google_benchmark;
  std::string p3;
  bool prints_fom = false;
  bool checks_compliance = false;
  std::vector<std::string> targets;
  bool is_performance = false;
  ReportOptions report;
  double noise = 0.03;
  bool force = false;
};

// Checks what can be checked before a file is read.
void check_options(const ReportCommandOptions& options) {
  if (options.files.empty()) {
    reject("no results file is given; name one that `millrace bench` wrote");
  }
  if (options.is_performance && !options.report.baseline.empty()) {
    reject(
        "--performance and --baseline are both given; a performance page has no speed-ups "
        "over a baseline, so leave one of them out");
  }
  std::vector<std::string> inputs = options.files;
  inputs.insert(inputs.end(), options.targets.begin(), options.targets.end());
  check_outputs_differ({{"-o", options.page},
                        {"--markdown", options.markdown},
                        {"--csv", options.csv},
                        {"--google-benchmark", options.google_benchmark},
                        {"--p3", options.p3},
                        {"--fom", options.prints_fom ? "-" : ""}},
                       inputs);
  require_regular_output("--markdown", options.markdown,
                         "its charts are files beside it, so give a file in a folder");
}

bool has_exports(const ReportCommandOptions& options) {
  return !options.csv.empty() || !options.google_benchmark.empty() || !options.p3.empty() ||
         options.prints_fom;
}

Document document_of(const ReportCommandOptions& options, const MergedResults& merged) {
  ReportOptions report = options.report;
  for (const std::string& path : options.targets) report.targets.push_back(read_targets(path));
  return options.is_performance ? performance_of(merged, report) : report_of(merged, report);
}

// Adds the tables and lines that other programs read.
void add_exports(ReportOutputs& outputs, const ReportCommandOptions& options,
                 const MergedResults& merged) {
  if (!options.csv.empty()) write_measurement_csv(outputs.add(options.csv), merged);
  if (!options.google_benchmark.empty()) {
    write_google_benchmark(outputs.add(options.google_benchmark), merged);
  }
  if (!options.p3.empty()) write_p3_csv(outputs.add(options.p3), merged);
  if (options.prints_fom) write_fom_lines(outputs.add("-"), merged);
}

// Prints what was written, unless standard output has taken a file.
void print_written(const ReportCommandOptions& options, const std::string& page_subtitle,
                   const MergedResults& merged) {
  std::size_t measurements = 0;
  for (const Machine& machine : merged.machines) {
    measurements += machine.results.measurements.size();
  }
  const std::string export_subtitle = std::to_string(measurements) + " measurements";
  const std::pair<std::string, std::string> files[] = {{options.page, page_subtitle},
                                                       {options.markdown, page_subtitle},
                                                       {options.csv, export_subtitle},
                                                       {options.google_benchmark, export_subtitle},
                                                       {options.p3, export_subtitle}};
  const bool is_stdout_taken =
      options.prints_fom ||
      std::ranges::any_of(files, [](const auto& file) { return is_standard_output(file.first); });
  if (is_stdout_taken) return;
  for (const auto& [path, subtitle] : files) {
    if (!path.empty()) std::printf("%s: %s\n", path.c_str(), subtitle.c_str());
  }
}

void write_report(ReportCommandOptions options) {
  const bool is_page_default =
      options.page.empty() && options.markdown.empty() && !has_exports(options);
  if (is_page_default) options.page = kDefaultPage;
  check_options(options);
  const InterruptGuard interrupt;
  const MergedResults merged = merge_results(options.files);
  ReportOutputs outputs(options.force);
  std::string page_subtitle;
  if (!options.page.empty() || !options.markdown.empty()) {
    const Document document = document_of(options, merged);
    page_subtitle = document.subtitle;
    if (!options.page.empty()) write_page(outputs.add(options.page), document);
    if (!options.markdown.empty()) outputs.add_markdown(options.markdown, document);
  }
  add_exports(outputs, options, merged);
  if (interrupt.interrupted()) {
    std::cerr << "millrace: " << interruption(interrupt.signal()) << "; nothing was written\n";
    throw ExitStatus(128 + interrupt.signal());
  }
  outputs.commit();
  print_written(options, page_subtitle, merged);
}

// Options that make files of a report, which other jobs do not take.
bool has_report_options(const ReportCommandOptions& options) {
  return !options.page.empty() || !options.markdown.empty() || has_exports(options) ||
         !options.report.title.empty() || !options.report.baseline.empty() ||
         !options.targets.empty() || options.is_performance;
}

void check_compliance(const ReportCommandOptions& options) {
  if (has_report_options(options)) {
    reject("--compliance is given with options of a report; give it files only");
  }
  check_options(options);
  const MergedResults merged = merge_results(options.files);
  bool is_compliant = true;
  for (const Machine& machine : merged.machines) {
    const Compliance compliance = compliance_of(machine.results);
    print_compliance(std::cout, machine.file, compliance);
    is_compliant = is_compliant && compliance.is_compliant();
  }
  std::cout.flush();
  if (!is_compliant) throw ExitStatus(1);
}

// Draws a timeline. Of the options of a report it takes the output and the title.
void draw(ReportCommandOptions options) {
  ReportCommandOptions others = options;
  others.page.clear();
  others.report.title.clear();
  if (!options.files.empty() || has_report_options(others) || options.checks_compliance ||
      !options.compared.empty()) {
    reject(
        "--timeline is given with files or options of a report; give it -o, --title and "
        "--force only");
  }
  if (options.page.empty()) options.page = kDefaultPicture;
  check_outputs_differ({{"-o", options.page}}, {options.timeline});
  draw_timeline(options.timeline, options.report.title, options.page, options.force);
}

void compare(const ReportCommandOptions& options) {
  if (!options.files.empty() || has_report_options(options) || options.checks_compliance) {
    reject("--compare is given with options of a report; give it two files and --noise only");
  }
  const Results old_results = read_results(options.compared[0]);
  const Results new_results = read_results(options.compared[1]);
  const Comparison comparison = compare_results(old_results, new_results, options.noise);
  print_comparison(std::cout, comparison);
  std::cout.flush();
  if (comparison.is_regression()) throw ExitStatus(1);
}

}  // namespace

void add_report_command(Command& root) {
  Command& command =
      root.add_subcommand("report", "Make a page of benchmark results, or compare two of them");
  command.set_footer(
      "Examples: millrace report lab.json laptop.json -o report.html\n"
      "          millrace report --compare before.json after.json\n"
      "          millrace report lab.json --csv lab.csv --p3 lab-p3.csv --fom\n"
      "          millrace report lab.json --compliance\n"
      "          millrace report --timeline trace.json -o trace.svg");
  auto options = std::make_shared<ReportCommandOptions>();
  command.add_option({.names = "FILES",
                      .help = "Results that `millrace bench` wrote, one file for each machine",
                      .store = into(options->files),
                      .is_repeatable = true,
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "-o,--output",
                      .value_name = "FILE",
                      .help = "Write the page to FILE (default: report.html; a timeline: "
                              "timeline.svg)",
                      .store = into(options->page),
                      .files = OfferedFiles::kFiles});
  command.add_option(
      {.names = "--markdown",
       .value_name = "FILE",
       .help = "Write the report as Markdown, with its charts as SVG files beside it",
       .store = into(options->markdown),
       .files = OfferedFiles::kFiles});
  command.add_option({.names = "--csv",
                      .value_name = "FILE",
                      .help = "Write a table of the measurements, a row for each",
                      .store = into(options->csv),
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--google-benchmark",
                      .value_name = "FILE.json",
                      .help = "Write the measurements for google-benchmark's tools/compare.py",
                      .store = into(options->google_benchmark),
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--p3",
                      .value_name = "FILE.csv",
                      .help = "Write efficiencies for the P3 Analysis Library",
                      .store = into(options->p3),
                      .files = OfferedFiles::kFiles});
  command.add_flag("--fom", options->prints_fom,
                   "Print a line for each measurement, for regular expressions of ReFrame and "
                   "Ramble");
  command.add_flag("--compliance", options->checks_compliance,
                   "Say which run rules each file breaks; the exit status is 1 if it breaks one");
  command.add_option({.names = "--baseline",
                      .value_name = "LABEL:DEVICE[:CONTENDER]",
                      .help = "Compute speed-ups against this device (default: the first machine's "
                              "CPU, or its first device where it has none)",
                      .store = into(options->report.baseline)});
  command.add_option({.names = "--title",
                      .value_name = "TEXT",
                      .help = "Title of the report",
                      .store = into(options->report.title)});
  command.add_option({.names = "--targets",
                      .value_name = "FILE.json",
                      .help = "Compare results with the targets in this file, on the machines that "
                              "they are for. May be repeated",
                      .store = into(options->targets),
                      .is_repeatable = true,
                      .files = OfferedFiles::kFiles});
  command.add_flag("--performance", options->is_performance,
                   "Make a short page: of each machine the newest results, and of each workload "
                   "the best rate beside the limit and the best peer");
  command.add_option({.names = "--compare",
                      .value_name = "OLD NEW",
                      .help = "List what is slower, faster, wrong, new or missing in NEW; the exit "
                              "status is 1 if something is slower or wrong",
                      .store = into(options->compared),
                      .values = 2,
                      .files = OfferedFiles::kFiles});
  command.add_option(
      {.names = "--noise",
       .value_name = "FRACTION",
       .help = "With --compare, ignore differences of medians up to this fraction (default: 0.03)",
       .store = number_in("--noise", 0, 1000, options->noise)});
  command.add_option({.names = "--timeline",
                      .value_name = "FILE.json",
                      .help = "Draw a timeline that --trace wrote: a picture of what ran when",
                      .store = into(options->timeline),
                      .files = OfferedFiles::kFiles});
  command.add_flag("--force", options->force, "Replace output files that exist");
  command.on_run([options] {
    run_on_rank_0(world_communicator(), "report", [&] {
      if (!options->timeline.empty()) {
        draw(*options);
      } else if (!options->compared.empty()) {
        compare(*options);
      } else if (options->checks_compliance) {
        check_compliance(*options);
      } else {
        write_report(*options);
      }
    });
  });
}

}  // namespace millrace::tools
