// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/output/line_file.h>
#include <millrace/tools/command/features/output/number_text.h>
#include <millrace/tools/command/features/output/text_output.h>

#include <cmath>
#include <cstddef>

namespace millrace::tools {
namespace {

std::string csv_head(FeatureSet set) {
  std::string head = "stream";
  for (const FeatureColumn& column : feature_columns(set)) {
    for (std::size_t i = 0; i < column.count; ++i) {
      head += "," + (column.is_array() ? column.name_of(i) : column.name);
    }
  }
  return head + "\n";
}

class CsvStream final : public StreamOutput {
 public:
  CsvStream(LineFile& file, const TextOutputOptions& options, const std::string& stream)
      : lines_(file, options.is_eager), set_(options.features), stream_(csv_field(stream)) {}

  void add(const FeatureRow& row) override {
    std::string& text = lines_.text();
    text += stream_;
    double values[kMostColumnValues];
    for (const FeatureColumn& column : feature_columns(set_)) {
      column.read(row, values);
      for (std::size_t i = 0; i < column.count; ++i) {
        text += ',';
        if (!std::isnan(values[i])) append_number(text, values[i]);
      }
    }
    lines_.end_line();
  }

  void end(const StreamEnd& end) override {
    static_cast<void>(end);
    lines_.flush();
  }

 private:
  LineBuffer lines_;
  FeatureSet set_;
  std::string stream_;
};

class CsvOutput final : public FeatureOutput {
 public:
  explicit CsvOutput(const TextOutputOptions& options)
      : options_(options), file_(options.path, options.force) {
    file_.write(csv_head(options.features), options.is_eager);
  }

  std::unique_ptr<StreamOutput> begin(const std::string& stream) override {
    return std::make_unique<CsvStream>(file_, options_, stream);
  }
  void commit() override { file_.commit(); }

 private:
  TextOutputOptions options_;
  LineFile file_;
};

}  // namespace

std::unique_ptr<FeatureOutput> open_csv(const TextOutputOptions& options) {
  return std::make_unique<CsvOutput>(options);
}

}  // namespace millrace::tools
