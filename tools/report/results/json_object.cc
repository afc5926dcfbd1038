// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/names/joined_names.h>
#include <millrace/tools/report/results/json_object.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace millrace::tools {
namespace {

std::string element_of(const std::string& array, std::size_t index) {
  return array + "[" + std::to_string(index) + "]";
}

}  // namespace

JsonObject::JsonObject(const Json& value, std::string file, std::string location)
    : value_(value), file_(std::move(file)), location_(std::move(location)) {
  if (!value.is_object()) reject_type(location_, value, "an object");
}

JsonObject JsonObject::object(const char* name) const {
  return JsonObject(member(name), file_, location_of(name));
}

std::vector<JsonObject> JsonObject::objects(const char* name) const {
  const Json& array = member(name);
  if (!array.is_array()) reject_type(location_of(name), array, "an array");
  std::vector<JsonObject> objects;
  for (std::size_t i = 0; i < array.size(); ++i) {
    objects.emplace_back(array[i], file_, element_of(location_of(name), i));
  }
  return objects;
}

void JsonObject::require_known(std::initializer_list<std::string_view> names) const {
  for (const auto& member : value_.items()) {
    if (std::ranges::find(names, member.key()) != names.end()) continue;
    reject(member.key().c_str(), "is not a member; members here are " + joined_names(names));
  }
}

void JsonObject::reject(const char* name, const std::string& sentence) const {
  reject_at(location_of(name), sentence);
}

const nlohmann::json& JsonObject::member(const char* name) const {
  const auto found = value_.find(name);
  if (found == value_.end()) reject(name, "is missing; add it");
  return *found;
}

std::string JsonObject::location_of(const char* name) const {
  return location_.empty() ? name : location_ + "." + name;
}

void JsonObject::reject_at(const std::string& location, const std::string& sentence) const {
  throw Error(ErrorCode::kInvalidArgument,
              file_ + ": " + (location.empty() ? "the whole" : location) + " " + sentence);
}

void JsonObject::reject_type(const std::string& location, const Json& value,
                             const char* expected) const {
  const std::string is = value.is_null() ? "null" : std::string("of type ") + value.type_name();
  reject_at(location, "is " + is + "; " + expected + " is expected");
}

void JsonObject::convert(const Json& value, const std::string& location,
                         std::string& result) const {
  if (!value.is_string()) reject_type(location, value, "a string");
  result = value.get<std::string>();
}

void JsonObject::convert(const Json& value, const std::string& location, bool& result) const {
  if (!value.is_boolean()) reject_type(location, value, "true or false");
  result = value.get<bool>();
}

void JsonObject::convert(const Json& value, const std::string& location, int& result) const {
  std::uint64_t number = 0;
  convert(value, location, number);
  if (number > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
    reject_at(location, "is " + std::to_string(number) + "; give at most " +
                            std::to_string(std::numeric_limits<int>::max()));
  }
  result = static_cast<int>(number);
}

void JsonObject::convert(const Json& value, const std::string& location,
                         std::uint64_t& result) const {
  if (!value.is_number_unsigned()) {
    if (value.is_number()) {
      reject_at(location, "is " + value.dump() + "; it is a whole number from 0");
    }
    reject_type(location, value, "a whole number");
  }
  result = value.get<std::uint64_t>();
}

void JsonObject::convert(const Json& value, const std::string& location, double& result) const {
  if (!value.is_number()) reject_type(location, value, "a number");
  result = value.get<double>();
}

void JsonObject::convert(const Json& value, const std::string& location,
                         std::map<std::string, std::string>& result) const {
  convert_members(value, location, result);
}

void JsonObject::convert(const Json& value, const std::string& location,
                         std::map<std::string, double>& result) const {
  convert_members(value, location, result);
}

}  // namespace millrace::tools
