// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/device_portions.h>
#include <millrace/tools/command/idct/idct_outputs.h>
#include <millrace/tools/files/names/file_name.h>

#include <cstdio>
#include <string>

namespace millrace::tools {

IdctOutputs::IdctOutputs(const IdctCommandOptions& options)
    : features_file_(options.output_path("csv"), options.common.force),
      pictures_file_(options.output_path("y4m"), options.common.force),
      reports_(options.common) {}

void IdctOutputs::write(const Picture& picture, const Y4mFormat& format) {
  if (!pictures_) pictures_.emplace(pictures_file_.stream(), format);
  pictures_->write(picture);
}

void IdctOutputs::commit(const nlohmann::json& json) {
  reports_.commit({&features_file_, &pictures_file_}, json);
}

void check_idct_outputs(const IdctCommandOptions& options) {
  std::vector<std::string> taken = options.clip.files();
  taken.insert(taken.end(), {options.output_path("csv"), options.output_path("y4m")});
  check_reports_differ(options.common, taken);
}

bool is_report_on_stdout(const IdctCommandOptions& options) {
  return has_standard_output({options.common.json_path, options.common.trace_path});
}

void print_idct_runs(const IdctCommandOptions& options, const std::vector<IdctRun>& runs) {
  std::printf("device    policy                  M macroblocks/s    GB/s  copy GB/s  of copy\n");
  for (const IdctRun& run : runs) {
    std::string policy = to_string(run.policy);
    if (run.ran != run.policy) policy += std::string(" (") + to_string(run.ran) + ")";
    std::printf("%-8s  %-22s  %15.1f  %6.1f  %9.1f  %7.2f\n", run.device.c_str(), policy.c_str(),
                run.macroblocks_per_second() / 1e6, run.bytes_per_second() / 1e9,
                run.copy_bytes_per_second / 1e9, run.fraction_of_copy());
    print_device_portions(run.portions);
  }
  std::printf("wrote %s\n      %s\n", options.output_path("csv").c_str(),
              options.output_path("y4m").c_str());
  for (const std::string& path : {options.common.json_path, options.common.trace_path}) {
    if (!path.empty()) std::printf("      %s\n", path.c_str());
  }
}

nlohmann::json idct_runs_json(const IdctCommandOptions& options, const std::vector<IdctRun>& runs) {
  nlohmann::json array = nlohmann::json::array();
  for (const IdctRun& run : runs) {
    array.push_back({{"device", run.device},
                     {"devices", portions_json(run.portions)},
                     {"policy", to_string(run.policy)},
                     {"ran", to_string(run.ran)},
                     {"macroblocks_per_s", run.macroblocks_per_second()},
                     {"gb_s", run.bytes_per_second() / 1e9},
                     {"copy_gb_s", run.copy_bytes_per_second / 1e9},
                     {"fraction_of_copy", run.fraction_of_copy()}});
  }
  return {{"clip", options.clip.path},
          {"copy_gb_s", runs.front().copy_bytes_per_second / 1e9},
          {"csv", options.output_path("csv")},
          {"y4m", options.output_path("y4m")},
          {"runs", array}};
}

}  // namespace millrace::tools
