// SPDX-License-Identifier: Apache-2.0

// Decides from measured rates if a chunk should cross the link coded or raw.
//
//   CodecEstimate estimate;                                   // One for each kind of chunk.
//   const CodecChoice choice = estimate.choose(bytes, options);
//   ... send the chunk accordingly and measure it ...
//   estimate.link.add(sent_bytes, seconds);
//   if (choice.is_coded) estimate.encode.add(bytes, seconds); ...
#ifndef MILLRACE_RUNTIME_STREAM_CODEC_CHOICE_H_
#define MILLRACE_RUNTIME_STREAM_CODEC_CHOICE_H_

#include <cstddef>

namespace millrace {

// The caller's request. kMeasured selects the faster one by the rates that are known.
enum class CodecUse { kMeasured, kRaw, kCoded };

// Returns "measured", "raw" or "coded".
const char* to_string(CodecUse use);

// Measured rates; 0 if a rate is unknown.
struct CodecRates {
  double link = 0;    // Bytes per second on the link.
  double encode = 0;  // Bytes of items per second.
  double decode = 0;  // Bytes of items per second.
  double ratio = 0;   // Bytes of a coded chunk divided by the bytes of its items.
};

struct CodecChoiceOptions {
  CodecUse use = CodecUse::kMeasured;

  // True if chunks follow one another and are encoded and decoded while others are on the link, so
  // that the slowest of the three stages counts. False if the sum of the three counts.
  bool is_overlapped = true;

  // Minimum fraction of the raw time that coding must save to justify the processors' work.
  double least_gain = 0.05;
};

struct CodecChoice {
  bool is_coded = false;
  bool is_forced = false;    // True if CodecChoiceOptions::use decided.
  bool is_trial = false;     // True if coded because a rate is not known yet.
  double raw_seconds = 0;    // Expected time; 0 if it is unknown.
  double coded_seconds = 0;  // Lower bound of the time by the rates that are known.
};

// Returns the choice for a chunk whose items have `item_bytes` bytes. If a rate is unknown and the
// choice is not forced, the chunk is coded as a trial, unless coding would be slower at any value
// of that rate.
CodecChoice choose_codec(const CodecRates& rates, std::size_t item_bytes,
                         const CodecChoiceOptions& options = {});

// A running quotient of two amounts, such as bytes and seconds, that gives recent ones more weight:
// a value added `kMemory` additions ago counts a third. Not thread-safe.
class RunningRate {
 public:
  static constexpr double kMemory = 8;

  // Adds a measurement. It is ignored unless both values are above 0, as when the clock has not
  // advanced.
  void add(double amount, double per);

  // Returns the quotient, or 0 before the first measurement.
  double value() const { return per_ > 0 ? amount_ / per_ : 0; }

 private:
  double amount_ = 0;
  double per_ = 0;
};

// The measured rates of one kind of chunk. Not thread-safe.
class CodecEstimate {
 public:
  // Number of raw chunks before the first new trial; it doubles before each further one.
  static constexpr double kRawBeforeTrial = 16;

  RunningRate link;    // Add bytes on the link and seconds.
  RunningRate encode;  // Add bytes of items and seconds.
  RunningRate decode;  // Add bytes of items and seconds.

  // Add coded bytes and bytes of items. For a chunk that did not fit, add twice its items' bytes.
  RunningRate ratio;

  CodecRates rates() const { return {link.value(), encode.value(), decode.value(), ratio.value()}; }

  // Returns the choice for the next chunk by these rates. Chunks may have changed, or a disturbance
  // may have slowed the first trials. So, once raw chunks have taken many times as long as a trial
  // would, the codec's rates are discarded and it is tried again.
  CodecChoice choose(std::size_t item_bytes, const CodecChoiceOptions& options = {});

 private:
  double raw_chunks_ = 0;  // Number of raw chunks since the last trial.
  double patience_ = kRawBeforeTrial;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_STREAM_CODEC_CHOICE_H_
