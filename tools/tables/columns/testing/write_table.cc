// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/tables/columns/testing/write_table.h>

#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <arrow/memory_pool.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <memory>
#include <stdexcept>

namespace millrace::tools {
namespace {

arrow::Status write(const std::string& path, TableFormat format, const arrow::Table& table,
                    std::int64_t chunk_rows) {
  ARROW_ASSIGN_OR_RAISE(const std::shared_ptr<arrow::io::FileOutputStream> file,
                        arrow::io::FileOutputStream::Open(path));
  if (format == TableFormat::kParquet) {
    const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    ARROW_RETURN_NOT_OK(parquet::arrow::WriteTable(table, arrow::default_memory_pool(), file,
                                                   chunk_rows, parquet::default_writer_properties(),
                                                   arrow_properties));
  } else {
    ARROW_ASSIGN_OR_RAISE(const auto writer, arrow::ipc::MakeFileWriter(file, table.schema()));
    ARROW_RETURN_NOT_OK(writer->WriteTable(table, chunk_rows));
    ARROW_RETURN_NOT_OK(writer->Close());
  }
  return file->Close();
}

}  // namespace

void write_table(const std::string& path, TableFormat format, const arrow::Table& table,
                 std::int64_t chunk_rows) {
  const arrow::Status status = write(path, format, table, chunk_rows);
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

}  // namespace millrace::tools
