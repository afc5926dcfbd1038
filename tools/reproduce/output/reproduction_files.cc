// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/page/markdown.h>
#include <millrace/tools/report/page/page.h>
#include <millrace/tools/reproduce/output/reproduction_files.h>

#include <system_error>
#include <utility>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStem = "index";

// Creates the folder if there is none. True if it was created.
bool make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return false;
  if (fs::exists(folder, error)) {
    throw Error(ErrorCode::kIo, folder.string() + ": is a file, not a folder; give a folder");
  }
  if (!fs::create_directory(folder, error)) {
    throw Error(ErrorCode::kIo, folder.string() + ": cannot be made: " + error.message());
  }
  return true;
}

}  // namespace

std::vector<std::string> ReproductionFiles::paths(const std::string& folder, std::size_t drawings) {
  const std::string stem = (fs::path(folder) / kStem).string();
  std::vector<std::string> paths = {stem + ".html", stem + ".md"};
  for (std::size_t i = 1; i <= drawings; ++i) {
    paths.push_back(stem + '-' + std::to_string(i) + ".svg");
  }
  return paths;
}

ReproductionFiles::ReproductionFiles(const std::string& folder, std::size_t drawings, bool force)
    : folder_(folder), is_new_(make_folder(folder_)) {
  for (const std::string& path : paths(folder, drawings)) {
    drawings_.push_back(std::make_unique<OutputFile>(path, force));
  }
  page_ = std::move(drawings_[0]);
  markdown_ = std::move(drawings_[1]);
  drawings_.erase(drawings_.begin(), drawings_.begin() + 2);
}

ReproductionFiles::~ReproductionFiles() {
  page_.reset();
  markdown_.reset();
  drawings_.clear();
  std::error_code ignored;
  if (is_new_ && !is_finished_) fs::remove(folder_, ignored);
}

std::vector<OutputFile*> ReproductionFiles::write(const Document& document) {
  std::vector<OutputFile*> written = {page_.get(), markdown_.get()};
  write_page(page_->stream(), document);
  std::size_t drawn = 0;
  write_markdown(markdown_->stream(), document, kStem,
                 [&](const std::string&, const std::string& svg) {
                   OutputFile* const file = drawings_.at(drawn++).get();
                   file->stream() << svg;
                   written.push_back(file);
                 });
  return written;
}

}  // namespace millrace::tools
