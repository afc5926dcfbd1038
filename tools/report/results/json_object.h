// SPDX-License-Identifier: Apache-2.0

// Members of a JSON file's objects, read as their types; errors name their locations.
#ifndef MILLRACE_TOOLS_REPORT_RESULTS_JSON_OBJECT_H_
#define MILLRACE_TOOLS_REPORT_RESULTS_JSON_OBJECT_H_

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tools {

// An object in a file. What it rejects throws Error (kInvalidArgument) with the file's name, the
// location in it and what was expected there. Refers to the JSON value, which must outlive it.
class JsonObject {
 public:
  // `location` is "" for the whole file, else like "measurements[3]".
  JsonObject(const nlohmann::json& value, std::string file, std::string location);

  bool has(const char* name) const { return value_.contains(name); }

  // Reads a member that has to be there.
  template <class T>
  void require(const char* name, T& result) const {
    convert(member(name), location_of(name), result);
  }

  // Leaves `result` as it is where there is no such member.
  template <class T>
  void take(const char* name, T& result) const {
    if (has(name)) require(name, result);
  }

  JsonObject object(const char* name) const;
  std::vector<JsonObject> objects(const char* name) const;

  // Rejects the first member whose name is not in the list.
  void require_known(std::initializer_list<std::string_view> names) const;

  // `sentence` says what is wrong with the member of that name.
  [[noreturn]] void reject(const char* name, const std::string& sentence) const;

 private:
  using Json = nlohmann::json;

  const Json& member(const char* name) const;
  std::string location_of(const char* name) const;
  [[noreturn]] void reject_at(const std::string& location, const std::string& sentence) const;
  [[noreturn]] void reject_type(const std::string& location, const Json& value,
                                const char* expected) const;

  void convert(const Json& value, const std::string& location, std::string& result) const;
  void convert(const Json& value, const std::string& location, bool& result) const;
  void convert(const Json& value, const std::string& location, int& result) const;
  void convert(const Json& value, const std::string& location, std::uint64_t& result) const;
  void convert(const Json& value, const std::string& location, double& result) const;
  template <class T>
  void convert(const Json& value, const std::string& location, std::vector<T>& result) const {
    if (!value.is_array()) reject_type(location, value, "an array");
    result.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
      convert(value[i], location + '[' + std::to_string(i) + ']', result.emplace_back());
    }
  }
  void convert(const Json& value, const std::string& location,
               std::map<std::string, std::string>& result) const;
  void convert(const Json& value, const std::string& location,
               std::map<std::string, double>& result) const;
  template <class T>
  void convert_members(const Json& value, const std::string& location,
                       std::map<std::string, T>& result) const {
    if (!value.is_object()) reject_type(location, value, "an object");
    result.clear();
    for (const auto& [name, member] : value.items()) {
      convert(member, std::string(location).append(".").append(name), result[name]);
    }
  }
  template <class T>
  void convert(const Json& value, const std::string& location, std::optional<T>& result) const {
    convert(value, location, result.emplace());
  }

  const Json& value_;
  std::string file_;
  std::string location_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_RESULTS_JSON_OBJECT_H_
