#include <millrace/tools/reproduce/reproduction_files.h>

#include <system_error>

#include <millrace/runtime/error.h>
#include <millrace/tools/report/markdown.h>
#include <millrace/tools/report/page.h>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStem = "index";

// Whether there was none.
bool make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return false;
  if (fs::exists(folder, error)) {
    throw Error(ErrorCode::kIo, folder.string() + ": is a file, not a folder");
  }
  if (!fs::create_directory(folder, error)) {
    throw Error(ErrorCode::kIo, folder.string() + ": cannot be made: " + error.message());
  }
  return true;
}

std::unique_ptr<OutputFile> file_in(const fs::path& folder, const std::string& name, bool force) {
  return std::make_unique<OutputFile>((folder / name).string(), force);
}

std::string drawing_name(std::size_t number) {
  return std::string(kStem) + "-" + std::to_string(number) + ".svg";
}

}  // namespace

ReproductionFiles::ReproductionFiles(const std::string& folder, std::size_t drawings, bool force)
    : folder_(folder), is_new_(make_folder(folder_)) {
  page_ = file_in(folder_, std::string(kStem) + ".html", force);
  markdown_ = file_in(folder_, std::string(kStem) + ".md", force);
  for (std::size_t i = 1; i <= drawings; ++i) {
    drawings_.push_back(file_in(folder_, drawing_name(i), force));
  }
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
