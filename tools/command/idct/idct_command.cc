// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/idct/idct_command.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/clip/clip_ranks.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/device_shares.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/common/report_files.h>
#include <millrace/tools/command/idct/idct_clip.h>
#include <millrace/tools/command/idct/picture_features.h>
#include <millrace/tools/files/interrupt.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/video/picture/quality.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

namespace millrace::tools {
namespace {

struct IdctCommandOptions {
  CommonOptions common;
  ClipOptions clip;
  std::string out_dir = ".";
  int qp = 28;
};

double mean_psnr_db(const IdctClipResult& result) {
  return psnr_db(result.squared_error /
                 static_cast<double>(std::max<std::int64_t>(result.frames, 1)));
}

double share_8x8(const IdctClipResult& result) {
  return static_cast<double>(result.luma.macroblocks_8x8) /
         static_cast<double>(result.luma.macroblocks);
}

// The output files of a run: all of them complete, or none.
struct Outputs {
  Outputs(const IdctCommandOptions& options, const VideoReader& reader)
      : features_file(path(options, "csv"), options.common.force),
        pictures_file(path(options, "y4m"), options.common.force),
        reports(options.common),
        features(features_file.stream()),
        pictures(pictures_file.stream(), {.width = reader.width(),
                                          .height = reader.height(),
                                          .rate = reader.frame_rate(),
                                          .full_range = reader.full_range(),
                                          .chroma_left = reader.chroma_left(),
                                          .aspect = reader.aspect(),
                                          .field_order = reader.field_order()}) {}

  void commit(const nlohmann::json& json) {
    reports.commit({&features_file, &pictures_file}, json);
  }

  static std::string path(const IdctCommandOptions& options, const std::string& kind) {
    const std::filesystem::path clip(options.clip.name());
    const std::string name = clip.stem().string() + "-idct." + kind;
    return (std::filesystem::path(options.out_dir) / name).lexically_normal();
  }

