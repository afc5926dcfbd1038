// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/output/npz/npz_output.h>
#include <millrace/tools/command/features/output/npz/npz_writer.h>
#include <millrace/tools/files/names/temporary_folder.h>
#include <millrace/tools/files/output/output_file.h>

#include <cstddef>
#include <mutex>
#include <vector>

namespace millrace::tools {
namespace {

// The first array is the stream's index.
std::vector<NpzArray> arrays(FeatureSet set) {
  std::vector<NpzArray> arrays = {{.name = "stream", .element = "'<i8'", .element_bytes = 8}};
  for (const FeatureColumn& column : feature_columns(set)) {
    arrays.push_back(
        {.name = column.name, .element = column.is_whole ? "'<i8'" : "'<f8'", .element_bytes = 8});
    if (column.is_array()) arrays.back().row_shape = {column.count};
  }
  return arrays;
}

class NpzOutput final : public FeatureOutput {
 public:
  NpzOutput(const std::string& path, bool force, FeatureSet features)
      : features_(features),
        file_(path, force),
        writer_(arrays(features), temporary_folder("", path)) {}

  std::unique_ptr<StreamOutput> begin(const std::string& stream) override;

  void add(std::int64_t stream, const FeatureRow& row) {
    const std::lock_guard lock(mutex_);
    writer_.append(0, &stream, sizeof stream);
    std::size_t array = 1;
    double values[kMostColumnValues];
    for (const FeatureColumn& column : feature_columns(features_)) {
      column.read(row, values);
      if (column.is_whole) {
        std::int64_t whole[kMostColumnValues];
        for (std::size_t i = 0; i < column.count; ++i) {
          whole[i] = static_cast<std::int64_t>(values[i]);
        }
        writer_.append(array++, whole, column.count * sizeof whole[0]);
      } else {
        writer_.append(array++, values, column.count * sizeof values[0]);
      }
    }
  }

  void commit() override {
    const std::lock_guard lock(mutex_);
    writer_.add_strings("streams", streams_);
    writer_.write(file_);
    file_.commit();
  }

 private:
  const FeatureSet features_;
  std::mutex mutex_;
  OutputFile file_;
  NpzWriter writer_;
  std::vector<std::string> streams_;
};

class NpzStream final : public StreamOutput {
 public:
  NpzStream(NpzOutput& output, std::int64_t index) : output_(output), index_(index) {}

  void add(const FeatureRow& row) override { output_.add(index_, row); }
  void end(const StreamEnd& end) override { static_cast<void>(end); }

 private:
  NpzOutput& output_;
  std::int64_t index_;
};

std::unique_ptr<StreamOutput> NpzOutput::begin(const std::string& stream) {
  const std::lock_guard lock(mutex_);
  streams_.push_back(stream);
  return std::make_unique<NpzStream>(*this, static_cast<std::int64_t>(streams_.size()) - 1);
}

}  // namespace

std::unique_ptr<FeatureOutput> open_npz(const std::string& path, bool force, FeatureSet features) {
  return std::make_unique<NpzOutput>(path, force, features);
}

}  // namespace millrace::tools
