#include <millrace/tools/command/idct_command.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <millrace/runtime/error.h>
#include <millrace/tools/command/clip_options.h>
#include <millrace/tools/command/common_options.h>
#include <millrace/tools/command/device_shares.h>
#include <millrace/tools/command/idct_contest.h>
#include <millrace/tools/command/picture_coder.h>
#include <millrace/tools/command/picture_features.h>
#include <millrace/tools/command/progress.h>
#include <millrace/tools/command/report_files.h>
#include <millrace/tools/files/interrupt.h>
#include <millrace/tools/files/output_file.h>
#include <millrace/tools/video/quality.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/y4m_writer.h>

namespace millrace::tools {
namespace {

struct IdctCommandOptions {
  CommonOptions common;
  ClipOptions clip;
  std::string out_dir = ".";
  int qp = 28;
};

// What a clip's frames add up to.
struct Totals {
  std::int64_t frames = 0;
  double squared_error = 0;  // Sum of the frames' means.
  idct::CodingStatistics luma;

  double psnr_db() const {
    return tools::psnr_db(squared_error / static_cast<double>(std::max<std::int64_t>(frames, 1)));
  }
  double share_8x8() const {
    return static_cast<double>(luma.macroblocks_8x8) / static_cast<double>(luma.macroblocks);
  }
};

// The files a run leaves: all of them complete, or none.
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
                                          .chroma_left = reader.chroma_left()}) {}

  void commit(const nlohmann::json& json) {
    reports.commit({&features_file, &pictures_file}, json);
  }

  static std::string path(const IdctCommandOptions& options, const std::string& kind) {
    const std::filesystem::path clip(options.clip.path);
    const std::string name = clip.stem().string() + "-idct." + kind;
    return (std::filesystem::path(options.out_dir) / name).lexically_normal();
  }

  OutputFile features_file;
  OutputFile pictures_file;
  ReportFiles reports;
  FeatureTable features;
  Y4mWriter pictures;
};

// Takes every frame through coder, transform and measures; stops at --frames or at a signal.
Totals process_clip(const IdctCommandOptions& options, VideoReader& reader,
                    const InterruptGuard& interrupt, IdctContest& contest, Outputs& outputs) {
  const std::int64_t limit = options.common.frames;
  Progress progress(expected_frames(reader, limit));

  Totals totals;
  PictureCoder coder(reader.width(), reader.height(), options.qp);
  Picture source;
  Picture reconstruction(reader.width(), reader.height());
  while ((limit == 0 || totals.frames < limit) && !interrupt.interrupted() && reader.next(source)) {
    {
      const TimelineScope scope("host code", "frame");
      coder.code(source);
    }
    const Picture& prediction = coder.prediction();
    contest.reconstruct(coder.plane(0), padded_plane(prediction, 0),
                        padded_plane(reconstruction, 0));
    for (const int chroma : {1, 2}) {
      contest.reconstruct_untimed(coder.plane(chroma), padded_plane(prediction, chroma),
                                  padded_plane(reconstruction, chroma));
    }
    const TimelineScope scope("host measure and write", "frame");
    const idct::CodingStatistics& statistics = coder.plane(0).statistics;
    const PictureFeatures features =
        measure_features(source, prediction, reconstruction, statistics);
    outputs.features.add(features);
    outputs.pictures.write(reconstruction);

    ++totals.frames;
    totals.squared_error += features.mean_squared_error;
    totals.luma += statistics;
    coder.accept(reconstruction);
    progress.advance();
  }
  return totals;
}

void print_table(const IdctCommandOptions& options, const VideoReader& reader, const Totals& totals,
                 const std::vector<IdctRun>& runs) {
  std::printf("%s: %dx%d, %s, %llu macroblocks, %.0f %% 8x8, PSNR %.2f dB at QP %d\n",
              options.clip.path.c_str(), reader.width(), reader.height(),
              frames_text(totals.frames).c_str(),
              static_cast<unsigned long long>(totals.luma.macroblocks), 100 * totals.share_8x8(),
              totals.psnr_db(), options.qp);
  std::printf("device    policy                  M macroblocks/s    GB/s  copy GB/s  of copy\n");
  for (const IdctRun& run : runs) {
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
                       const Totals& totals, const std::vector<IdctRun>& contest_runs) {
  nlohmann::json runs = nlohmann::json::array();
  for (const IdctRun& run : contest_runs) {
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
  const double psnr = totals.psnr_db();
  return {{"clip", options.clip.path},
          {"source_format", reader.source_format()},
          {"frames", totals.frames},
          {"width", reader.width()},
          {"height", reader.height()},
          {"qp", options.qp},
          {"macroblocks", totals.luma.macroblocks},
          {"share_8x8", totals.share_8x8()},
          {"psnr_y_db", std::isfinite(psnr) ? nlohmann::json(psnr) : nlohmann::json()},
          {"copy_gb_s", contest_runs.front().copy_bytes_per_second / 1e9},
          {"csv", Outputs::path(options, "csv")},
          {"y4m", Outputs::path(options, "y4m")},
          {"runs", runs}};
}

void run(const IdctCommandOptions& options) {
  std::vector<DeviceGroup> devices = options.common.open_groups();
  if (devices.empty()) throw Error(ErrorCode::kNotFound, "there is no device to run on");
  VideoReader reader = open_clip(options.clip, options.common.frames);
  check_reports_are_apart(options.common, {options.clip.path, Outputs::path(options, "csv"),
                                           Outputs::path(options, "y4m")});
  // Before there are temporary files that a signal would leave.
  const InterruptGuard interrupt;
  Outputs outputs(options, reader);
  note(reader.converted());
  note(reader.padded());

  IdctContest contest(std::move(devices), options.common.policies);
  const Totals totals = process_clip(options, reader, interrupt, contest, outputs);
  if (totals.frames == 0) {
    note("interrupted before the first frame; nothing was written");
    throw CLI::RuntimeError(128 + interrupt.signal());
  }

  if (!reader.truncated().empty()) note(options.clip.path + ": " + reader.truncated());
  outputs.commit(to_json(options, reader, totals, contest.runs()));
  if (!options.common.json_to_stdout()) print_table(options, reader, totals, contest.runs());
  if (interrupt.interrupted()) {
    note("interrupted; " + frames_text(totals.frames) + " complete and written");
    throw CLI::RuntimeError(128 + interrupt.signal());
  }
}

}  // namespace

void add_idct_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "idct", "Decode a clip, make its macroblock queues, and run the H.264 inverse transform");
  auto options = std::make_shared<IdctCommandOptions>();
  add_clip_options(*command, options->clip);
  add_common_options(*command, options->common);
  add_trace_option(*command, options->common);
  command->add_option("--qp", options->qp, "Quantisation parameter, 0 to 51 (default: 28)")
      ->type_name("QP")
      ->transform(whole_number(0, 51));
  command
      ->add_option("--out-dir", options->out_dir,
                   "Folder for NAME-idct.csv and NAME-idct.y4m, after CLIP's name (default: the "
                   "current one)")
      ->type_name("FOLDER");
  command->callback([options] { run(*options); });
}

}  // namespace millrace::tools
