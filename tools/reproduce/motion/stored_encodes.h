// SPDX-License-Identifier: Apache-2.0

// Encodes of other programs, which a file has, beside those of `millrace bench rd`.
#ifndef MILLRACE_TOOLS_REPRODUCE_MOTION_STORED_ENCODES_H_
#define MILLRACE_TOOLS_REPRODUCE_MOTION_STORED_ENCODES_H_

#include <millrace/tools/report/results/results.h>

#include <map>
#include <string>
#include <vector>

namespace millrace::tools {

// The encodes of one clip by one program and search, at several QPs.
struct StoredEncodes {
  std::string encoder;  // Names the search, too: "JM 17.2 full".
  std::string clip;
  double pictures = 0;                   // 0: the file does not say.
  std::map<std::string, double> values;  // Named by rd_rate_name() and rd_weighted_name().
  double seconds = 0;                    // Time at kRdTimedQp; 0: the file does not say.
};

// Reads {"runs": [{"encoder": "JM 17.2", "search": "full", "clip": "flower", "qp": 28, "kbps":
// 693.1, "psnr_y": 43.25, "psnr_u": 44.4, "psnr_v": 45.1, "user_s": 81.0}, ...], "clips":
// {"flower":
// {"frames": 48}}}. "user_s" and "clips" may be missing. Throws what read_json() throws, and
// kInvalidArgument with the location of what is wrong.
std::vector<StoredEncodes> read_stored_encodes(const std::string& path);

// Adds them to results as peers, of each input of rd on the device that is named as their clip,
// without an extension. Those of another number of pictures have the status kUnsupported.
void add_stored_encodes(const std::vector<StoredEncodes>& encodes, const std::string& device,
                        Results& results);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_MOTION_STORED_ENCODES_H_
