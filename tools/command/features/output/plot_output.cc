// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/features/output/plot_output.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/report/chart/chart.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <vector>

namespace millrace::tools {
namespace {

class PlotOutput final : public FeatureOutput {
 public:
  PlotOutput(const std::string& path, bool force) : file_(path, force) {}

  std::unique_ptr<StreamOutput> begin(const std::string& stream) override;

  void add(const h264::FrameFeatures& features) {
    std::vector<ChartSeries>& bits = bits_.series;
    std::size_t i = 0;
    bits[i++].figures.push_back(static_cast<double>(features.header_bits));
    for (const std::int64_t count : features.bits) {
      bits[i++].figures.push_back(static_cast<double>(count));
    }
    bits[i].figures.push_back(static_cast<double>(features.other_bits));
    qp_.series[0].figures.push_back(features.greatest_qp);
    qp_.series[1].figures.push_back(features.mean_qp);
    qp_.series[2].figures.push_back(features.least_qp);
  }

  void commit() override {
    if (qp_.series[0].figures.empty()) return;
    file_.stream() << charts_file({bits_, qp_});
    file_.commit();
  }

 private:
  OutputFile file_;
  std::mutex mutex_;
  bool has_stream_ = false;
  SequenceChart bits_ = {.title = "",
                         .x_label = "frame in decoding order",
                         .y_label = "bits of a frame",
                         .series = {{"slice headers", {}},
                                    {"types, modes and QP", {}},
                                    {"vector differences", {}},
                                    {"luma coefficients", {}},
                                    {"chroma coefficients", {}},
                                    {"parameter sets, SEI, alignment", {}}},
                         .is_stacked = true};
  SequenceChart qp_ = {.title = "",
                       .x_label = "frame in decoding order",
                       .y_label = "QP of the macroblocks of a frame",
                       .series = {{"greatest", {}}, {"mean", {}}, {"least", {}}},
                       .is_stacked = false};
};

class PlotStream final : public StreamOutput {
 public:
  explicit PlotStream(PlotOutput& output) : output_(output) {}

  void add(const FeatureRow& row) override { output_.add(row.features); }
  void end(const StreamEnd& end) override { static_cast<void>(end); }

 private:
  PlotOutput& output_;
};

std::unique_ptr<StreamOutput> PlotOutput::begin(const std::string& stream) {
  const std::lock_guard lock(mutex_);
  if (has_stream_) {
    reject(stream + ": is another stream, and a plot is of one; name one stream");
  }
  has_stream_ = true;
  const std::string name = std::filesystem::path(stream).filename().string();
  bits_.title = "Bits of " + name;
  qp_.title = "QP of " + name;
  return std::make_unique<PlotStream>(*this);
}

}  // namespace

std::unique_ptr<FeatureOutput> open_plot(const std::string& path, bool force) {
  return std::make_unique<PlotOutput>(path, force);
}

}  // namespace millrace::tools
