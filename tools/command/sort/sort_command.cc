// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/runtime/stream/codec_choice.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/device_portions.h>
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/sort/record_filter.h>
#include <millrace/tools/command/sort/sort_check.h>
#include <millrace/tools/command/sort/sort_command.h>
#include <millrace/tools/command/sort/sort_file.h>
#include <millrace/tools/command/sort/sort_input.h>
#include <millrace/tools/command/sort/sort_npy.h>
#include <millrace/tools/command/sort/sort_ranks.h>
#include <millrace/tools/command/sort/sort_watch.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/names/joined_names.h>
#include <millrace/tools/files/names/temporary_folder.h>
#include <millrace/tools/files/output/output_file.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace millrace::tools {
namespace {

using radix_sort::KeyType;
using radix_sort::SortOrder;

constexpr std::int64_t kLeastMemory = 1 << 16;

struct SortCommandOptions {
  CommonOptions common;
  std::string file;
  std::string out;
  std::string device;  // Empty: default_device().
  SortInputOptions input;
  std::optional<std::string> bits;  // Empty: all bits of the keys.
  std::string temporary;            // Empty: temporary_folder().
  SortFileOptions sort;  // `memory_bytes` of 0 stands for a third of the process's limit.
  bool is_checked = false;
  bool is_unique = false;
  std::int64_t top = 0;  // 0: all.

