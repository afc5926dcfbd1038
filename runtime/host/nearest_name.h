// SPDX-License-Identifier: Apache-2.0

// Suggestions for misspelled names.
#ifndef MILLRACE_RUNTIME_HOST_NEAREST_NAME_H_
#define MILLRACE_RUNTIME_HOST_NEAREST_NAME_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Returns the number of letters to insert, remove, replace or swap with the next one to turn `a`
// into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// Returns the name with the least distance to `word`, the first of several; "" where more than a
// third of the word's letters would change.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

// Returns "; did you mean 'devices'?", or "" if no name is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& names);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_NEAREST_NAME_H_
