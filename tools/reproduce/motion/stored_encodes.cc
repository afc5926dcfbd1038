// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/rd/rd_workload.h>
#include <millrace/tools/report/results/json_file.h>
#include <millrace/tools/report/results/json_object.h>
#include <millrace/tools/reproduce/motion/stored_encodes.h>
#include <millrace/tools/reproduce/tables/finding.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>

namespace millrace::tools {
namespace {

StoredEncodes& encodes_of(std::vector<StoredEncodes>& all, const std::string& encoder,
                          const std::string& clip) {
  const auto found = std::ranges::find_if(
      all, [&](const StoredEncodes& each) { return each.encoder == encoder && each.clip == clip; });
  if (found != all.end()) return *found;
  return all.emplace_back(StoredEncodes{encoder, clip, 0, {}, 0});
}

// Adds one encode to those of its clip, program and search. Without chroma it has no PSNR to be
// compared.
void add_run(const JsonObject& run, std::vector<StoredEncodes>& all) {
  std::string encoder, search, clip;
  int qp = 0;
  double rate = 0, luma = 0, cb = 0, cr = 0, seconds = 0;
  run.require("encoder", encoder);
  run.require("search", search);
  run.require("clip", clip);
  run.require("qp", qp);
  run.require("kbps", rate);
  run.require("psnr_y", luma);
  run.take("user_s", seconds);
  StoredEncodes& encodes = encodes_of(all, encoder + " " + search, clip);
  if (!run.has("psnr_u") || !run.has("psnr_v")) return;
  run.require("psnr_u", cb);
  run.require("psnr_v", cr);
  encodes.values[rd_rate_name(qp)] = rate;
  encodes.values[rd_weighted_name(qp)] = (4 * luma + cb + cr) / 6;
  if (qp == kRdTimedQp) encodes.seconds = seconds;
}

Measurement measurement_of(const StoredEncodes& encodes, const Measurement& beside) {
  Measurement measurement;
  measurement.workload = beside.workload;
  measurement.input = beside.input;
  measurement.input_hash = beside.input_hash;
  measurement.size = beside.size;
  measurement.device = beside.device;
  measurement.item_name = beside.item_name;
  measurement.peer = encodes.encoder;
  measurement.items = beside.items;
  measurement.values = encodes.values;
  measurement.median_seconds = encodes.seconds;
  if (encodes.pictures > 0 && encodes.pictures != beside.items) {
    measurement.status = MeasurementStatus::kUnsupported;
    measurement.message = encodes.encoder + " has encoded " + in_words(encodes.pictures) +
                          " pictures of " + beside.input + ", and " + in_words(beside.items) +
                          " are measured";
  }
  return measurement;
}

}  // namespace

std::vector<StoredEncodes> read_stored_encodes(const std::string& path) {
  const nlohmann::json json =
      read_json(path, "give a file of the reference encoder's measurements");
  const JsonObject file(json, path, "");
  std::vector<StoredEncodes> all;
  for (const JsonObject& run : file.objects("runs")) add_run(run, all);
  for (StoredEncodes& encodes : all) {
    if (!file.has("clips")) continue;
    const JsonObject clips = file.object("clips");
    if (!clips.has(encodes.clip.c_str())) continue;
    clips.object(encodes.clip.c_str()).take("frames", encodes.pictures);
  }
  return all;
}

void add_stored_encodes(const std::vector<StoredEncodes>& encodes, const std::string& device,
                        Results& results) {
  const std::size_t count = results.measurements.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Measurement beside = results.measurements[i];
    if (beside.workload != kRateDistortion || beside.device != device ||
        beside.strategy != kRdStrategies[0] || beside.status != MeasurementStatus::kOk) {
      continue;
    }
    for (const StoredEncodes& each : encodes) {
      if (std::filesystem::path(beside.input).stem() != each.clip) continue;
      results.measurements.push_back(measurement_of(each, beside));
    }
  }
}

}  // namespace millrace::tools
