// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/report/report_outputs.h>
#include <millrace/tools/report/page/markdown.h>

#include <filesystem>

namespace millrace::tools {

std::ostream& ReportOutputs::add(const std::string& path) {
  files_.push_back(std::make_unique<OutputFile>(path, force_));
  return files_.back()->stream();
}

void ReportOutputs::add(const std::string& path, const std::string& text) {
  add(path) << text;
  files_.back()->close();
}

void ReportOutputs::add_markdown(const std::string& path, const Document& document) {
  const std::filesystem::path file(path);
  write_markdown(add(path), document, file.stem().string(),
                 [&](const std::string& name, const std::string& svg) {
                   add((file.parent_path() / name).string(), svg);
                 });
}

void ReportOutputs::commit() {
  std::vector<OutputFile*> files;
  for (const auto& file : files_) files.push_back(file.get());
  commit_all(files);
}

}  // namespace millrace::tools
