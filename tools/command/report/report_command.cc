// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/report/report_command.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/files/interrupt.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/report/analysis/compare.h>
#include <millrace/tools/report/page/markdown.h>
#include <millrace/tools/report/page/page.h>
#include <millrace/tools/report/performance/performance.h>
#include <millrace/tools/report/report.h>
#include <millrace/tools/report/targets/targets.h>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultPage = "report.html";

struct ReportCommandOptions {
  std::vector<std::string> files;
  std::vector<std::string> compared;  // The old and the new file; empty: a report.
  std::string page;
  std::string markdown;
  std::vector<std::string> targets;
  bool is_performance = false;
  ReportOptions report;
  double noise = 0.03;
  bool force = false;
};

// The files of a report, which appear together.
class ReportOutputs {
 public:
  explicit ReportOutputs(bool force) : force_(force) {}

  std::ostream& add(const std::string& path) {
    files_.push_back(std::make_unique<OutputFile>(path, force_));
    return files_.back()->stream();
  }

  // Adds a whole file and closes it: there may be more files than a process may have open.
  void add(const std::string& path, const std::string& text) {
    add(path) << text;
    files_.back()->close();
  }

  void commit() {
    std::vector<OutputFile*> files;
    for (const auto& file : files_) files.push_back(file.get());
    commit_all(files);
  }

 private:
  bool force_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

void add_markdown(ReportOutputs& outputs, const std::string& path, const Document& document) {
  const fs::path file(path);
  std::ostream& out = outputs.add(path);
  write_markdown(out, document, file.stem().string(),
                 [&](const std::string& name, const std::string& svg) {
                   outputs.add((file.parent_path() / name).string(), svg);
                 });
}

// Checks what can be checked before a file is read.
void check_options(const ReportCommandOptions& options) {
  if (options.files.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "no results file is given; name one that `millrace bench` wrote");
  }
  if (options.is_performance && !options.report.baseline.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "--performance and --baseline are both given; a performance page has no speed-ups "
                "over a baseline, so leave one of them out");
  }
  std::vector<std::string> inputs = options.files;
  inputs.insert(inputs.end(), options.targets.begin(), options.targets.end());
  check_outputs_differ({{"-o", options.page}, {"--markdown", options.markdown}}, inputs);
  require_regular_output("--markdown", options.markdown,
                         "its charts are files beside it, so give a file in a folder");
}

Document document_of(const ReportCommandOptions& options) {
  ReportOptions report = options.report;
  for (const std::string& path : options.targets) report.targets.push_back(read_targets(path));
  const MergedResults merged = merge_results(options.files);
  return options.is_performance ? performance_of(merged, report) : report_of(merged, report);
}

void write_report(ReportCommandOptions options) {
  if (options.page.empty() && options.markdown.empty()) options.page = kDefaultPage;
  check_options(options);
  const InterruptGuard interrupt;
  const Document document = document_of(options);
  ReportOutputs outputs(options.force);
  if (!options.page.empty()) write_page(outputs.add(options.page), document);
  if (!options.markdown.empty()) add_markdown(outputs, options.markdown, document);
  if (interrupt.interrupted()) {
    std::cerr << "millrace: " << interruption(interrupt.signal()) << "; nothing was written\n";
    throw ExitStatus(128 + interrupt.signal());
  }
  outputs.commit();
  if (is_standard_output(options.page)) return;
  for (const std::string& path : {options.page, options.markdown}) {
    if (!path.empty()) std::printf("%s: %s\n", path.c_str(), document.subtitle.c_str());
  }
}

void compare(const ReportCommandOptions& options) {
  const bool has_report_options = !options.files.empty() || !options.page.empty() ||
                                  !options.markdown.empty() || !options.report.title.empty() ||
                                  !options.report.baseline.empty() || !options.targets.empty() ||
                                  options.is_performance;
  if (has_report_options) {
    throw Error(ErrorCode::kInvalidArgument,
                "--compare is given with options of a report; give it two files and --noise only");
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
      "          millrace report --compare before.json after.json");
  auto options = std::make_shared<ReportCommandOptions>();
  command.add_option({.names = "FILES",
                      .help = "Results that `millrace bench` wrote, one file for each machine",
                      .store = into(options->files),
                      .is_repeatable = true,
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "-o,--output",
                      .value_name = "FILE",
                      .help = "Write the page to FILE (default: report.html)",
                      .store = into(options->page),
                      .files = OfferedFiles::kFiles});
  command.add_option(
      {.names = "--markdown",
       .value_name = "FILE",
       .help = "Write the report as Markdown, with its charts as SVG files beside it",
       .store = into(options->markdown),
       .files = OfferedFiles::kFiles});
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
                   "the best rate beside the limit and the best other");
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
  command.add_flag("--force", options->force, "Replace output files that exist");
  command.on_run([options] {
    run_on_rank_0(world_communicator(), "report", [&] {
      if (options->compared.empty()) {
        write_report(*options);
      } else {
        compare(*options);
      }
    });
  });
}

}  // namespace millrace::tools