  bool is_filtered() const { return is_unique || top > 0; }
};

KeyType parse_type(const std::string& text) {
  for (const KeyType type : radix_sort::kKeyTypes) {
    if (text == to_string(type)) return type;
  }
  for (const KeyType type : radix_sort::kNarrowKeyTypes) {
    if (text == to_string(type)) return type;
  }
  reject("--type is '" + text + "'; give u8, u16, u32, u64, i8, i16, i32, i64, f16, f32 or f64");
}

std::vector<std::string> key_type_names() {
  std::vector<std::string> names;
  for (const KeyType type : radix_sort::kKeyTypes) names.emplace_back(to_string(type));
  for (const KeyType type : radix_sort::kNarrowKeyTypes) names.emplace_back(to_string(type));
  return names;
}

// Parses LOW:HIGH for keys of `key_bits` bits.
radix_sort::BitRange parse_bits(const std::string& text, int key_bits) {
  radix_sort::BitRange bits;
  const char* const end = text.data() + text.size();
  const auto [colon, low_error] = std::from_chars(text.data(), end, bits.first);
  if (low_error == std::errc() && colon != end && *colon == ':') {
    const auto [last, high_error] = std::from_chars(colon + 1, end, bits.end);
    const bool is_range = bits.first >= 0 && bits.first < bits.end;
    if (high_error == std::errc() && last == end && is_range) return bits;
  }
  reject("--bits is '" + text +
         "'; give LOW:HIGH, such as 0:8 for the lowest eight, with LOW < HIGH <= " +
         std::to_string(key_bits));
}

// Splits FILE.npz:NAME, unless there is a file of that name.
void split_member(std::string& file, std::string& member) {
  const std::size_t colon = file.rfind(':');
  std::error_code ignored;
  if (colon == file.npos || colon == 0 || std::filesystem::exists(file, ignored)) return;
  if (!std::filesystem::is_regular_file(file.substr(0, colon), ignored)) return;
  if (!member.empty()) {
    reject("--member is '" + member + "', and " + file + " names a member, too; give one");
  }
  member = file.substr(colon + 1);
  file.resize(colon);
}

std::size_t parse_value_bytes(const std::string& text) {
  if (text == "0" || text == "4" || text == "8") return static_cast<std::size_t>(text[0] - '0');
  reject("--value-bytes is '" + text + "'; give 0, 4 or 8");
}

CodecUse parse_codec(const std::string& text) {
  for (const CodecUse use : {CodecUse::kMeasured, CodecUse::kCoded, CodecUse::kRaw}) {
    if (text == to_string(use)) return use;
  }
  reject("--codec is '" + text + "'; give measured, coded or raw");
}

// Checks all that needs no file to be opened.
void check_options(const SortCommandOptions& options) {
  const SortInputOptions& input = options.input;
  if (input.is_raw && !input.type) {
    reject("--raw is given without --type; give the type of the keys in " + options.file + " too");
  }
  if (options.sort.is_argsort && input.value_bytes > 0) {
    reject("--argsort and --value-bytes are both given; --argsort takes keys without values");
  }
  if (options.is_checked && options.is_filtered()) {
    reject("--check compares all records with the result; leave it out, or --unique and --top");
  }
  if (options.is_unique && has_npy_name(options.out) && is_written_directly(options.out)) {
    reject(options.out +
           ": is no regular file, and a .npy file begins with the number of keys, which --unique "
           "knows only at the end; give a file");
  }
  if (has_npy_name(options.out) && input.value_bytes > 0) {
    reject(options.out + ": a .npy file has keys alone, without values of " +
           std::to_string(input.value_bytes) +
           " bytes; give the output another name, or leave out --value-bytes");
  }
  const std::string identity = identity_of(options.out, NameUse::kOutput);
  if (!identity.empty() && identity == identity_of(options.file, NameUse::kInput)) {
    reject(options.out + ": is the input, which is not replaced; give another output file");
  }
  check_outputs_differ({{"--output", options.out},
                        {"--json", options.common.json_path},
                        {"--trace", options.common.trace_path}},
                       {options.file});
  if (options.is_checked && is_written_directly(options.out)) {
    reject(options.out +
           ": is no regular file, which --check cannot read back; give a file, or leave "
           "out --check");
  }
}

// Returns the bytes that precede the result in its file.
std::string header_of(const SortCommandOptions& options, const SortInput& input,
                      const SortPlan& plan, std::uint64_t count) {
  if (!has_npy_name(options.out)) return "";
  const KeyType of_positions = plan.run_shape().value_bytes == 8 ? KeyType::kU64 : KeyType::kU32;
  if (options.sort.is_argsort) return npy_header(npy_element(of_positions), count);
  const std::string element = input.array() && input.array()->is_narrow()
                                  ? input.array()->stored.description()
                                  : npy_element(input.shape().type);
  return npy_header(element, count);
}

// Returns the array whose keys are written as narrow as they were read, or null.
const NpyArray* narrow_array(const SortCommandOptions& options, const SortInput& input) {
  const bool is_narrow = input.array() && input.array()->is_narrow() && !options.sort.is_argsort;
  return is_narrow ? &*input.array() : nullptr;
}

void check(const SortCommandOptions& options, const SortInput& input, const SortPlan& plan,
           const std::string& path, SortWatch& watch) {
  const TimelineScope scope("host check", "result");
  const PositionedFile file = PositionedFile::open(path);
  const SortedFile sorted = {file, header_of(options, input, plan, input.count()).size(),
                             narrow_array(options, input)};
  if (options.sort.is_argsort) {
    check_argsorted(input, options.sort.order, sorted, plan.run_shape().value_bytes,
                    options.sort.memory_bytes, watch);
  } else {
    check_sorted(input, options.sort.order, sorted, watch);
  }
}

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
  const int passes = plan.passes() + (options.is_checked ? kCheckPasses : 0);
  SortWatch watch(interrupt, passes * input.count() * input.shape().bytes());
  const bool is_alone = world.size() == 1;
  Result result = {.device = group.name(),
                   .items = input.count(),
                   .written = input.count(),
                   .runs = is_alone ? plan.runs() : static_cast<unsigned>(world.size()),
                   .shape = input.shape()};
  const auto start = std::chrono::steady_clock::now();
  // Of unique keys the number is written again, when it is known.
  const std::uint64_t top_records =
      options.top > 0
          ? std::min<std::uint64_t>(static_cast<std::uint64_t>(options.top), input.count())
          : input.count();
  together(world, [&] {
    if (out != nullptr) out->stream() << header_of(options, input, plan, top_records);
  });
  std::ostream* stream = out == nullptr ? nullptr : &out->stream();
  std::optional<NarrowKeyStream> narrow;
  const NpyArray* const array = narrow_array(options, input);
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
    if (filter) result.written = filter->kept();
    if (options.is_unique && has_npy_name(options.out)) {
      out->stream().seekp(0);
      out->stream() << header_of(options, input, plan, result.written);
    }
    out->close();
    const auto end = std::chrono::steady_clock::now();
    result.seconds = seconds_between(start, end);
    if (options.is_checked) check(options, input, plan, out->written_path(), watch);
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

// Rejects what one process alone does.
void check_ranks(const SortCommandOptions& options) {
  const bool is_narrow = options.input.type && radix_sort::key_bytes(*options.input.type) < 4;
  const char* const what = options.input.bits.end > 0                     ? "--bits"
                           : is_narrow                                    ? "--type of 8 or 16 bits"
                           : options.is_unique && options.sort.is_argsort ? "--unique of --argsort"
                                                                          : nullptr;
  if (what == nullptr) return;
  reject(std::string(what) + " is for one process; leave out mpirun");
}

void prepare(SortCommandOptions& options, const Communicator& world, RankRun& rank) {
  split_member(options.file, options.input.member);
  if (options.bits) {
    const std::size_t bytes = options.input.type ? radix_sort::key_bytes(*options.input.type) : 8;
    options.input.bits = parse_bits(*options.bits, static_cast<int>(8 * bytes));
  }
  check_options(options);
  if (world.size() > 1) check_ranks(options);
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

void add_record_options(Command& command, SortCommandOptions& options) {
  command.add_option(
      {.names = "--type",
       .value_name = "TYPE",
       .help =
           "Type of the keys: u8, u16, u32, u64, i8, i16, i32, i64, f16, f32 or f64 (default: the "
           "type in a .npy file, else u32)",
       .store = [&options](const std::string& type) { options.input.type = parse_type(type); },
       .choices = key_type_names});
  command.add_flag("--raw", options.input.is_raw,
                   "Read FILE as records of --type, even if it looks like text, an archive or a "
                   ".npy file");
  command.add_option({.names = "--value-bytes",
                      .value_name = "N",
                      .help =
                          "Size of the value that follows each key and moves with it: 0, 4 or 8 "
                          "(default: 0)",
                      .store =
                          [&options](const std::string& bytes) {
                            options.input.value_bytes = parse_value_bytes(bytes);
                          },
                      .choices =
                          [] {
                            return std::vector<std::string>{"0", "4", "8"};
                          }});
  command.add_flag({.names = "--descending",
                    .help = "Sort the greatest key first; records of equal keys keep their order",
                    .set = [&options] { options.sort.order = SortOrder::kDescending; }});
  command.add_option(
      {.names = "--bits",
       .value_name = "LOW:HIGH",
       .help = "Sort only by bits LOW to HIGH - 1 of the keys, where bit 0 is the lowest. The bits "
               "of signed and floating-point keys are those of unsigned integers in the same order",
       .store = [&options](const std::string& text) { options.bits = text; }});
  command.add_flag("--unique", options.is_unique,
                   "Write only the first of the records with equal keys, or with equal --bits");
  command.add_option({.names = "--top",
                      .value_name = "K",
                      .help = "Write only the first K records of the result",
                      .store = whole_number_from("--top", 1, options.top)});
  command.add_option({.names = "--member",
                      .value_name = "NAME",
                      .help = "Array of a .npz file, if it has several; FILE.npz:NAME is the same",
                      .store = into(options.input.member)});
  command.add_flag("--argsort", options.sort.is_argsort,
                   "Write the positions of the keys in FILE, counted from 0, in the order of the "
                   "keys: u32, or u64 for more than 2^32 keys");
}

void add_run_options(Command& command, SortCommandOptions& options) {
  add_device_option(command, options.device,
                    "Sort on this device (`millrace devices` lists them), or on several that share "
                    "the work, with commas between their names (default: a GPU, else the CPU)");
  add_policy_option(
      command, [&options](const std::string& name) { options.sort.policy = parse_policy(name); },
      "Schedule buckets on CPUs by this policy: persistent, uberkernel, kernel-per-type, or auto "
      "(default). GPUs sort without buckets");
  command.add_option(
      {.names = "--codec",
       .value_name = "USE",
       .help = "Compress sorted keys on their way from a GPU: coded always does, raw never, and "
               "measured does what was faster in earlier runs (default)",
       .store = [&options](const std::string& use) { options.sort.codec = parse_codec(use); },
       .choices =
           [] {
             return std::vector<std::string>{"measured", "coded", "raw"};
           }});
  command.add_option(
      {.names = "--memory",
       .value_name = "BYTES",
       .help = "Use at most this much memory. A larger FILE is sorted in runs, which are kept in a "
               "temporary folder and merged (default: a third of the machine's memory)",
       .store = whole_number_from("--memory", kLeastMemory, options.sort.memory_bytes, "bytes")});
  command.add_option(
      {.names = "--temporary",
       .value_name = "FOLDER",
       .help = "Folder for the sorted runs of --memory and for the contents of a pipe (default: "
               "TMPDIR, else the folder of OUT; /var/tmp if that is a device or a "
               "RAM disk)",
       .store = into(options.temporary),
       .files = OfferedFiles::kFolders});
  command.add_flag("--check", options.is_checked,
                   "Read OUT back before it appears, and check that it has the records of FILE in "
                   "order");
  add_output_options(command, options.common);
  add_trace_option(command, options.common);
}

}  // namespace

void add_sort_command(Command& root) {
  Command& command =
      root.add_subcommand("sort", "Sort the keys of a file of any size, with or without values");
  auto options = std::make_shared<SortCommandOptions>();
  command.add_option({.names = "FILE",
                      .help = "The input: records without header or padding, each a little-endian "
                              "key and its value, or a .npy file of keys or an array of a .npz "
                              "file, which are recognised by their content; - is standard input",
                      .store = into(options->file),
                      .is_required = true,
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "-o,--output",
                      .value_name = "OUT",
                      .help = "The result, a .npy file if its name ends in .npy; - is standard "
                              "output",
                      .store = into(options->out),
                      .is_required = true,
                      .files = OfferedFiles::kFiles});
  add_record_options(command, *options);
  add_run_options(command, *options);
  command.set_footer(
      "The sort is stable. Floating-point keys are in the total order of IEEE 754:\n"
      "-NaN, -infinity, ..., -0, +0, ..., +infinity, +NaN.");
  command.on_run([options] { run(*options); });
}

}  // namespace millrace::tools
