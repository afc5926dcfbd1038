// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/stream/codec_choice.h>
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/sort/sort_options.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/tables/columns/table_format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace millrace::tools {
namespace {

using radix_sort::KeyType;
using radix_sort::SortOrder;

constexpr std::int64_t kLeastMemory = 1 << 16;

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

// Splits FILE:NAME, of a .npz file or a table, unless there is a file of that name.
void split_member(std::string& file, std::string& member) {
  const std::size_t colon = file.rfind(':');
  std::error_code ignored;
  if (colon == file.npos || colon == 0 || std::filesystem::exists(file, ignored)) return;
  if (!std::filesystem::is_regular_file(file.substr(0, colon), ignored)) return;
  if (!member.empty()) {
    reject("--column (or --member) is '" + member + "', and " + file +
           " has a name, too; give one");
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

// Rejects results that files of typed columns or arrays cannot have.
void check_output_form(const SortCommandOptions& options) {
  const std::size_t value_bytes = options.input.value_bytes;
  const std::string values = "keys alone, without values of " + std::to_string(value_bytes) +
                             " bytes; give the output another name, or leave out --value-bytes";
  if (has_npy_name(options.out)) {
    if (value_bytes > 0) reject(options.out + ": a .npy file has " + values);
    if (options.is_unique && is_written_directly(options.out)) {
      reject(options.out +
             ": is no regular file, and a .npy file begins with the number of keys, which "
             "--unique knows only at the end; give a file");
    }
  }
  if (const std::optional<TableFormat> format = table_format_of(options.out)) {
    require_arrow(options.out, *format, /*is_output=*/true);
    if (value_bytes > 0) {
      reject(options.out + ": " + to_string(*format) + " is written with " + values);
    }
  }
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
  check_output_form(options);
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

void add_file_options(Command& command, SortCommandOptions& options) {
  command.add_option({.names = "FILE",
                      .help = "The input: records without header or padding, each a little-endian "
                              "key and its value, or a .npy file of keys, an array of a .npz file "
                              "or a column of a Parquet or Arrow file, which are recognised by "
                              "their content; - is standard input",
                      .store = into(options.file),
                      .is_required = true,
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "-o,--output",
                      .value_name = "OUT",
                      .help = "The result, a .npy, Parquet or Arrow file if its name ends in "
                              ".npy, .parquet, .arrow or .feather; - is standard output",
                      .store = into(options.out),
                      .is_required = true,
                      .files = OfferedFiles::kFiles});
}

void add_record_options(Command& command, SortCommandOptions& options) {
  command.add_option(
      {.names = "--type",
       .value_name = "TYPE",
       .help =
           "Type of the keys: u8, u16, u32, u64, i8, i16, i32, i64, f16, f32 or f64 (default: the "
           "type in a .npy, Parquet or Arrow file, else u32)",
       .store = [&options](const std::string& type) { options.input.type = parse_type(type); },
       .choices = key_type_names});
  command.add_flag(
      "--raw", options.input.is_raw,
      "Read FILE as records of --type, even if it looks like text, an archive, a table "
      "or a .npy file");
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
  command.add_option({.names = "--column,--member",
                      .value_name = "NAME",
                      .help = "Array of a .npz file, or column of a Parquet or Arrow file, if it "
                              "has several; FILE:NAME is the same",
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
  command.add_option({.names = "--temporary",
                      .value_name = "FOLDER",
                      .help = "Folder for the sorted runs of --memory and for the contents of a "
                              "pipe or a column (default: "
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

void add_sort_options(Command& command, SortCommandOptions& options) {
  add_file_options(command, options);
  add_record_options(command, options);
  add_run_options(command, options);
}

void check_sort_options(SortCommandOptions& options, bool is_alone) {
  split_member(options.file, options.input.member);
  if (options.bits) {
    const std::size_t bytes = options.input.type ? radix_sort::key_bytes(*options.input.type) : 8;
    options.input.bits = parse_bits(*options.bits, static_cast<int>(8 * bytes));
  }
  check_options(options);
  if (!is_alone) check_ranks(options);
}

}  // namespace millrace::tools
