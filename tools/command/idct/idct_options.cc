// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/idct/idct_options.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/h264/h264_input.h>
#include <millrace/tools/video/h264/luma_queue_reader.h>
#include <millrace/tools/video/raw/raw_format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace millrace::tools {
namespace {

constexpr char kAdvice[] = "; or write --queue requantised";

std::string parse_queue(const std::string& name) {
  if (name == kStreamQueue || name == kRequantisedQueue) return name;
  reject("--queue is '" + name + "'; write stream, or requantised");
}

bool is_read_as_pictures(const VideoReaderOptions& reading) {
  return reading.width > 0 || !reading.pixel_format.empty() || reading.is_pattern;
}

// Returns why the options leave no stream's queue; "" if they do.
std::string problem_of_options(const IdctCommandOptions& options, int ranks) {
  if (ranks > 1) {
    return "--queue stream is for one process, and there are " + std::to_string(ranks) +
           " ranks; leave out --queue";
  }
  if (options.qp) {
    return "--qp and --queue stream are both given; a stream has QPs of its own, so leave --qp out";
  }
  if (is_read_as_pictures(options.clip.reading)) {
    return "--queue stream is for H.264 streams, and --size, --pixel-format and --pattern are for "
           "pictures; leave out one or the other";
  }
  return "";
}

QueueChoice choose_by_clip(const IdctCommandOptions& options) {
  const std::string& path = options.clip.path;
  if (is_clip_pipe(path) || has_raw_name(path)) return {};
  std::string problem;
  try {
    problem = queue_problem(path);
  } catch (const Error&) {
    return {};  // No H.264. If it is no video either, its reader says so.
  }
  if (problem.empty()) return {.is_stream = true};
  return {.note =
              path + ": the queue is requantised, as the stream's own is not there: " + problem};
}

void require_stream(const std::string& path) {
  if (is_clip_pipe(path)) return;  // Read only once; process_stream() says what is wrong.
  const ClipInput readable(file_of_stream(path));
  std::string problem;
  try {
    problem = queue_problem(path);
  } catch (const Error& error) {
    throw Error(error.code(), error.what() + std::string(kAdvice));
  }
  if (!problem.empty()) throw Error(ErrorCode::kUnsupported, path + ": " + problem + kAdvice);
}

}  // namespace

std::string IdctCommandOptions::output_path(const std::string& kind) const {
  const std::filesystem::path name(clip.name());
  return (std::filesystem::path(out_dir) / (name.stem().string() + "-idct." + kind))
      .lexically_normal();
}

void add_idct_options(Command& command, IdctCommandOptions& options) {
  add_clip_options(command, options.clip);
  add_common_options(command, options.common);
  add_trace_option(command, options.common);
  command.add_option(
      {.names = "--queue",
       .value_name = "QUEUE",
       .help = "stream: the macroblocks of the H.264 stream itself; requantised: "
               "those of the decoded pictures, coded anew (default: stream where "
               "CLIP is a file with H.264 that is parsed, and --qp is not given)",
       .store = [&options](const std::string& name) { options.queue = parse_queue(name); },
       .choices =
           [] {
             return std::vector<std::string>{kStreamQueue, kRequantisedQueue};
           }});
  command.add_option(
      {.names = "--qp",
       .value_name = "QP",
       .help = "Quantisation parameter of a requantised queue, 0 to 51 (default: 28)",
       .store = whole_number_in("--qp", 0, 51, options.qp)});
  command.add_option({.names = "--out-dir",
                      .value_name = "FOLDER",
                      .help = "Write NAME-idct.csv and NAME-idct.y4m, after CLIP's name, to this "
                              "folder (default: the current one)",
                      .store = into(options.out_dir),
                      .files = OfferedFiles::kFolders});
}

QueueChoice choose_queue(const IdctCommandOptions& options, int ranks) {
  if (options.queue == kRequantisedQueue) return {};
  const std::string problem = problem_of_options(options, ranks);
  if (options.queue.empty()) return problem.empty() ? choose_by_clip(options) : QueueChoice{};
  if (!problem.empty()) {
    reject(options.qp ? problem : problem + kAdvice);
  }
  require_stream(options.clip.path);
  return {.is_stream = true};
}

}  // namespace millrace::tools
