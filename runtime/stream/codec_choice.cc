// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/stream/codec_choice.h>

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
  const double link = seconds_for(bytes * rates.ratio, rates.link);
  const double encode = seconds_for(bytes, rates.encode);
  const double decode = seconds_for(bytes, rates.decode);
  // Largest accepted fraction of the raw time.
  const double most_fraction = 1 - options.least_gain;
  CodecChoice choice;
  choice.raw_seconds = seconds_for(bytes, rates.link);
  choice.coded_seconds =
      options.is_overlapped ? std::max({link, encode, decode}) : link + encode + decode;
  // The first condition is independent of the link's rate.
  const bool loses = rates.ratio > most_fraction ||
                     (rates.link > 0 && choice.coded_seconds > most_fraction * choice.raw_seconds);
  choice.is_forced = options.use != CodecUse::kMeasured;
  choice.is_coded = choice.is_forced ? options.use == CodecUse::kCoded : !loses;
  choice.is_trial = !choice.is_forced && choice.is_coded && !is_known;
  return choice;
}

CodecChoice CodecEstimate::choose(std::size_t item_bytes, const CodecChoiceOptions& options) {
  const CodecChoice choice = choose_codec(rates(), item_bytes, options);
  if (choice.is_forced || choice.is_trial) return choice;
  if (choice.is_coded) {
    raw_chunks_ = 0;
    patience_ = kRawBeforeTrial;
    return choice;
  }
  const bool has_times = choice.raw_seconds > 0;
  const double trial = has_times ? choice.coded_seconds / choice.raw_seconds : 1;  // Raw chunks.
  if (++raw_chunks_ <= patience_ * std::max(trial, 1.0)) return choice;
  raw_chunks_ = 0;
  patience_ *= 2;
  encode = decode = ratio = {};
  return choose_codec(rates(), item_bytes, options);
}

void RunningRate::add(double amount, double per) {
  if (!(amount > 0) || !(per > 0)) return;
  const double kept = std::exp(-1 / kMemory);
  amount_ = kept * amount_ + amount;
  per_ = kept * per_ + per;
}

}  // namespace millrace
