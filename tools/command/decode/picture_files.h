// SPDX-License-Identifier: Apache-2.0

// Writes the pictures of each stream to a file of its own.
#ifndef MILLRACE_TOOLS_COMMAND_DECODE_PICTURE_FILES_H_
#define MILLRACE_TOOLS_COMMAND_DECODE_PICTURE_FILES_H_

#include <millrace/tools/command/features/output/feature_output.h>

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace millrace::tools {

// Takes the frames of read_streams() with StreamRunOptions::gives_frames. A stream whose file
// cannot be written has failed, and does not end the run; notes on standard error say why streams
// fail.
class PictureFiles final : public FeatureOutput {
 public:
  // The folder is there. With `force` files are replaced.
  PictureFiles(std::string folder, bool force) : folder_(std::move(folder)), force_(force) {}

  std::unique_ptr<StreamOutput> begin(const std::string& stream) override;
  // Streams that could not be opened come here, too.
  bool has_errors() const override { return true; }
  void commit() override {}

  // Returns the reports of all streams that have ended, in the order of their names. Those of
  // streams that failed have "stream" and "error".
  nlohmann::json reports() const;

 private:
  class Stream;

  // Returns the file of a stream; "" if another stream has it.
  std::string take_path(const std::string& stream);
  void add_report(const std::string& stream, nlohmann::json report);

  const std::string folder_;
  const bool force_;
  mutable std::mutex mutex_;
  std::set<std::string> paths_;
  std::multimap<std::string, nlohmann::json> reports_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_DECODE_PICTURE_FILES_H_
