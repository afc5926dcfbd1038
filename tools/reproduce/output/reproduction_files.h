// SPDX-License-Identifier: Apache-2.0

// The folder that a page of reproductions is written to.
#ifndef MILLRACE_TOOLS_REPRODUCE_OUTPUT_REPRODUCTION_FILES_H_
#define MILLRACE_TOOLS_REPRODUCE_OUTPUT_REPRODUCTION_FILES_H_

#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/report/page/document.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

// index.html, which needs nothing beside it, and index.md with its drawings as index-1.svg and so
// on.
class ReproductionFiles {
 public:
  // Makes the folder where there is none. Throws kIo if that, or a file for up to `drawings`
  // drawings, is not possible, or one exists and not `force`: before anything is measured.
  ReproductionFiles(const std::string& folder, std::size_t drawings, bool force);

  // Returns the paths of the files that would be written to the folder.
  static std::vector<std::string> paths(const std::string& folder, std::size_t drawings);

  // Without finish(), takes away the folder that was made.
  ~ReproductionFiles();
  ReproductionFiles(const ReproductionFiles&) = delete;
  ReproductionFiles& operator=(const ReproductionFiles&) = delete;

  // Writes the document and hands out the files to be committed. Throws kIo.
  std::vector<OutputFile*> write(const Document& document);

  // The folder stays.
  void finish() { is_finished_ = true; }

 private:
  std::filesystem::path folder_;
  bool is_new_;
  bool is_finished_ = false;
  std::unique_ptr<OutputFile> page_;
  std::unique_ptr<OutputFile> markdown_;
  std::vector<std::unique_ptr<OutputFile>> drawings_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_OUTPUT_REPRODUCTION_FILES_H_
