// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/runtime/ranks/result_stream.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/features/features_command.h>
#include <millrace/tools/command/features/features_options.h>
#include <millrace/tools/command/features/maps/heat_map.h>
#include <millrace/tools/command/features/maps/macroblock_maps.h>
#include <millrace/tools/command/features/output/npz/npz_output.h>
#include <millrace/tools/command/features/output/p1204_output.h>
#include <millrace/tools/command/features/output/plot_output.h>
#include <millrace/tools/command/features/output/text_output.h>
#include <millrace/tools/command/features/pool_choice.h>
#include <millrace/tools/command/features/ranks/rank_output.h>
#include <millrace/tools/command/features/read_streams.h>
#include <millrace/tools/command/features/stream_name.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/video/h264/session_file.h>
#include <millrace/tools/video/video_reader.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <system_error>
#include <vector>

namespace millrace::tools {
namespace {

// Frames a second of the streams that the real-time factor counts.
constexpr double kLiveRate = 25;

// Drops features, where a map is all that is wanted.
class NoOutput final : public FeatureOutput {
 public:
  std::unique_ptr<StreamOutput> begin(const std::string& stream) override {
    static_cast<void>(stream);
    class Stream final : public StreamOutput {
      void add(const FeatureRow& row) override { static_cast<void>(row); }
      void end(const StreamEnd& end) override { static_cast<void>(end); }
    };
    return std::make_unique<Stream>();
  }
  void commit() override {}
};

// `is_one`: one input alone is read.
std::unique_ptr<FeatureOutput> open_output(const FeaturesOptions& options, bool is_one) {
  if (!options.heat.empty()) return std::make_unique<NoOutput>();
  const std::string format = options.chosen_format();
  const bool is_direct = options.out.empty() || is_written_directly(options.out);
  const TextOutputOptions text = {.path = options.out.empty() ? "-" : options.out,
                                  .force = options.common.force,
                                  .resumes = options.resumes,
                                  .is_eager = (options.follows || is_one) && is_direct,
                                  .features = options.chosen_features()};
  if (format == "csv") return open_csv(text);
  if (format == "npz") return open_npz(options.out, options.common.force, text.features);
  if (format == "svg") return open_plot(options.out, options.common.force);
  if (format == "p1204") return open_p1204(options.out, options.common.force, options.resumes);
  return open_json_lines(text);
}

std::vector<std::unique_ptr<PictureConsumer>> open_consumers(const FeaturesOptions& options) {
  std::vector<std::unique_ptr<PictureConsumer>> consumers;
  if (!options.macroblocks.empty()) {
    consumers.push_back(open_macroblock_maps(options.macroblocks, options.common.force));
  }
  if (!options.heat.empty()) {
    consumers.push_back(
        open_heat_map(heat_value_named(options.heat), options.out, options.common.force));
  }
  return consumers;
}

// The devices are to be chosen.
StreamPoolOptions pool_options(const FeaturesOptions& options,
                               const std::vector<std::unique_ptr<PictureConsumer>>& consumers,
                               const Communicator& world) {
  StreamPoolOptions pool;
  // The ranks of a machine share its cores.
  const int cores = std::max(1, HostThreads::shared().count() / world.local_size());
  pool.threads = options.jobs > 0 ? options.jobs : cores;
  pool.jobs.input = {.described = read_session_file(options.sdp)};
  pool.run.frames = options.frames;
  pool.run.decodes = options.chosen_features() != FeatureSet::kParsed;
  pool.run.reference = options.reference;
  for (const auto& consumer : consumers) pool.run.consumers.push_back(consumer.get());
  if (!consumers.empty()) {
    pool.jobs.takes_one_because = "maps are of one";
  } else if (options.heat.empty() && options.chosen_format() == "svg") {
    pool.jobs.takes_one_because = "a plot is of one";
  } else if (!options.reference.empty() && !std::filesystem::is_regular_file(options.reference)) {
    pool.jobs.takes_one_because = "a reference that is a pipe can be read only once";
  }
  return pool;
}

std::string counted(std::int64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// Returns the bytes over the links of devices for each macroblock that they have parsed; "" if none
// has parsed any.
std::string link_text(const StreamTotals& totals) {
  if (totals.device_macroblocks == 0) return "";
  const auto macroblocks = static_cast<double>(totals.device_macroblocks);
  char text[120] = "";
  std::snprintf(text, sizeof text, "; %.2f bytes uploaded and %.2f downloaded a macroblock",
                static_cast<double>(totals.uploaded_bytes) / macroblocks,
                static_cast<double>(totals.downloaded_bytes) / macroblocks);
  return text;
}

// `devices`: what --device auto has chosen; or "".
std::string summary(const StreamTotals& totals, double seconds, const std::string& devices) {
  std::string text =
      counted(totals.streams, "stream, ", "streams, ") + counted(totals.frames, "frame", "frames");
  if (totals.faults > 0) text += ", " + counted(totals.faults, "fault", "faults");
  if (totals.failed > 0) text += ", " + std::to_string(totals.failed) + " failed";
  if (totals.done_before > 0) {
    text += ", " + std::to_string(totals.done_before) + " were done before";
  }
  if (totals.passed_over > 0) {
    text += ", " + counted(totals.passed_over, "other file", "other files");
  }
  char speed[160] = "";
  if (seconds > 0 && totals.frames > 0) {
    const double rate = static_cast<double>(totals.frames) / seconds;
    std::snprintf(speed, sizeof speed,
                  " in %.2f s: %.0f frames/s, %.1f Mbit/s, enough for %.0f live streams of 25 "
                  "frames/s",
                  seconds, rate, 8e-6 * static_cast<double>(totals.bytes) / seconds,
                  rate / kLiveRate);
  }
  text += speed + link_text(totals);
  return devices.empty() ? text : text + "; by " + devices;
}

// Throws what VideoReader throws, so that a wrong name is one error and not one of each stream.
void check_reference(const std::string& reference) {
  std::error_code error;
  const bool is_pipe = reference == "-" || (std::filesystem::exists(reference, error) &&
                                            !std::filesystem::is_regular_file(reference, error));
  if (!reference.empty() && !is_pipe) VideoReader{reference};
}

// Returns the streams that this rank reads.
std::vector<StreamName> names_of_rank(const std::vector<StreamName>& all,
                                      const Communicator& world) {
  std::vector<StreamName> names;
  for (auto i = static_cast<std::size_t>(world.rank()); i < all.size();
       i += static_cast<std::size_t>(world.size())) {
    names.push_back(all[i]);
  }
  return names;
}

// Reads the streams of all ranks, and has rank 0 write them. Returns its report, whose totals are
// those of all ranks.
StreamPoolReport read_on_ranks(Communicator& world, const StreamPoolOptions& pool,
                               const std::vector<StreamName>& names, FeatureOutput* output) {
  const std::uint8_t has_errors = output != nullptr && output->has_errors() ? 1 : 0;
  const std::vector<std::uint8_t> all = all_gather(world, has_errors);
  if (world.rank() > 0) {
    RankOutput sent(world, all.front() != 0);
    StreamPoolReport report = read_streams(pool, names, sent);
    sent.finish(report.totals);
    return report;
  }
  RankInput received(*output);
  StreamPoolReport report;
  receive_beside(
      world,
      [&](const std::stop_token& stop) {
        StreamPoolOptions stoppable = pool;
        stoppable.jobs.stop = stop;
        report = read_streams(stoppable, names, *output);
      },
      [&](std::span<const std::byte> message) { received.take(message); });
  report.totals += received.totals();
  return report;
}

// The state of one rank; `output` and `trace` are null on other ranks than 0.
struct RankRun {
  std::string all_names;  // Names of all ranks' streams, one per line.
  std::vector<StreamName> names;
  std::vector<std::unique_ptr<PictureConsumer>> consumers;
  StreamPoolOptions pool;
  std::optional<PoolChoice> choice;
  std::unique_ptr<FeatureOutput> output;
  std::unique_ptr<TraceFile> trace;
  std::unique_ptr<InterruptGuard> interrupt;
};

// On devices, streams that appear in a folder or in a list are read, too.
void follow_streams(const FeaturesOptions& options, RankRun& rank) {
  StreamPoolOptions& pool = rank.pool;
  pool.run.is_followed = !pool.devices.empty();
  pool.jobs.input.following = pool.run.is_followed ? Following::kPolls : Following::kWaits;
  pool.jobs.may_grow = pool.jobs.may_grow && pool.run.is_followed;
  if (!pool.jobs.may_grow) return;
  pool.find_more = [&options] { return find_growing_streams(options.streams); };
}

void prepare(const FeaturesOptions& options, const Communicator& world, RankRun& rank) {
  check_reference(options.reference);
  for (const std::string& name : options.streams) {
    require_file_of_all_ranks(world, name.starts_with('@') ? name.substr(1) : name);
  }
  for (const std::string& path : {options.reference, options.sdp}) {
    if (!path.empty()) require_file_of_all_ranks(world, path);
  }
  const bool grows = options.follows && can_grow(options.streams);
  const std::vector<StreamName> all =
      grows ? find_growing_streams(options.streams) : find_stream_names(options.streams);
  for (const StreamName& name : all) {
    require_file_of_all_ranks(world, name.path);
    rank.all_names += name.path + "\n";
  }
  rank.names = names_of_rank(all, world);
  rank.consumers = open_consumers(options);
  rank.pool = pool_options(options, rank.consumers, world);
  rank.pool.jobs.may_grow = grows;
  rank.choice.emplace(options.device, options.follows, world, rank.names, rank.pool);
  if (options.follows) follow_streams(options, rank);
  if (world.rank() == 0) {
    rank.output = open_output(options, all.size() == 1);
    rank.trace = std::make_unique<TraceFile>(options.common);
  }
  rank.interrupt = std::make_unique<InterruptGuard>();
}

void print_summary(const FeaturesOptions& options, const RankRun& rank, const StreamTotals& totals,
                   double seconds) {
  // Lines of features may be read by a program.
  const bool is_quiet =
      options.out.empty() ||
      has_standard_output({options.out, options.macroblocks, options.common.trace_path});
  const std::string text = summary(totals, seconds, rank.choice->text());
  if (is_quiet) {
    std::cerr << "millrace: " << text << '\n';
  } else {
    std::printf("%s\n", text.c_str());
  }
}

void run_rank(const FeaturesOptions& options, Communicator& world) {
  RankRun rank;
  together(world, [&] { prepare(options, world, rank); });
  // A folder may change between two ranks' reads of it.
  ArgumentCheck(world, "millrace features").add("the names of streams", rank.all_names).compare();
  const auto start = std::chrono::steady_clock::now();
  StreamPoolReport report;
  // Messages between ranks end with the error of either side, so the others come here, too.
  together(world, [&] { report = read_on_ranks(world, rank.pool, rank.names, rank.output.get()); });
  const double seconds = seconds_since(start);
  const StreamTotals& totals = report.totals;
  together(world, [&] {
    if (rank.output == nullptr) return;
    rank.output->commit();
    for (const auto& consumer : rank.consumers) consumer->commit();
    if (OutputFile* const file = rank.trace->finish()) commit_all({file});
    print_summary(options, rank, totals, seconds);
  });
  if (const int signal = signal_of_any(world, *rank.interrupt)) throw ExitStatus(128 + signal);
  rank.choice->learn(rank.pool, report);
  if (world.rank() == 0) check_failed_inputs(totals.failed, totals.streams + totals.done_before);
}

void run(const FeaturesOptions& options) {
  Communicator& world = world_communicator();
  check_features_options(options, world.size());
  run_on_rank(world, [&] { run_rank(options, world); });
}

}  // namespace

void add_features_command(Command& root) {
  Command& command = root.add_subcommand<FeaturesOptions>(
      "features", "Features of H.264 streams: types, QP, vectors, bits and coefficients by frame",
      add_features_options, run);
  command.set_footer(
      "Examples: millrace features clip.mp4\n          millrace features calls.pcap -o calls.csv\n"
      "          millrace features streams/ -o all.ldjson --resume\n"
      "          millrace features clip.264 --heat QP -o qp.y4m");
}

}  // namespace millrace::tools
