// SPDX-License-Identifier: Apache-2.0

// Real clips, streams and keys for tests. They are not part of the repository: MILLRACE_TEST_DATA
// names the folder that holds video/, h264/, points/ and sortkeys/; a folder shared/data in or
// above the checkout does too, where the sandbox lets it be seen. MILLRACE_TEST_CLIP is the demo
// clip; tools/test sets it.
#ifndef MILLRACE_TESTS_TEST_DATA_TEST_DATA_H_
#define MILLRACE_TESTS_TEST_DATA_TEST_DATA_H_

#include <string>

namespace millrace::test_data {

// True if the folder of test data exists.
bool is_there();

// Path of a file of these folders whose name starts so; "" if there is none.
std::string find(const std::string& start);

// Path of the clip that tools/fetch_clip gives, from MILLRACE_TEST_CLIP; "" without it.
std::string demo_clip();

}  // namespace millrace::test_data

#endif  // MILLRACE_TESTS_TEST_DATA_TEST_DATA_H_
