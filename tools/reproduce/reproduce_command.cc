// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/report/results/results.h>
#include <millrace/tools/reproduce/measure/results_source.h>
#include <millrace/tools/reproduce/motion/stored_encodes.h>
#include <millrace/tools/reproduce/output/reproduction_document.h>
#include <millrace/tools/reproduce/output/reproduction_files.h>
#include <millrace/tools/reproduce/output/reproduction_text.h>
#include <millrace/tools/reproduce/reproduce_command.h>
#include <millrace/tools/reproduce/reproduce_selection.h>
#include <millrace/tools/reproduce/tables/measured_device.h>
#include <millrace/tools/reproduce/tables/reproduction.h>
#include <millrace/tools/video/h264/luma_queue_reader.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

struct Arguments {
  std::string subject = "all";
  std::vector<std::string> only;
  std::string device;
  bool is_quick = false;
  bool is_tiny = false;
  double seconds = 0;  // For each configuration; 0: the usual time of the scale.
  std::vector<std::string> clips;
  std::string stream;        // Empty: random macroblocks.
  std::string anchors_path;  // Stored encodes; empty: none.
  std::string results_path;  // Empty: measure.
  std::string folder;
  bool is_listed = false;
  CommonOptions common;

  Scale scale() const { return is_tiny ? Scale::kTiny : is_quick ? Scale::kQuick : Scale::kFull; }
};

[[noreturn]] void reject(const std::string& what) {
  throw Error(ErrorCode::kInvalidArgument, what);
}

void check_clips(const std::vector<std::string>& clips, const ReproduceSelection& selection) {
  if (!clips.empty() && !selection.has("motion")) {
    reject("--clip is for motion estimation, of which no table is chosen; leave --clip out");
  }
  std::set<std::string> names;
  for (const std::string& clip : clips) {
    read_motion_clip(clip, 2);
    const std::string name = std::filesystem::path(clip).filename().string();
    if (names.insert(name).second) continue;
    reject(std::string("--clip ")
               .append(clip)
               .append(": another clip is also named '")
               .append(name)
               .append("', and results distinguish inputs by their names; rename one"));
  }
}

void check_stream(const std::string& stream, const ReproduceSelection& selection) {
  if (stream.empty()) return;
  if (!selection.has("idct")) {
    reject("--stream is for inverse transforms, of which no figure is chosen; leave --stream out");
  }
  read_luma_queue(stream, 1);
}

// Reads the stored encodes, if there are any.
std::vector<StoredEncodes> anchors_of(const Arguments& arguments,
                                      const ReproduceSelection& selection) {
  if (arguments.anchors_path.empty()) return {};
  if (!selection.has("motion")) {
    reject("--anchors is for motion estimation, of which no table is chosen; leave --anchors out");
  }
  return read_stored_encodes(arguments.anchors_path);
}

// A results file is not measured again.
void check_results(const Arguments& arguments) {
  if (arguments.results_path.empty()) return;
  for (const auto& [option, is_given] : {std::pair("--quick", arguments.is_quick),
                                         {"--tiny", arguments.is_tiny},
                                         {"--seconds", arguments.seconds > 0},
                                         {"--clip", !arguments.clips.empty()},
                                         {"--stream", !arguments.stream.empty()}}) {
    if (!is_given) continue;
    reject(std::string("--results and ") + option +
           " are both given; with --results nothing is measured, so leave " + option + " out");
  }
}

// Throws for what cannot be done, before anything is.
void check(const Arguments& arguments, const ReproduceSelection& selection) {
  if (arguments.is_quick && arguments.is_tiny) {
    reject("--quick and --tiny are both given; give one of them");
  }
  check_results(arguments);
  check_clips(arguments.clips, selection);
  check_stream(arguments.stream, selection);
  std::vector<std::string> taken = arguments.clips;
  if (!arguments.stream.empty()) taken.push_back(arguments.stream);
  for (const std::string& path : {arguments.results_path, arguments.anchors_path}) {
    if (!path.empty()) taken.push_back(path);
  }
  if (!arguments.folder.empty()) {
    std::ranges::move(ReproductionFiles::paths(arguments.folder, selection.names.size()),
                      std::back_inserter(taken));
  }
  check_outputs_differ({{"--json", arguments.common.json_path}}, taken);
}

void list() {
  for (const PaperTable& table : paper_tables()) {
    std::printf("%-10s  %-9s  %s\n", table.paper->subject.c_str(), table.name.c_str(),
                table.caption.c_str());
  }
}

struct Reproduced {
  DeviceRecord device;
  std::vector<Reproduction> reproductions;
};

// Everything that is requested; each subject's is printed when it is there.
Reproduced reproduce_all(const ReproduceSelection& selection, ResultsSource& source,
                         const std::vector<StoredEncodes>& anchors, bool is_quiet) {
  Reproduced all;
  for (const std::string& subject : selection.subjects) {
    Results results = source.results_for(subject, selection.names);
    add_stored_encodes(anchors, source.device(), results);
    const MeasuredDevice measured(results, source.device());
    all.device = measured.device();
    std::vector<Reproduction> some = reproduce(subject, measured, selection.names);
    for (const Reproduction& reproduction : some) {
      if (!is_quiet) std::fputs(text_of(reproduction).c_str(), stdout);
    }
    std::fflush(stdout);
    std::ranges::move(some, std::back_inserter(all.reproductions));
  }
  return all;
}

nlohmann::json json_of(const Reproduced& all, const ResultsSource& source) {
  nlohmann::json json = {{"device", all.device.name},
                         {"description", all.device.description},
                         {"reproductions", nlohmann::json::array()}};
  json.update(source.json());
  for (const Reproduction& reproduction : all.reproductions) {
    json["reproductions"].push_back(tools::json_of(reproduction));
  }
  return json;
}

