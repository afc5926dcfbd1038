// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/tables/columns/arrow/arrow_type.h>

#include <cstddef>

namespace millrace::tools {
namespace {

struct NumberType {
  arrow::Type::type id;
  NumberKind kind;
  std::size_t bytes;
  const std::shared_ptr<arrow::DataType>& (*make)();
};

constexpr NumberType kNumberTypes[] = {
    {arrow::Type::UINT8, NumberKind::kUnsigned, 1, arrow::uint8},
    {arrow::Type::UINT16, NumberKind::kUnsigned, 2, arrow::uint16},
    {arrow::Type::UINT32, NumberKind::kUnsigned, 4, arrow::uint32},
    {arrow::Type::UINT64, NumberKind::kUnsigned, 8, arrow::uint64},
    {arrow::Type::INT8, NumberKind::kSigned, 1, arrow::int8},
    {arrow::Type::INT16, NumberKind::kSigned, 2, arrow::int16},
    {arrow::Type::INT32, NumberKind::kSigned, 4, arrow::int32},
    {arrow::Type::INT64, NumberKind::kSigned, 8, arrow::int64},
    {arrow::Type::HALF_FLOAT, NumberKind::kFloat, 2, arrow::float16},
    {arrow::Type::FLOAT, NumberKind::kFloat, 4, arrow::float32},
    {arrow::Type::DOUBLE, NumberKind::kFloat, 8, arrow::float64},
};

}  // namespace

std::optional<NpyNumber> number_of(const arrow::DataType& type) {
  for (const NumberType& each : kNumberTypes) {
    if (type.id() == each.id) return NpyNumber{.kind = each.kind, .bytes = each.bytes};
  }
  return {};
}

std::shared_ptr<arrow::DataType> arrow_type_of(const NpyNumber& number) {
  for (const NumberType& each : kNumberTypes) {
    if (number.kind == each.kind && number.bytes == each.bytes) return each.make();
  }
  throw Error(ErrorCode::kInternal, "Arrow has no type for " + number.description());
}

}  // namespace millrace::tools
