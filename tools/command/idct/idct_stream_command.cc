// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/idct/idct_outputs.h>
#include <millrace/tools/command/idct/idct_stream.h>
#include <millrace/tools/command/idct/idct_stream_command.h>
#include <millrace/tools/command/idct/stream_features.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/h264/h264_input.h>
#include <millrace/tools/video/h264/luma_queue_reader.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

void print_table(const IdctCommandOptions& options, const IdctStreamResult& result) {
  std::printf("%s: %dx%d, %s, %llu macroblocks of the stream, %.0f %% coded, %.0f %% 8x8\n",
              options.clip.path.c_str(), result.format.width, result.format.height,
              frames_text(result.frames).c_str(),
              static_cast<unsigned long long>(result.luma.macroblocks),
              100 * coded_fraction(result.luma), 100 * fraction_8x8(result.luma));
  if (result.luma.pcm + result.luma.lost > 0) {
    std::printf("macroblocks not in the queue: %llu PCM, %llu lost\n",
                static_cast<unsigned long long>(result.luma.pcm),
                static_cast<unsigned long long>(result.luma.lost));
  }
  if (result.concealed_macroblocks > 0 || result.damage.refer_to_damaged > 0) {
    std::printf(
        "concealed: %lld macroblocks, copied from another picture; %.2f %% of inter macroblocks "
        "refer to concealed ones, %.2f %% to damage\n",
        static_cast<long long>(result.concealed_macroblocks),
        100 * result.damage.concealed_reference_fraction(),
        100 * result.damage.damaged_reference_fraction());
  }
  if (result.transformed_pictures > result.frames && !result.runs.empty()) {
    std::printf(
        "transformed: %lld pictures, %llu macroblocks, as frames are shown some pictures "
        "after they are decoded\n",
        static_cast<long long>(result.transformed_pictures),
        static_cast<unsigned long long>(result.runs[0].macroblocks));
  }
  print_idct_runs(options, result.runs);
}

nlohmann::json to_json(const IdctCommandOptions& options, const IdctStreamResult& result) {
  nlohmann::json json = idct_runs_json(options, result.runs);
  json.update({{"queue", kStreamQueue},
               {"source_format", "h264, yuv420p"},
               {"frames", result.frames},
               {"width", result.format.width},
               {"height", result.format.height},
               {"macroblocks", result.luma.macroblocks},
               {"coded_share", coded_fraction(result.luma)},
               {"share_8x8", fraction_8x8(result.luma)},
               {"zero_coefficient_share", zero_coefficient_fraction(result.luma)},
               {"luma_bits", result.luma.luma_bits},
               {"pcm_macroblocks", result.luma.pcm},
               {"lost_macroblocks", result.luma.lost},
               {"concealed_macroblocks", result.concealed_macroblocks},
               {"refers_to_concealed", result.damage.concealed_reference_fraction()},
               {"refers_to_damaged", result.damage.damaged_reference_fraction()},
               {"transformed_pictures", result.transformed_pictures},
               {"faults", result.faults}});
  return json;
}

void write_notes(const IdctCommandOptions& options, const h264::NalUnitSource& source,
                 const IdctStreamResult& result) {
  const std::string name = options.clip.name() + ": ";
  if (const std::string notes = source.notes(); !notes.empty()) note(name + notes);
  if (result.first_fault.empty()) return;
  note(name + "faults in the stream: " + std::to_string(result.faults) +
       "; the first: " + result.first_fault);
}

// A pipe is known not to be a stream only here.
std::unique_ptr<h264::NalUnitSource> open_stream(const std::string& path) {
  try {
    return open_one_stream(path);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCancelled) throw;
    throw Error(error.code(), error.what() + std::string("; or write --queue requantised"));
  }
}

}  // namespace

void run_idct_stream(const IdctCommandOptions& options, std::vector<DeviceGroup> groups) {
  check_idct_outputs(options);
  // Made before any temporary file, which a signal would leave.
  const InterruptGuard interrupt;
  const std::unique_ptr<h264::NalUnitSource> source = open_stream(options.clip.path);
  IdctOutputs outputs(options);
  StreamFeatureTable features(outputs.features());
  const auto take = [&](const StreamFrame& frame) {
    features.add(frame.features);
    outputs.write(frame.picture, frame.format);
  };
  const IdctStreamResult result = process_stream({.path = options.clip.path,
                                                  .frames = options.common.frames,
                                                  .policies = options.common.policies,
                                                  .has_thread = HostThreads::shared().count() > 1},
                                                 std::move(groups), *source, interrupt, take);
  if (result.frames > 0) {
    outputs.commit(to_json(options, result));
    write_notes(options, *source, result);
    if (!is_report_on_stdout(options)) print_table(options, result);
  } else if (result.signal == 0) {
    throw Error(ErrorCode::kIo, options.clip.path + ": the stream has no picture that is shown" +
                                    (result.first_fault.empty() ? "" : ": " + result.first_fault));
  }
  if (result.signal == 0) return;
  note(result.frames == 0
           ? interruption(result.signal) + " before the first frame; nothing was written"
           : interruption(result.signal) + "; " + frames_text(result.frames) +
                 " complete and written");
  throw ExitStatus(128 + result.signal);
}

}  // namespace millrace::tools
