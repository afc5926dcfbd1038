// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/reject_member.h>
#include <millrace/tools/tables/columns/arrow/arrow_input.h>
#include <millrace/tools/tables/columns/arrow/arrow_type.h>
#include <millrace/tools/tables/columns/read_column.h>

#include <arrow/array.h>
#include <arrow/chunked_array.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace millrace::tools {

bool has_arrow() { return true; }

namespace {

constexpr std::int64_t kBatchRows = std::int64_t{1} << 16;

// Unwraps what Arrow returns while it reads a table.
class TableErrors {
 public:
  TableErrors(const PositionedFile& table, TableFormat format, const ArrowInput& input)
      : table_(table), format_(format), input_(input) {}

  void check(const arrow::Status& status) const {
    if (!status.ok()) reject(status.message());
  }

  template <class T>
  T value(arrow::Result<T> result) const {
    check(result.status());
    return std::move(result).ValueUnsafe();
  }

  [[noreturn]] void reject(const std::string& reason) const {
    input_.rethrow();
    reject_file(table_.name(), std::string("cannot be read as ") + to_string(format_) + ": " +
                                   reason + "; write it again");
  }

 private:
  const PositionedFile& table_;
  const TableFormat format_;
  const ArrowInput& input_;
};

// Takes the arrays of a column one after another.
class ColumnCopy {
 public:
  ColumnCopy(const PositionedFile& table, const arrow::Field& field, const std::string& folder)
      : table_(table),
        field_(field),
        number_(checked_number(table, field)),
        values_(PositionedFile::make_nameless(folder, "for a column of a table")) {}

  void add(const arrow::Array& array, const TableErrors& errors) {
    throw_if_interrupted();
    // Arrow leaves it to its callers to compare the lengths that a file gives with its buffers.
    errors.check(array.Validate());
    if (!array.type()->Equals(field_.type())) {
      errors.reject("its column '" + field_.name() + "' has several types");
    }
    rows_ += static_cast<std::uint64_t>(array.length());
    nulls_ += static_cast<std::uint64_t>(array.null_count());
    // The others are only counted, for the message.
    if (nulls_ > 0 || array.length() == 0) return;
    const auto offset = static_cast<std::size_t>(array.offset()) * number_.bytes;
    const std::size_t bytes = static_cast<std::size_t>(array.length()) * number_.bytes;
    values_.write(bytes_, array.data()->buffers[1]->data() + offset, bytes);
    bytes_ += bytes;
  }

  void add(const arrow::ChunkedArray& arrays, const TableErrors& errors) {
    for (const auto& array : arrays.chunks()) add(*array, errors);
  }

  std::uint64_t rows() const { return rows_; }

  NumberColumn finish() const {
    if (nulls_ > 0) {
      reject_file(table_.name(), "the column '" + field_.name() + "' has nulls, " +
                                     std::to_string(nulls_) + " in " + std::to_string(rows_) +
                                     " rows, and keys are numbers; drop these rows, or fill them "
                                     "with a number, and write the table again");
    }
    return {.name = field_.name(),
            .number = number_,
            .count = rows_,
            .values = values_.segment(0, bytes_, table_.name() + ":" + field_.name())};
  }

 private:
  static NpyNumber checked_number(const PositionedFile& table, const arrow::Field& field) {
    if (const auto number = number_of(*field.type())) return *number;
    reject_file(table.name(),
                "the column '" + field.name() + "' is of " + field.type()->ToString() +
                    "; keys are int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, "
                    "float32 or float64; cast it to one of these and write the table again");
  }

  const PositionedFile& table_;
  const arrow::Field& field_;
  const NpyNumber number_;
  PositionedFile values_;
  std::uint64_t rows_ = 0;
  std::uint64_t nulls_ = 0;
  std::uint64_t bytes_ = 0;
};

// Returns the index of the column with that name, or of the only one if the name is empty.
int column_index(const std::string& table, const arrow::Schema& schema, const std::string& name) {
  if (name.empty() && schema.num_fields() == 1) return 0;
  const std::vector<int> indices = schema.GetAllFieldIndices(name);
  if (!name.empty() && indices.size() == 1) return indices[0];
  if (!name.empty() && indices.size() > 1) {
    reject(table + ": has " + std::to_string(indices.size()) + " columns named '" + name +
           "'; rename them and write the table again");
  }
  reject_member(table, "columns", schema.field_names(), name);
}

NumberColumn read_parquet(const PositionedFile& table, const std::shared_ptr<ArrowInput>& input,
                          const std::string& name, const std::string& folder) {
  const TableErrors errors(table, TableFormat::kParquet, *input);
  try {
    parquet::ReaderProperties properties;
    properties.enable_buffered_stream();  // A page at a time, not a column of a row group.
    parquet::arrow::FileReaderBuilder builder;
    errors.check(builder.Open(input, properties));
    std::unique_ptr<parquet::arrow::FileReader> reader;
    errors.check(builder.Build(&reader));
    std::shared_ptr<arrow::Schema> schema;
    errors.check(reader->GetSchema(&schema));
    const int index = column_index(table.name(), *schema, name);
    ColumnCopy copy(table, *schema->field(index), folder);
    // Arrow counts columns here as its schema does, and not, as elsewhere, those inside of others.
    std::unique_ptr<parquet::arrow::ColumnReader> column;
    errors.check(reader->GetColumn(index, &column));
    for (;;) {
      std::shared_ptr<arrow::ChunkedArray> arrays;
      errors.check(column->NextBatch(kBatchRows, &arrays));
      if (arrays == nullptr || arrays->length() == 0) break;
      copy.add(*arrays, errors);
    }
    const std::int64_t rows = reader->parquet_reader()->metadata()->num_rows();
    if (copy.rows() != static_cast<std::uint64_t>(rows)) {
      errors.reject("it is to have " + std::to_string(rows) + " rows and has " +
                    std::to_string(copy.rows()));
    }
    return copy.finish();
  } catch (const parquet::ParquetException& error) {
    errors.reject(error.what());
  }
}

NumberColumn read_arrow(const PositionedFile& table, const std::shared_ptr<ArrowInput>& input,
                        const std::string& name, const std::string& folder) {
  const TableErrors errors(table, TableFormat::kArrow, *input);
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.use_threads = false;
  const auto whole = errors.value(arrow::ipc::RecordBatchFileReader::Open(input, options));
  const std::shared_ptr<arrow::Schema> schema = whole->schema();
  const int index = column_index(table.name(), *schema, name);
  ColumnCopy copy(table, *schema->field(index), folder);
  options.included_fields = {index};
  const auto reader = errors.value(arrow::ipc::RecordBatchFileReader::Open(input, options));
  for (int i = 0; i < reader->num_record_batches(); ++i) {
    copy.add(*errors.value(reader->ReadRecordBatch(i))->column(0), errors);
  }
  return copy.finish();
}

}  // namespace

NumberColumn read_column(const PositionedFile& table, TableFormat format, const std::string& name,
                         const std::string& folder) {
  const auto input = std::make_shared<ArrowInput>(table);
  return format == TableFormat::kParquet ? read_parquet(table, input, name, folder)
                                         : read_arrow(table, input, name, folder);
}

}  // namespace millrace::tools
