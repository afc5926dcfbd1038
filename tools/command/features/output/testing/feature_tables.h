// SPDX-License-Identifier: Apache-2.0

// Reads the formats of `millrace features` back, for tests.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_TESTING_FEATURE_TABLES_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_TESTING_FEATURE_TABLES_H_

#include <millrace/tools/command/features/output/feature_columns.h>
#include <millrace/tools/command/features/output/testing/read_npz_array.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {

// Frames and their features: one number of a frame is one column, "types.I4x4".
struct ColumnTable {
  std::vector<std::string> streams;                    // The stream of each frame.
  std::map<std::string, std::vector<double>> columns;  // NaN: there is no value.
};

// Reads lines of JSON; those that are of no frame are passed over. A null is NaN.
inline ColumnTable table_of_json_lines(const std::string& text) {
  ColumnTable table;
  const auto add = [&](const std::string& column, const nlohmann::json& value) {
    table.columns[column].push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                                    : value.get<double>());
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json frame = nlohmann::json::parse(line);
    if (!frame.contains("FrameType")) continue;
    for (const auto& [name, value] : frame.items()) {
      if (name == "stream") {
        table.streams.push_back(value);
      } else if (value.is_structured()) {
        for (const auto& [label, element] : value.items()) add(name + "." + label, element);
      } else {
        add(name, value);
      }
    }
  }
  return table;
}

// Reads a CSV file without fields in quotes. An empty field is NaN.
inline ColumnTable table_of_csv(const std::string& text) {
  const auto fields_of = [](const std::string& line) {
    std::vector<std::string> fields(1);
    for (const char letter : line) {
      if (letter == ',') {
        fields.emplace_back();
      } else {
        fields.back() += letter;
      }
    }
    return fields;
  };
  ColumnTable table;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = fields_of(line);
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = fields_of(line);
    EXPECT_EQ(fields.size(), names.size());
    if (fields.size() != names.size()) break;
    table.streams.push_back(fields[0]);
    for (std::size_t i = 1; i < fields.size(); ++i) {
      table.columns[names[i]].push_back(fields[i].empty()
                                            ? std::numeric_limits<double>::quiet_NaN()
                                            : std::strtod(fields[i].c_str(), nullptr));
    }
  }
  return table;
}

// Reads a .npz file of the columns of `set`, from which it takes the names of an array's elements.
inline ColumnTable table_of_npz(const std::string& path, const std::string& folder,
                                FeatureSet set) {
  const std::map<std::string, ReadNpzArray> arrays = read_npz(path, folder);
  ColumnTable table;
  const std::vector<std::string> names = arrays.at("streams.npy").strings();
  const std::vector<std::int64_t> streams = arrays.at("stream.npy").values<std::int64_t>();
  for (const std::int64_t stream : streams) {
    table.streams.push_back(names.at(static_cast<std::size_t>(stream)));
  }
  for (const FeatureColumn& column : feature_columns(set)) {
    const ReadNpzArray& array = arrays.at(column.name + ".npy");
    std::vector<std::uint64_t> shape = {streams.size()};
    if (column.is_array()) shape.push_back(column.count);
    EXPECT_EQ(array.header.shape, shape) << column.name;
    EXPECT_EQ(array.header.element, column.is_whole ? "'<i8'" : "'<f8'") << column.name;
    std::vector<double> values;
    if (column.is_whole) {
      for (const std::int64_t value : array.values<std::int64_t>()) {
        values.push_back(static_cast<double>(value));
      }
    } else {
      values = array.values<double>();
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t element = i % column.count;
      table.columns[column.is_array() ? column.name_of(element) : column.name].push_back(values[i]);
    }
  }
  EXPECT_EQ(arrays.size(), feature_columns(set).size() + 2);
  return table;
}

// Compares a table with that of the lines of JSON, where infinite values are null as well.
inline void expect_values_of_json(const ColumnTable& table, const ColumnTable& json) {
  EXPECT_EQ(table.streams, json.streams);
  EXPECT_EQ(table.columns.size(), json.columns.size());
  for (const auto& [name, expected] : json.columns) {
    SCOPED_TRACE(name);
    const auto found = table.columns.find(name);
    ASSERT_NE(found, table.columns.end());
    ASSERT_EQ(found->second.size(), expected.size());
    for (std::size_t frame = 0; frame < expected.size(); ++frame) {
      if (std::isnan(expected[frame])) {
        EXPECT_FALSE(std::isfinite(found->second[frame])) << "frame " << frame;
      } else {
        EXPECT_EQ(found->second[frame], expected[frame]) << "frame " << frame;
      }
    }
  }
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_TESTING_FEATURE_TABLES_H_
