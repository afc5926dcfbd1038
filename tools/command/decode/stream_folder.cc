// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/common/gather_texts.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/decode/picture_files.h>
#include <millrace/tools/command/decode/stream_folder.h>
#include <millrace/tools/command/features/output/stream_file_stem.h>
#include <millrace/tools/command/features/pool_choice.h>
#include <millrace/tools/command/features/read_streams.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/output/make_folder.h>
#include <millrace/tools/video/h264/session_file.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// Streams that each of a device's threads has open at a time, with a file each: a system limits
// open files.
constexpr std::size_t kMostOpen = 128;

StreamPoolOptions pool_options(const DecodeOptions& options, const Communicator& world) {
  StreamPoolOptions pool;
  pool.most_open = kMostOpen;
  pool.jobs.input = {.described = read_session_file(options.sdp)};
  pool.run.frames = options.common.frames;
  pool.run.decodes = true;
  pool.run.gives_frames = true;
  if (options.device.empty()) {
    pool.threads = std::max(1, HostThreads::shared().count() / world.local_size());
  } else {
    use_named_devices(options.device, world, pool);
  }
  return pool;
}

// The state of one rank; `reports` has a value on rank 0.
struct RankDecoding {
  std::string all_names;  // Names of all ranks' streams, one per line.
  std::vector<StreamName> names;
  StreamPoolOptions pool;
  std::optional<PictureFiles> output;
  std::optional<ReportFiles> reports;
  std::optional<InterruptGuard> interrupt;
};

void prepare(const DecodeOptions& options, const Communicator& world, RankDecoding& rank) {
  for (const std::string& name : options.streams) {
    require_file_of_all_ranks(world, name.starts_with('@') ? name.substr(1) : name);
  }
  if (!options.sdp.empty()) require_file_of_all_ranks(world, options.sdp);
  const std::vector<StreamName> all = find_stream_names(options.streams);
  std::vector<std::string> inputs = {options.sdp};
  for (const StreamName& name : all) {
    require_file_of_all_ranks(world, name.path);
    rank.all_names += name.path + "\n";
    if (name.path != "-") inputs.push_back(name.path);
  }
  check_outputs_differ({{"--json", options.common.json_path}}, inputs);
  rank.names = decoded_by_rank(all, static_cast<std::size_t>(world.rank()),
                               static_cast<std::size_t>(world.size()));
  rank.pool = pool_options(options, world);
  make_folder(options.output);
  rank.output.emplace(options.output, options.common.force);
  if (world.rank() == 0) rank.reports.emplace(options.common);
  rank.interrupt.emplace();
}

// Returns the reports of all ranks as one document, in the order of names.
nlohmann::json merged_reports(const std::vector<std::string>& texts) {
  std::vector<nlohmann::json> all;
  for (const std::string& text : texts) {
    for (nlohmann::json& report : nlohmann::json::parse(text)) all.push_back(std::move(report));
  }
  std::ranges::stable_sort(
      all, {}, [](const nlohmann::json& report) { return report.at("stream").get<std::string>(); });
  const auto failed = std::ranges::count_if(
      all, [](const nlohmann::json& report) { return report.contains("error"); });
  return {{"streams", all}, {"failed", failed}};
}

void print_summary(const DecodeOptions& options, const nlohmann::json& json) {
  std::int64_t frames = 0;
  for (const nlohmann::json& report : json.at("streams")) {
    frames += report.value("frames", std::int64_t{0});
  }
  const auto failed = json.at("failed").get<std::int64_t>();
  const auto streams = static_cast<std::int64_t>(json.at("streams").size()) - failed;
  std::string text = std::to_string(streams) + (streams == 1 ? " stream, " : " streams, ");
  text += frames_text(frames);
  if (failed > 0) text += ", " + std::to_string(failed) + " failed";
  std::printf("%s\nwrote %s\n", text.c_str(), options.output.c_str());
  if (!options.common.json_path.empty())
    std::printf("      %s\n", options.common.json_path.c_str());
}

}  // namespace

std::vector<StreamName> decoded_by_rank(const std::vector<StreamName>& all, std::size_t rank,
                                        std::size_t ranks) {
  std::map<std::string, std::size_t> rank_of;  // Keyed by the file's name.
  std::vector<StreamName> names;
  for (const StreamName& name : all) {
    const std::size_t next = rank_of.size() % ranks;
    const auto own = rank_of.try_emplace(stream_file_stem(name.path), next).first;
    if (own->second == rank) names.push_back(name);
  }
  return names;
}

void decode_to_folder(const DecodeOptions& options, Communicator& world) {
  RankDecoding rank;
  together(world, [&] { prepare(options, world, rank); });
  // A folder may change between two ranks' reads of it.
  ArgumentCheck(world, "millrace decode").add("the names of streams", rank.all_names).compare();
  together(world, [&] { read_streams(rank.pool, rank.names, *rank.output); });
  const std::vector<std::string> texts = gather_texts(
      world, rank.output->reports().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  nlohmann::json json;
  together(world, [&] {
    if (!rank.reports) return;
    json = merged_reports(texts);
    rank.reports->commit({}, json);
    if (!has_standard_output({options.common.json_path})) print_summary(options, json);
  });
  if (const int signal = signal_of_any(world, *rank.interrupt)) throw ExitStatus(128 + signal);
  if (world.rank() > 0) return;
  const auto failed = json.at("failed").get<std::uint64_t>();
  check_failed_inputs(failed, json.at("streams").size() - failed);
}

}  // namespace millrace::tools
