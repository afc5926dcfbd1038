// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/reproduction.h>

#include <millrace/runtime/core/error.h>

namespace millrace::tools {

std::vector<Reproduction> reproduce(const std::string& subject, const ReproduceOptions& options,
                                    const std::set<std::string>& names) {
  if (subject == "idct") return reproduce_idct(options, names);
  if (subject == "motion") return reproduce_motion(options, names);
  if (subject == "sort") return reproduce_sort(options, names);
  if (subject == "three-star") return reproduce_three_star(options, names);
  throw Error(ErrorCode::kNotFound, "no subject '" + subject + "'");
}

}  // namespace millrace::tools
