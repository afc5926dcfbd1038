// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/clip/clip_frames.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/idct/idct_clip.h>
#include <millrace/tools/command/idct/idct_command.h>
#include <millrace/tools/command/idct/idct_options.h>
#include <millrace/tools/command/idct/idct_outputs.h>
#include <millrace/tools/command/idct/idct_stream_command.h>
#include <millrace/tools/command/idct/picture/picture_features.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/picture/quality.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

double mean_psnr_db(const IdctClipResult& result) {
  return psnr_db(result.squared_error /
                 static_cast<double>(std::max<std::int64_t>(result.frames, 1)));
}

double fraction_8x8_of(const IdctClipResult& result) {
  return static_cast<double>(result.luma.macroblocks_8x8) /
         static_cast<double>(result.luma.macroblocks);
}

Y4mFormat format_of(const VideoReader& reader) {
  return {.width = reader.width(),
          .height = reader.height(),
          .rate = reader.frame_rate(),
          .full_range = reader.full_range(),
          .chroma_left = reader.chroma_left(),
          .aspect = reader.aspect(),
          .field_order = reader.field_order()};
}

int qp_of(const IdctCommandOptions& options) {
  return options.qp.value_or(IdctCommandOptions::kDefaultQp);
}

void print_table(const IdctCommandOptions& options, const VideoReader& reader,
                 const IdctClipResult& totals) {
  std::printf("%s: %dx%d, %s, %llu macroblocks, %.0f %% 8x8, PSNR %.2f dB at QP %d\n",
              options.clip.path.c_str(), reader.width(), reader.height(),
              frames_text(totals.frames).c_str(),
              static_cast<unsigned long long>(totals.luma.macroblocks),
              100 * fraction_8x8_of(totals), mean_psnr_db(totals), qp_of(options));
  const std::string losses = losses_text(reader.losses());
  if (!losses.empty()) std::printf("%s\n", losses.c_str());
  print_idct_runs(options, totals.runs);
}

nlohmann::json to_json(const IdctCommandOptions& options, const VideoReader& reader,
                       const IdctClipResult& totals) {
  // JSON has no infinity: null stands for the PSNR of a perfect copy.
  const double psnr = mean_psnr_db(totals);
  nlohmann::json json = idct_runs_json(options, totals.runs);
  json.update({{"queue", kRequantisedQueue},
               {"source_format", reader.source_format()},
               {"frames", totals.frames},
               {"width", reader.width()},
               {"height", reader.height()},
               {"lost", reader.losses().lost},
               {"concealed", reader.losses().concealed},
               {"qp", qp_of(options)},
               {"macroblocks", totals.luma.macroblocks},
               {"share_8x8", fraction_8x8_of(totals)},
               {"psnr_y_db", std::isfinite(psnr) ? nlohmann::json(psnr) : nlohmann::json()}});
  return json;
}

// Returns the devices of a rank; for a single process, all devices or the named ones.
std::vector<DeviceGroup> groups_of(const IdctCommandOptions& options, const Communicator& world) {
  std::vector<DeviceGroup> groups;
  if (world.size() > 1) {
    const std::vector<std::string>& names = options.common.device_names;
    if (names.size() > 1) {
      reject("--device is given " + std::to_string(names.size()) +
             " times, which is for one process; to give each rank a device, name them once "
             "with commas between them");
    }
    groups.push_back(open_rank_group(world, names.empty() ? "" : names.front()));
    return groups;
  }
  groups = options.common.open_groups();
  if (groups.empty())
    throw Error(ErrorCode::kNotFound, "there is no device to run on; `millrace devices` says why");
  return groups;
}

// The objects of a rank. Only rank 0 has files to write.
struct RankRun {
  IdctClipOptions clip{};
  std::string clip_sample{};
  std::vector<DeviceGroup> groups{};
  std::optional<VideoReader> reader{};
  Y4mFormat format{};
  std::optional<InterruptGuard> interrupt{};
  std::optional<IdctOutputs> outputs{};
  std::optional<FeatureTable> features{};
};

void prepare(const IdctCommandOptions& options, const Communicator& world, RankRun& rank) {
  rank.clip = {.path = options.clip.path,
               .qp = qp_of(options),
               .frames = options.common.frames,
               .policies = options.common.policies};
  check_clip_of_ranks(options.clip, world.size());
  rank.reader.emplace(open_clip(options.clip, options.common.frames));
  rank.format = format_of(*rank.reader);
  rank.clip_sample = sample_of_file(options.clip.path);
  check_idct_outputs(options);
  // Made before any temporary file, which a signal would leave.
  rank.interrupt.emplace();
  if (world.rank() > 0) return;
  rank.outputs.emplace(options);
  rank.features.emplace(rank.outputs->features());
}

// Called once files are in place: an error before that is the only line.
void write_notes(const IdctCommandOptions& options, const VideoReader& reader) {
  note_clip(reader);
  if (reader.field_order() == FieldOrder::kMixed) {
    note(
        "interlaced and progressive frames are mixed, so the y4m output does not say which they "
        "are (I?)");
  }
  note_end_of_clip(options.clip, reader);
}

void finish(const IdctCommandOptions& options, const RankRun& rank, IdctOutputs& outputs,
            const IdctClipResult& result) {
  outputs.commit(to_json(options, *rank.reader, result));
  write_notes(options, *rank.reader);
  if (!is_report_on_stdout(options)) print_table(options, *rank.reader, result);
}

void run_requantised(const IdctCommandOptions& options, std::vector<DeviceGroup> groups,
                     Communicator& world) {
  RankRun rank;
  rank.groups = std::move(groups);
  together(world, [&] { prepare(options, world, rank); });
  compare_clips(world, options.clip.path, rank.clip_sample, *rank.reader);
  IdctOutputs* const outputs = rank.outputs ? &*rank.outputs : nullptr;
  const auto take = [&](const PictureFeatures& features, const Picture& reconstruction) {
    rank.features->add(features);
    outputs->write(reconstruction, rank.format);
  };
  const IdctClipResult result =
      process_clip(world, rank.clip, std::move(rank.groups), *rank.reader, *rank.interrupt, take);
  together(world, [&] {
    if (outputs != nullptr && result.frames > 0) finish(options, rank, *outputs, result);
  });
  const int signal = result.signal != 0 ? result.signal : signal_of_any(world, *rank.interrupt);
  if (signal == 0) return;
  if (outputs != nullptr) {
    note(result.frames == 0
             ? interruption(signal) + " before the first frame; nothing was written"
             : interruption(signal) + "; " + frames_text(result.frames) + " complete and written");
  }
  throw ExitStatus(128 + signal);
}

void run_rank(const IdctCommandOptions& options, Communicator& world) {
  std::vector<DeviceGroup> groups;
  QueueChoice choice;
  together(world, [&] {
    groups = groups_of(options, world);
    choice = choose_queue(options, world.size());
  });
  if (choice.is_stream) return run_idct_stream(options, std::move(groups));
  run_requantised(options, std::move(groups), world);
  if (world.rank() == 0) note(choice.note);
}

void run(const IdctCommandOptions& options) {
  Communicator& world = world_communicator();
  run_on_rank(world, [&] { run_rank(options, world); });
}

}  // namespace

void add_idct_command(Command& root) {
  root.add_subcommand<IdctCommandOptions>(
      "idct",
      "Run the H.264 inverse transform on a stream's macroblock queues, or on those of a clip",
      add_idct_options, run);
}

}  // namespace millrace::tools
