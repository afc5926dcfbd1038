#include <millrace/runtime/codec_choice.h>

#include <algorithm>
#include <cmath>

namespace millrace {
namespace {

double seconds_for(double bytes, double rate) { return rate > 0 ? bytes / rate : 0; }

}  // namespace

const char* to_string(CodecUse use) {
  switch (use) {
    case CodecUse::kMeasured: return "measured";
    case CodecUse::kRaw: return "raw";
    case CodecUse::kCoded: return "coded";
  }
  return "unknown";
}

CodecChoice choose_codec(const CodecRates& rates, std::size_t item_bytes,
                         const CodecChoiceOptions& options) {
  const auto bytes = static_cast<double>(item_bytes);
  const bool is_known = rates.link > 0 && rates.encode > 0 && rates.decode > 0 && rates.ratio > 0;
  CodecChoice choice;
  choice.raw_seconds = seconds_for(bytes, rates.link);
  if (is_known) {
    const double link = seconds_for(bytes * rates.ratio, rates.link);
    const double encode = seconds_for(bytes, rates.encode);
    const double decode = seconds_for(bytes, rates.decode);
    choice.coded_seconds =
        options.is_overlapped ? std::max({link, encode, decode}) : link + encode + decode;
  }
  choice.is_forced = options.use != CodecUse::kMeasured;
  choice.is_trial = !choice.is_forced && !is_known;
  if (choice.is_forced) {
    choice.is_coded = options.use == CodecUse::kCoded;
  } else {
    choice.is_coded =
        choice.is_trial || choice.coded_seconds <= (1 - options.least_gain) * choice.raw_seconds;
  }
  return choice;
}

void RunningRate::add(double amount, double per) {
  if (!(amount > 0) || !(per > 0)) return;
  const double kept = std::exp(-1 / kMemory);
  amount_ = kept * amount_ + amount;
  per_ = kept * per_ + per;
}

}  // namespace millrace
