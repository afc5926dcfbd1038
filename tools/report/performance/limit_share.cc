// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/number_text.h>
#include <millrace/tools/report/performance/limit_share.h>

#include <algorithm>

namespace millrace::tools {
namespace {

// Names of limits, as tools/benchmarks/workloads/device_limits.h has them.
constexpr char kCopy[] = "copy";
constexpr char kCopyInCache[] = "copy in cache";

struct LimitWords {
  const char* name;
  const char* text;
  const char* why_exceeded;  // Follows from how device_limits.cc measures it.
};

constexpr LimitWords kLimits[] = {
    {kCopy, "a large copy",
     " A large copy is of 128 MiB on a CPU and of up to 512 MiB on a GPU, most of which no cache "
     "keeps; work on fewer bytes, part of which stays in a cache, can be faster."},
    {kCopyInCache, "a small copy",
     " A small copy is of 2 MiB on a CPU and of 8 MiB on a GPU; each starts and ends anew, so work "
     "on more bytes can be faster."},
    {"upload", "an upload", ""},
    {"download", "a download", ""},
    {"launch", "a launch", ""},
    {"tasks", "a flat queue",
     " A flat queue is a run of 100 k tasks on a CPU and of 4 M on a GPU, with its start and its "
     "end; a run of more tasks can be faster."}};

const LimitRecord* limit_of(const Results& run, const std::string& device,
                            const std::string& name) {
  const auto found = std::ranges::find_if(run.limits, [&](const LimitRecord& limit) {
    return limit.device == device && limit.name == name;
  });
  return found == run.limits.end() ? nullptr : &*found;
}

}  // namespace

std::optional<LimitShare> limit_share(const Measurement& measurement, const Results& run) {
  if (!measurement.limit_fraction) return std::nullopt;
  LimitShare share = {measurement.limit, *measurement.limit_fraction};
  const LimitRecord* const limit = limit_of(run, measurement.device, measurement.limit);
  if (limit == nullptr) return share;
  share.is_of_bytes = limit->unit == "B/s";
  if (limit->name != kCopyInCache) return share;
  const LimitRecord* const large = limit_of(run, measurement.device, kCopy);
  if (large == nullptr || large->value <= limit->value) return share;
  share.limit = kCopy;
  share.fraction *= limit->value / large->value;
  return share;
}

std::string limit_text(const std::string& limit) {
  for (const LimitWords& words : kLimits) {
    if (limit == words.name) return words.text;
  }
  return limit;
}

std::string share_text(const LimitShare& share) {
  return ratio_text(100 * share.fraction) + " % of " + limit_text(share.limit);
}

void ExceededLimits::add(const LimitShare& share) {
  if (share.fraction > 1) limits_.insert(share.limit);
}

std::string ExceededLimits::text() const {
  if (limits_.empty()) return "";
  std::string text =
      "A share above 100 % is no error: a limit is the rate that another program reached at the "
      "start of the same run, not a bound.";
  for (const LimitWords& words : kLimits) {
    if (limits_.contains(words.name)) text += words.why_exceeded;
  }
  return text;
}

}  // namespace millrace::tools
