// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/output/stored_zip.h>

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <new>

namespace millrace::tools {
namespace {

struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

}  // namespace

StoredZip::StoredZip(std::ostream& out) : out_(out), archive_(archive_write_new()) {
  if (archive_ == nullptr) throw std::bad_alloc();
  const auto write = [](struct archive*, void* zip, const void* data, std::size_t bytes) {
    return static_cast<la_ssize_t>(static_cast<StoredZip*>(zip)->take(data, bytes));
  };
  const bool is_open = archive_write_set_format_zip(archive_) == ARCHIVE_OK &&
                       archive_write_zip_set_compression_store(archive_) == ARCHIVE_OK &&
                       archive_write_set_bytes_per_block(archive_, 0) == ARCHIVE_OK &&
                       archive_write_open(archive_, this, nullptr, write, nullptr) == ARCHIVE_OK;
  if (!is_open) {
    archive_write_free(archive_);
    throw Error(ErrorCode::kIo, "a zip archive cannot be written: libarchive has no zip");
  }
}

StoredZip::~StoredZip() {
  is_left_ = true;
  archive_write_free(archive_);
}

// libarchive loses memory after a callback has failed, so this one never fails.
std::int64_t StoredZip::take(const void* data, std::size_t bytes) {
  if (failure_ == nullptr && !is_left_) {
    try {
      out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
      if (!out_) throw Error(ErrorCode::kIo, "a zip archive cannot be written to its stream");
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  return static_cast<std::int64_t>(bytes);
}

void StoredZip::check(bool has_succeeded) const {
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  if (has_succeeded) return;
  const char* const reason = archive_error_string(archive_);
  throw Error(ErrorCode::kIo, std::string("a zip archive cannot be written: ") +
                                  (reason == nullptr ? "a member has too many bytes" : reason));
}

void StoredZip::begin(const std::string& name, std::uint64_t bytes) {
  constexpr int kMode = 0644;
  const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
  if (entry == nullptr) throw std::bad_alloc();
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), kMode);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
  check(archive_write_header(archive_, entry.get()) == ARCHIVE_OK);
}

void StoredZip::write(std::string_view data) {
  check(archive_write_data(archive_, data.data(), data.size()) ==
        static_cast<la_ssize_t>(data.size()));
}

void StoredZip::finish() { check(archive_write_close(archive_) == ARCHIVE_OK); }

}  // namespace millrace::tools