  OutputFile features_file;
  OutputFile pictures_file;
  ReportFiles reports;
  FeatureTable features;
  Y4mWriter pictures;
};

void print_table(const IdctCommandOptions& options, const VideoReader& reader,
                 const IdctClipResult& totals) {
  std::printf("%s: %dx%d, %s, %llu macroblocks, %.0f %% 8x8, PSNR %.2f dB at QP %d\n",
              options.clip.path.c_str(), reader.width(), reader.height(),
              frames_text(totals.frames).c_str(),
              static_cast<unsigned long long>(totals.luma.macroblocks), 100 * share_8x8(totals),
              mean_psnr_db(totals), options.qp);
  const std::string losses = losses_text(reader.losses());
  if (!losses.empty()) std::printf("%s\n", losses.c_str());
  std::printf("device    policy                  M macroblocks/s    GB/s  copy GB/s  of copy\n");
  for (const IdctRun& run : totals.runs) {
    std::string policy = to_string(run.policy);
    if (run.ran != run.policy) policy += std::string(" (") + to_string(run.ran) + ")";
    std::printf("%-8s  %-22s  %15.1f  %6.1f  %9.1f  %7.2f\n", run.device.c_str(), policy.c_str(),
                run.macroblocks_per_second() / 1e6, run.bytes_per_second() / 1e9,
                run.copy_bytes_per_second / 1e9, run.fraction_of_copy());
    print_device_shares(run.shares);
  }
  std::printf("wrote %s\n      %s\n", Outputs::path(options, "csv").c_str(),
              Outputs::path(options, "y4m").c_str());
  const std::string& json = options.common.json_path;
  if (!json.empty()) std::printf("      %s\n", json.c_str());
  const std::string& trace = options.common.trace_path;
  if (!trace.empty()) std::printf("      %s\n", trace.c_str());
}

nlohmann::json to_json(const IdctCommandOptions& options, const VideoReader& reader,
                       const IdctClipResult& totals) {
  nlohmann::json runs = nlohmann::json::array();
  for (const IdctRun& run : totals.runs) {
    runs.push_back({{"device", run.device},
                    {"devices", shares_json(run.shares)},
                    {"policy", to_string(run.policy)},
                    {"ran", to_string(run.ran)},
                    {"macroblocks_per_s", run.macroblocks_per_second()},
                    {"gb_s", run.bytes_per_second() / 1e9},
                    {"copy_gb_s", run.copy_bytes_per_second / 1e9},
                    {"fraction_of_copy", run.fraction_of_copy()}});
  }
  // JSON has no infinity: null stands for the PSNR of a perfect copy.
  const double psnr = mean_psnr_db(totals);
  return {{"clip", options.clip.path},
          {"source_format", reader.source_format()},
          {"frames", totals.frames},
          {"width", reader.width()},
          {"height", reader.height()},
          {"lost", reader.losses().lost},
          {"concealed", reader.losses().concealed},
          {"qp", options.qp},
          {"macroblocks", totals.luma.macroblocks},
          {"share_8x8", share_8x8(totals)},
          {"psnr_y_db", std::isfinite(psnr) ? nlohmann::json(psnr) : nlohmann::json()},
          {"copy_gb_s", totals.runs.front().copy_bytes_per_second / 1e9},
          {"csv", Outputs::path(options, "csv")},
          {"y4m", Outputs::path(options, "y4m")},
          {"runs", runs}};
}

// Returns the devices of a rank; for a single process, all devices or the named ones.
std::vector<DeviceGroup> groups_of(const IdctCommandOptions& options, const Communicator& world) {
  std::vector<DeviceGroup> groups;
  if (world.size() > 1) {
    const std::vector<std::string>& names = options.common.device_names;
    if (names.size() > 1) {
      throw Error(
          ErrorCode::kInvalidArgument,
          "--device is given " + std::to_string(names.size()) +
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
  std::optional<InterruptGuard> interrupt{};
  std::optional<Outputs> outputs{};
};

void prepare(const IdctCommandOptions& options, const Communicator& world, RankRun& rank) {
  rank.clip = {.path = options.clip.path,
               .qp = options.qp,
               .frames = options.common.frames,
               .policies = options.common.policies};
  rank.groups = groups_of(options, world);
  check_clip_of_ranks(options.clip, world.size());
  rank.reader.emplace(open_clip(options.clip, options.common.frames));
  rank.clip_sample = sample_of_file(options.clip.path);
  std::vector<std::string> taken = options.clip.files();
  taken.insert(taken.end(), {Outputs::path(options, "csv"), Outputs::path(options, "y4m")});
  check_reports_differ(options.common, taken);
  // Made before any temporary file, which a signal would leave.
  rank.interrupt.emplace();
  if (world.rank() > 0) return;
  rank.outputs.emplace(options, *rank.reader);
}

// Called once files are in place: an error before that is the only line.
void write_notes(const IdctCommandOptions& options, const VideoReader& reader) {
  note_clip(reader);
  if (reader.field_order() == FieldOrder::kMixed) {
    note("interlaced and progressive frames are mixed, which the y4m written does not say (I?)");
  }
  note_end_of_clip(options.clip, reader);
}

void finish(const IdctCommandOptions& options, const RankRun& rank, Outputs& outputs,
            const IdctClipResult& result) {
  outputs.commit(to_json(options, *rank.reader, result));
  write_notes(options, *rank.reader);
  const bool is_quiet = has_standard_output({options.common.json_path, options.common.trace_path});
  if (!is_quiet) print_table(options, *rank.reader, result);
}

void run_rank(const IdctCommandOptions& options, Communicator& world) {
  RankRun rank;
  together(world, [&] { prepare(options, world, rank); });
  compare_clips(world, options.clip.path, rank.clip_sample, *rank.reader);
  Outputs* const outputs = rank.outputs ? &*rank.outputs : nullptr;
  const auto take = [&](const PictureFeatures& features, const Picture& reconstruction) {
    outputs->features.add(features);
    outputs->pictures.write(reconstruction);
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

void run(const IdctCommandOptions& options) {
  Communicator& world = world_communicator();
  run_on_rank(world, [&] { run_rank(options, world); });
}

}  // namespace

void add_idct_command(Command& root) {
  Command& command = root.add_subcommand(
      "idct", "Decode a clip, make its macroblock queues, and run the H.264 inverse transform");
  auto options = std::make_shared<IdctCommandOptions>();
  add_clip_options(command, options->clip);
  add_common_options(command, options->common);
  add_trace_option(command, options->common);
  command.add_option({.names = "--qp",
                      .value_name = "QP",
                      .help = "Quantisation parameter, 0 to 51 (default: 28)",
                      .store = whole_number_in("--qp", 0, 51, options->qp)});
  command.add_option({.names = "--out-dir",
                      .value_name = "FOLDER",
                      .help = "Write NAME-idct.csv and NAME-idct.y4m, after CLIP's name, to this "
                              "folder (default: the current one)",
                      .store = into(options->out_dir),
                      .files = OfferedFiles::kFolders});
  command.on_run([options] { run(*options); });
}

}  // namespace millrace::tools
