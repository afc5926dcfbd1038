// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/stream/host_transform_group.h>
#include <millrace/runtime/host/seconds_since.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace millrace::idct {
namespace {

void add(PipelineReport& all, const PipelineReport& piece) {
  all.chunks += piece.chunks;
  all.bytes_up += piece.bytes_up;
  all.bytes_down += piece.bytes_down;
  all.coded_up += piece.coded_up;
  all.coded_down += piece.coded_down;
  all.produce_seconds += piece.produce_seconds;
  all.upload_seconds += piece.upload_seconds;
  all.compute_seconds += piece.compute_seconds;
  all.download_seconds += piece.download_seconds;
  all.consume_seconds += piece.consume_seconds;
}

}  // namespace

HostTransformGroup::HostTransformGroup(const DeviceGroup& group,
                                       const HostTransformOptions& options)
    : group_(group.devices()) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    streams_.push_back(std::make_unique<HostStream>(group.device(i), options));
  }
}

PipelineReport HostTransformGroup::run(const HostRun& run) {
  const std::size_t count = run.input.count;
  const std::size_t unit = run.unit();
  const auto start = std::chrono::steady_clock::now();
  PipelineReport all;
  std::mutex mutex;
  std::vector<std::uint64_t> macroblocks(group_.size());
  portions_ = share_items(
      group_,
      {.operation = "macroblocks of the host by " + std::to_string(unit),
       .items = (count + unit - 1) / unit},
      [&](std::size_t device, const ItemRange& units, const std::stop_token&) -> LinkBytes {
        const std::size_t first = units.begin * unit;
        const std::size_t size = std::min<std::size_t>(units.end * unit, count) - first;
        const PipelineReport report = streams_[device]->run(run.range(first, size));
        macroblocks[device] += size;
        const std::lock_guard lock(mutex);
        add(all, report);
        return {report.bytes_up, report.bytes_down};
      });
  for (std::size_t i = 0; i < portions_.size(); ++i) portions_[i].items = macroblocks[i];
  all.seconds = seconds_since(start);
  return all;
}

}  // namespace millrace::idct