void reproduce(const Arguments& arguments, const ReproduceSelection& selection,
               const std::vector<StoredEncodes>& anchors, ResultsSource& source) {
  const CommonOptions& common = arguments.common;
  std::optional<ReproductionFiles> page;
  std::optional<OutputFile> json_file;
  if (!arguments.folder.empty()) {
    page.emplace(arguments.folder, selection.names.size(), common.force);
  }
  if (!common.json_path.empty() && !common.json_to_stdout()) {
    json_file.emplace(common.json_path, common.force);
  }
  const Reproduced all = reproduce_all(selection, source, anchors, common.json_to_stdout());
  const nlohmann::json json = json_of(all, source);
  std::vector<OutputFile*> files;
  if (page) files = page->write(document_of(all.reproductions, all.device, source.how()));
  if (json_file) {
    json_file->stream() << json_text(json);
    files.push_back(&*json_file);
  }
  commit_all(files);
  if (page) page->finish();
  if (common.json_to_stdout()) return write_json(common, json);
  if (page) std::printf("\nwrote %s\n", files[0]->path().c_str());
}

void run(const Arguments& arguments) {
  if (arguments.is_listed) return list();
  const ReproduceSelection selection = select_reproductions(arguments.subject, arguments.only);
  check(arguments, selection);
  const std::vector<StoredEncodes> anchors = anchors_of(arguments, selection);
  const InterruptGuard interrupt;
  std::unique_ptr<ResultsSource> source;
  if (!arguments.results_path.empty()) {
    source = stored_results(arguments.results_path, arguments.device);
  } else {
    const auto device =
        open_named_device(arguments.device.empty() ? default_device() : arguments.device);
    source = measured_results(
        device, {device->info(), arguments.scale(), arguments.clips, arguments.stream},
        arguments.seconds, [&] { return interrupt.interrupted(); });
  }
  try {
    reproduce(arguments, selection, anchors, *source);
  } catch (const Error& error) {
    if (!interrupt.caused(error)) throw;
    std::cerr << "millrace: " << interruption(interrupt.signal()) << "; nothing was written\n";
    throw ExitStatus(128 + interrupt.signal());
  }
}

void add_options(Command& command, Arguments& arguments) {
  command.add_option(
      {.names = "SUBJECT",
       .help = "The paper: idct, motion, sort, three-star or all (default)",
       .store = into(arguments.subject),
       .choices = [] {
         return std::vector<std::string>{"idct", "motion", "sort", "three-star", "all"};
       }});
  command.add_option({.names = "--only",
                      .value_name = "NAME",
                      .help = "Measure this table or figure only, such as \"Fig. 5a\" or \"Table "
                              "II\". May be repeated",
                      .store = into(arguments.only),
                      .is_repeatable = true});
  add_device_option(command, arguments.device,
                    "Measure this device (`millrace devices` lists them; default: a GPU, else the "
                    "CPU)");
  command.add_flag("--quick", arguments.is_quick,
                   "Measure smaller sizes: about two minutes on two cores");
  command.add_flag("--tiny", arguments.is_tiny, "Measure the smallest sizes, to try the command");
  command.add_option({.names = "--seconds",
                      .value_name = "S",
                      .help = "Time each comparison for S seconds (default: 2; with --quick 0.1)",
                      .store = number_in("--seconds", 1e-3, 86'400, arguments.seconds)});
  command.add_option({.names = "--clip",
                      .value_name = "FILE",
                      .help = "Search this clip for motion, and encode it, instead of a moving "
                              "texture. May be repeated",
                      .store = into(arguments.clips),
                      .is_repeatable = true,
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--stream",
                      .value_name = "FILE",
                      .help = "Transform the macroblocks of this H.264 stream, instead of random "
                              "ones: its first, as many as each size says",
                      .store = into(arguments.stream),
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--anchors",
                      .value_name = "FILE",
                      .help =
                          "Compare encodes with those of the JM in this file, as rd_table takes "
                          "it, in Tables 2 to 4 and 11 to 13",
                      .store = into(arguments.anchors_path),
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--results",
                      .value_name = "FILE",
                      .help = "Make the tables from this results file of `millrace bench`, and "
                              "measure nothing. --device chooses one of the file's",
                      .store = into(arguments.results_path),
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "-o,--output",
                      .value_name = "FOLDER",
                      .help = "Write a page, index.html, and index.md with its drawings to this "
                              "folder",
                      .store = into(arguments.folder),
                      .files = OfferedFiles::kFolders});
  command.add_flag("--list", arguments.is_listed, "List the tables and figures, and run nothing");
  add_output_options(command, arguments.common);
}

void run_on_machines(Arguments& arguments) {
  run_on_each_machine(world_communicator(), "reproduce", [&](const std::string& machine) {
    std::string& json_path = arguments.common.json_path;
    if (!arguments.folder.empty()) arguments.folder = path_of_machine(arguments.folder, machine);
    if (!json_path.empty() && !arguments.common.json_to_stdout()) {
      json_path = path_of_machine(json_path, machine);
    }
    run(arguments);
  });
}

}  // namespace

void add_reproduce_command(Command& root) {
  Command& command = root.add_subcommand<Arguments>(
      "reproduce", "Measure the tables and figures of three papers, beside what they print",
      add_options, run_on_machines);
  command.set_footer(
      "Each table is printed beside the paper's own figures, with a sentence for each of its "
      "findings\n"
      "that says whether it holds here.");
}

}  // namespace millrace::tools
