// SPDX-License-Identifier: Apache-2.0

// Compares the guide with the sources that it shows.
#ifndef MILLRACE_DOCS_EXAMPLES_GUIDE_BLOCKS_H_
#define MILLRACE_DOCS_EXAMPLES_GUIDE_BLOCKS_H_

#include <string>
#include <vector>

namespace millrace::examples {

// Expects that each block of C++ on a page is in one of these sources, and that there are `count`
// of them. Paths begin at the repository's root.
void expect_blocks_of_sources(const std::string& page, const std::vector<std::string>& sources,
                              int count);

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_GUIDE_BLOCKS_H_
