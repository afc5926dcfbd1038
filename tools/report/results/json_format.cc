// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/report/results/json_format.h>

namespace millrace::tools {

int read_schema(const JsonObject& json, const std::string& path, const JsonFormat& format) {
  std::string word;
  if (json.has("format")) json.require("format", word);
  if (word != format.word) {
    reject(path + ": is no file of " + format.what + "; such a file has \"format\": \"" +
           format.word + "\"");
  }
  int schema = 0;
  json.require("schema", schema);
  if (schema < 1) json.reject("schema", "is " + std::to_string(schema) + "; the first is 1");
  if (schema > format.newest) {
    json.reject("schema", "is " + std::to_string(schema) +
                              "; this version of Millrace reads up to " +
                              std::to_string(format.newest));
  }
  return schema;
}

}  // namespace millrace::tools
