// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/tables/columns/arrow/arrow_type.h>
#include <millrace/tools/tables/columns/testing/made_column.h>
#include <millrace/tools/tables/columns/testing/write_table.h>

#include <arrow/array.h>
#include <arrow/array/util.h>
#include <arrow/buffer.h>
#include <arrow/chunked_array.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>

#include <memory>
#include <stdexcept>

namespace millrace::tools {
namespace {

using Arrays = std::shared_ptr<arrow::ChunkedArray>;

// Appends the numbers of the arrays to the column.
arrow::Status add(const arrow::ChunkedArray& arrays, MadeColumn& column) {
  for (const auto& array : arrays.chunks()) {
    if (array->null_count() > 0) return arrow::Status::Invalid("there are nulls");
    const std::size_t first = static_cast<std::size_t>(array->offset()) * column.number.bytes;
    const std::size_t bytes = static_cast<std::size_t>(array->length()) * column.number.bytes;
    if (bytes == 0) continue;
    const auto* data = reinterpret_cast<const char*>(array->data()->buffers[1]->data());
    column.bytes.append(data + first, bytes);
  }
  return arrow::Status::OK();
}

arrow::Result<std::vector<MadeColumn>> columns_named(const arrow::Schema& schema) {
  std::vector<MadeColumn> columns;
  for (const auto& field : schema.fields()) {
    const auto number = number_of(*field->type());
    if (!number) return arrow::Status::Invalid("not a column of numbers");
    columns.push_back({field->name(), *number, ""});
  }
  return columns;
}

arrow::Result<std::vector<MadeColumn>> read_parquet(
    const std::shared_ptr<arrow::io::RandomAccessFile>& file) {
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(file));
  std::unique_ptr<parquet::arrow::FileReader> reader;
  ARROW_RETURN_NOT_OK(builder.Build(&reader));
  std::shared_ptr<arrow::Schema> schema;
  ARROW_RETURN_NOT_OK(reader->GetSchema(&schema));
  ARROW_ASSIGN_OR_RAISE(std::vector<MadeColumn> columns, columns_named(*schema));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Arrays arrays;
    ARROW_RETURN_NOT_OK(reader->ReadColumn(static_cast<int>(i), &arrays));
    ARROW_RETURN_NOT_OK(add(*arrays, columns[i]));
  }
  return columns;
}

arrow::Result<std::vector<MadeColumn>> read_arrow(
    const std::shared_ptr<arrow::io::RandomAccessFile>& file) {
  ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ipc::RecordBatchFileReader::Open(file));
  ARROW_ASSIGN_OR_RAISE(std::vector<MadeColumn> columns, columns_named(*reader->schema()));
  for (int batch = 0; batch < reader->num_record_batches(); ++batch) {
    ARROW_ASSIGN_OR_RAISE(const auto read, reader->ReadRecordBatch(batch));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const arrow::ChunkedArray arrays(read->column(static_cast<int>(i)));
      ARROW_RETURN_NOT_OK(add(arrays, columns[i]));
    }
  }
  return columns;
}

arrow::Result<std::vector<MadeColumn>> read(const std::string& path, TableFormat format) {
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::ReadableFile::Open(path));
  return format == TableFormat::kParquet ? read_parquet(file) : read_arrow(file);
}

}  // namespace

void make_table(const std::string& path, TableFormat format, const std::vector<MadeColumn>& columns,
                std::int64_t chunk_rows) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const MadeColumn& column : columns) {
    const std::shared_ptr<arrow::DataType> type = arrow_type_of(column.number);
    const auto rows = static_cast<std::int64_t>(column.bytes.size() / column.number.bytes);
    fields.push_back(arrow::field(column.name, type));
    arrays.push_back(arrow::MakeArray(
        arrow::ArrayData::Make(type, rows, {nullptr, arrow::Buffer::FromString(column.bytes)})));
  }
  write_table(path, format, *arrow::Table::Make(arrow::schema(fields), arrays), chunk_rows);
}

std::vector<MadeColumn> columns_of(const std::string& path, TableFormat format) {
  arrow::Result<std::vector<MadeColumn>> columns = read(path, format);
  if (!columns.ok()) throw std::runtime_error(columns.status().ToString());
  return std::move(columns).ValueUnsafe();
}

}  // namespace millrace::tools
