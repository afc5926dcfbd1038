// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/tables/columns/arrow/arrow_output.h>
#include <millrace/tools/tables/columns/arrow/arrow_type.h>
#include <millrace/tools/tables/columns/column_writer.h>

#include <arrow/array/data.h>
#include <arrow/array/util.h>
#include <arrow/buffer.h>
#include <arrow/ipc/writer.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/writer.h>
#include <parquet/exception.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

constexpr std::size_t kBatchRows = std::size_t{1} << 16;

// Takes record batches.
class BatchWriter {
 public:
  virtual ~BatchWriter() = default;
  virtual arrow::Status write(const arrow::RecordBatch& batch) = 0;
  virtual arrow::Status close() = 0;
};

class ParquetBatches final : public BatchWriter {
 public:
  static arrow::Result<std::unique_ptr<BatchWriter>> open(
      const std::shared_ptr<ArrowOutput>& out, const std::shared_ptr<arrow::Schema>& schema) {
    auto batches = std::make_unique<ParquetBatches>();
    ARROW_ASSIGN_OR_RAISE(batches->writer_, parquet::arrow::FileWriter::Open(
                                                *schema, arrow::default_memory_pool(), out));
    return batches;
  }

  arrow::Status write(const arrow::RecordBatch& batch) override {
    return writer_->WriteRecordBatch(batch);
  }
  arrow::Status close() override { return writer_->Close(); }

 private:
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

class ArrowBatches final : public BatchWriter {
 public:
  static arrow::Result<std::unique_ptr<BatchWriter>> open(
      const std::shared_ptr<ArrowOutput>& out, const std::shared_ptr<arrow::Schema>& schema) {
    auto batches = std::make_unique<ArrowBatches>();
    ARROW_ASSIGN_OR_RAISE(batches->writer_, arrow::ipc::MakeFileWriter(out, schema));
    return batches;
  }

  arrow::Status write(const arrow::RecordBatch& batch) override {
    return writer_->WriteRecordBatch(batch);
  }
  arrow::Status close() override { return writer_->Close(); }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

class ArrowColumnWriter final : public ColumnWriter {
 public:
  ArrowColumnWriter(std::ostream& out, const WrittenColumn& column)
      : column_(column),
        out_(std::make_shared<ArrowOutput>(out)),
        schema_(arrow::schema(
            {arrow::field(column.name, arrow_type_of(column.number), /*nullable=*/false)})) {
    guarded([&] {
      ARROW_ASSIGN_OR_RAISE(batches_, column.format == TableFormat::kParquet
                                          ? ParquetBatches::open(out_, schema_)
                                          : ArrowBatches::open(out_, schema_));
      return arrow::Status::OK();
    });
  }

  ~ArrowColumnWriter() override { out_->stop(); }

  void write(const void* bytes, std::size_t count) override {
    const auto* from = static_cast<const std::byte*>(bytes);
    const std::size_t whole = kBatchRows * column_.number.bytes;
    while (count > 0) {
      const std::size_t some = std::min(count, whole - batch_.size());
      batch_.insert(batch_.end(), from, from + some);
      from += some;
      count -= some;
      if (batch_.size() == whole) write_batch();
    }
  }

  void finish() override {
    if (batch_.size() % column_.number.bytes != 0) {
      throw Error(ErrorCode::kInternal, "the last number of " + column_.file + " is not whole");
    }
    if (!batch_.empty()) write_batch();
    guarded([&] { return batches_->close(); });
  }

 private:
  void write_batch() {
    const auto rows = static_cast<std::int64_t>(batch_.size() / column_.number.bytes);
    const auto data = arrow::ArrayData::Make(
        schema_->field(0)->type(), rows, {nullptr, arrow::Buffer::Wrap(batch_)}, /*null_count=*/0);
    const auto batch = arrow::RecordBatch::Make(schema_, rows, {arrow::MakeArray(data)});
    guarded([&] { return batches_->write(*batch); });
    batch_.clear();
  }

  // Calls work(), which returns a status, and throws if that failed.
  template <class Work>
  void guarded(const Work& work) {
    std::string reason;
    try {
      const arrow::Status status = work();
      if (status.ok()) return;
      reason = status.message();
    } catch (const parquet::ParquetException& error) {
      reason = error.what();
    }
    out_->rethrow();
    reject_file(column_.file,
                std::string("cannot be written as ") + to_string(column_.format) + ": " + reason);
  }

  const WrittenColumn column_;
  std::vector<std::byte> batch_;  // Numbers that are not written yet.
  std::shared_ptr<ArrowOutput> out_;
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<BatchWriter> batches_;
};

}  // namespace

std::unique_ptr<ColumnWriter> make_column_writer(std::ostream& out, const WrittenColumn& column) {
  return std::make_unique<ArrowColumnWriter>(out, column);
}

}  // namespace millrace::tools
