// SPDX-License-Identifier: Apache-2.0

// Arrow's types of numbers.
#ifndef MILLRACE_TOOLS_TABLES_COLUMNS_ARROW_ARROW_TYPE_H_
#define MILLRACE_TOOLS_TABLES_COLUMNS_ARROW_ARROW_TYPE_H_

#include <millrace/tools/tables/npy_number.h>

#include <arrow/type.h>

#include <memory>
#include <optional>

namespace millrace::tools {

// Returns the number of an integer or floating-point type of 8 to 64 bits, in little-endian order;
// nothing for every other type, also for times, decimals and dictionaries that are stored as
// integers.
std::optional<NpyNumber> number_of(const arrow::DataType& type);

// The inverse.
std::shared_ptr<arrow::DataType> arrow_type_of(const NpyNumber& number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_TABLES_COLUMNS_ARROW_ARROW_TYPE_H_
