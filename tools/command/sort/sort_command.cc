// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/runtime/stream/codec_choice.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/device_portions.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/sort/check_sorted.h>
#include <millrace/tools/command/sort/column_stream.h>
#include <millrace/tools/command/sort/record_filter.h>
#include <millrace/tools/command/sort/result_form.h>
#include <millrace/tools/command/sort/sort_command.h>
#include <millrace/tools/command/sort/sort_file.h>
#include <millrace/tools/command/sort/sort_input.h>
#include <millrace/tools/command/sort/sort_npy.h>
#include <millrace/tools/command/sort/sort_options.h>
#include <millrace/tools/command/sort/sort_ranks.h>
#include <millrace/tools/command/sort/sort_watch.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/names/joined_names.h>
#include <millrace/tools/files/names/temporary_folder.h>
#include <millrace/tools/files/output/output_file.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>

namespace millrace::tools {
namespace {

using radix_sort::SortOrder;

struct Result {
  SortFileReport sort = {};
  std::string device;
  std::uint64_t items = 0;
  std::uint64_t written = 0;  // Records of the result.
  std::uint64_t runs = 0;
  RecordShape shape;
  double seconds = 0;  // From the first byte read to the last one written; without the check.

  double items_per_second() const { return seconds > 0 ? static_cast<double>(items) / seconds : 0; }
  std::string codec() const { return sort.codecs.empty() ? "raw" : joined_names(sort.codecs); }
};

nlohmann::json to_json(const SortCommandOptions& options, const Result& result) {
  nlohmann::json json = {{"file", options.file},
                         {"out", options.out},
                         {"type", to_string(result.shape.type)},
                         {"value_bytes", result.shape.value_bytes},
                         {"descending", options.sort.order == SortOrder::kDescending},
                         {"argsort", options.sort.is_argsort},
                         {"unique", options.is_unique},
                         {"items", result.items},
                         {"written", result.written},
                         {"seconds", result.seconds},
                         {"items_per_s", result.items_per_second()},
                         {"sort_seconds", result.sort.sort_seconds},
                         {"runs", result.runs},
                         {"device", result.device},
                         {"policy", to_string(result.sort.policy)},
                         {"devices", portions_json(result.sort.portions)},
                         {"codec", result.codec()},
                         {"codec_use", to_string(options.sort.codec)},
                         {"coded_segments", result.sort.coded_segments},
                         {"raw_segments", result.sort.raw_segments},
                         {"codec_trials", result.sort.codec_trials},
                         {"bytes_up", result.sort.bytes_up},
                         {"bytes_down", result.sort.bytes_down},
                         {"checked", options.is_checked},
                         {"top", nullptr},
                         {"bits", nullptr},
                         {"member", nullptr}};
  if (options.top > 0) json["top"] = options.top;
  if (options.input.bits.end > 0) {
    json["bits"] = {options.input.bits.first, options.input.bits.end};
  }
  if (!options.input.member.empty()) json["member"] = options.input.member;
  return json;
}

void print_table(const SortCommandOptions& options, const Result& result) {
  std::printf("%s: %llu keys of %s", shown_name(options.file, NameUse::kInput).c_str(),
              static_cast<unsigned long long>(result.items), to_string(result.shape.type));
  if (result.shape.value_bytes > 0) {
    std::printf(" with values of %zu bytes", result.shape.value_bytes);
  }
  std::printf("\ndevice    policy                  runs   seconds  M keys/s  sort only\n");
  const double sort_rate =
      result.sort.sort_seconds > 0 ? result.items / result.sort.sort_seconds / 1e6 : 0;
  std::printf("%-8s  %-20s  %6llu  %8.3f  %8.1f  %9.1f\n", result.device.c_str(),
              to_string(result.sort.policy), static_cast<unsigned long long>(result.runs),
              result.seconds, result.items_per_second() / 1e6, sort_rate);
  print_device_portions(result.sort.portions);
  if (options.is_filtered()) {
    std::printf("%llu of them are in the result\n",
                static_cast<unsigned long long>(result.written));
  }
  std::printf("%s %s\n", options.is_checked ? "wrote and checked" : "wrote", options.out.c_str());
  for (const std::string& path : {options.common.json_path, options.common.trace_path}) {
    if (!path.empty()) std::printf("      %s\n", path.c_str());
  }
}

// Does everything but the commit of the files, on all ranks; rank 0 has `out`.
Result sort_to(Communicator& world, OutputFile* out, const SortCommandOptions& options,
               const SortInput& input, const DeviceGroup& group, const InterruptGuard& interrupt) {
  std::optional<SortPlan> made;
  together(world, [&] { made.emplace(input, options.sort); });
  const SortPlan& plan = *made;
  const ResultForm form(options, input, plan);
  const int passes = plan.passes() + (options.is_checked ? kCheckPasses : 0);
  SortWatch watch(interrupt, passes * input.count() * input.shape().bytes());
  const bool is_alone = world.size() == 1;
  Result result = {.device = group.name(),
                   .items = input.count(),
                   .written = input.count(),
                   .runs = is_alone ? plan.runs() : static_cast<unsigned>(world.size()),
                   .shape = input.shape()};
  const auto start = std::chrono::steady_clock::now();
  // The number of unique keys is written again when it is known.
  const std::uint64_t top_records =
      options.top > 0
          ? std::min<std::uint64_t>(static_cast<std::uint64_t>(options.top), input.count())
          : input.count();
  together(world, [&] {
    if (out != nullptr) out->stream() << form.header(top_records);
  });
  std::ostream* stream = out == nullptr ? nullptr : &out->stream();
  std::optional<ColumnStream> column;
  together(world, [&] {
    const std::optional<WrittenColumn> written = form.column();
    if (stream != nullptr && written) stream = &column.emplace(*stream, *written);
  });
  std::optional<NarrowKeyStream> narrow;
  const NpyArray* const array = form.narrow_array();
  if (stream != nullptr && array != nullptr) stream = &narrow.emplace(*stream, array->stored);
  std::optional<RecordFilter> filter;
  if (stream != nullptr && options.is_filtered()) {
    const RecordShape& shape = plan.run_shape();
    const bool has_keys = !options.sort.is_argsort || options.sort.keeps_keys;
    stream = &filter.emplace(*stream, shape, has_keys,
                             RecordFilterOptions{options.is_unique, top_records,
                                                 /*drops_keys=*/options.sort.is_argsort});
  }
  result.sort = is_alone ? sort_file(group, input, options.sort, plan, *stream, watch)
                         : sort_file_on_ranks({world, group.queue(0)}, input, options.sort, plan,
                                              stream, watch);
  together(world, [&] {
    if (out == nullptr) return;
    if (column) column->finish();
    if (filter) result.written = filter->kept();
    if (options.is_unique && has_npy_name(options.out)) {
      out->stream().seekp(0);
      out->stream() << form.header(result.written);
    }
    out->close();
    const auto end = std::chrono::steady_clock::now();
    result.seconds = seconds_between(start, end);
    if (options.is_checked) form.check(out->written_path(), watch);
  });
  return result;
}

// Throws for an output that exists or cannot be written, before the input is read.
void check_outputs(const SortCommandOptions& options) {
  for (const std::string& path :
       {options.out, options.common.json_path, options.common.trace_path}) {
    if (!path.empty()) OutputFile::check(path, options.common.force);
  }
}

// The objects of a rank. Only rank 0 has files to write.
struct RankRun {
  std::optional<DeviceGroup> group{};
  std::optional<SortInput> input{};
  std::string sample{};
  std::optional<InterruptGuard> interrupt{};
  std::optional<OutputFile> out{};
  std::optional<ReportFiles> reports{};
};

void prepare(SortCommandOptions& options, const Communicator& world, RankRun& rank) {
  check_sort_options(options, /*is_alone=*/world.size() == 1);
  options.input.is_widened = world.size() > 1;
  options.sort.keeps_keys = options.sort.is_argsort && options.is_unique;
  if (options.top > 0 && !options.is_unique) {
    options.sort.top_records = static_cast<std::uint64_t>(options.top);
  }
  require_file_of_all_ranks(world, options.file);
  rank.group.emplace(world.size() == 1 ? open_group_or_default(options.device)
                                       : open_rank_group(world, options.device));
  options.sort.folder = temporary_folder(options.temporary, options.out);
  options.input.folder = options.sort.folder;
  // Made before a pipe is waited for, and before any temporary file, which a signal would leave.
  rank.interrupt.emplace();
  if (world.rank() == 0) check_outputs(options);
  rank.input.emplace(options.file, options.input);
  rank.sample = sample_of_file(options.file);
  if (options.sort.memory_bytes == 0) {
    options.sort.memory_bytes = memory_limit() / (3 * static_cast<unsigned>(world.local_size()));
  }
  if (world.rank() > 0) return;
  rank.out.emplace(options.out, options.common.force);
  rank.reports.emplace(options.common);
}

void run_rank(SortCommandOptions& options, Communicator& world) {
  RankRun rank;
  together(world, [&] { prepare(options, world, rank); });
  ArgumentCheck(world, "millrace sort")
      .add("the number of records of " + options.file,
           static_cast<std::int64_t>(rank.input->count()))
      .add("the file " + options.file, rank.sample)
      .compare();
  try {
    const Result result = sort_to(world, rank.out ? &*rank.out : nullptr, options, *rank.input,
                                  *rank.group, *rank.interrupt);
    together(world, [&] {
      if (rank.out) rank.reports->commit({&*rank.out}, to_json(options, result));
    });
    const CommonOptions& common = options.common;
    const bool is_quiet = has_standard_output({options.out, common.json_path, common.trace_path});
    if (rank.out && !is_quiet) print_table(options, result);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) throw;
    const int signal = signal_of_any(world, *rank.interrupt);
    if (signal == 0) throw;
    if (world.rank() == 0) {
      std::cerr << "millrace: " << interruption(signal) << "; nothing was written\n";
    }
    throw ExitStatus(128 + signal);
  }
}

void run(SortCommandOptions& options) {
  Communicator& world = world_communicator();
  run_on_rank(world, [&] { run_rank(options, world); });
}

}  // namespace

void add_sort_command(Command& root) {
  Command& command = root.add_subcommand<SortCommandOptions>(
      "sort", "Sort the keys of a file of any size, with or without values", add_sort_options, run);
  command.set_footer(
      "The sort is stable. Floating-point keys are in the total order of IEEE 754:\n"
      "-NaN, -infinity, ..., -0, +0, ..., +infinity, +NaN.");
}

}  // namespace millrace::tools
