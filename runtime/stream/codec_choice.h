// SPDX-License-Identifier: Apache-2.0

// Whether a chunk should cross the link coded or as it is, from what was measured.
//
//   CodecEstimate estimate;                                   // One for each kind of chunk.
//   const CodecChoice choice = estimate.choose(bytes, options);
//   ... send the chunk so, measure, and tell:
//   estimate.link.add(sent_bytes, seconds);
//   if (choice.is_coded) estimate.encode.add(bytes, seconds); ...
#ifndef MILLRACE_RUNTIME_STREAM_CODEC_CHOICE_H_
#define MILLRACE_RUNTIME_STREAM_CODEC_CHOICE_H_

#include <cstddef>

namespace millrace {

// What the caller wants. kMeasured: what is faster by the rates that are known.
enum class CodecUse { kMeasured, kRaw, kCoded };

// "measured", "raw", "coded".
const char* to_string(CodecUse use);

// Bytes per second; 0 is not known. Those of encoder and decoder count the bytes of items.
struct CodecRates {
  double link = 0;
  double encode = 0;
  double decode = 0;
  double ratio = 0;  // Bytes of a coded chunk to those of its items.
};

struct CodecChoiceOptions {
  CodecUse use = CodecUse::kMeasured;

  // Chunks follow one another, and while one is on the link others are encoded and decoded: what
  // counts is the slowest of the three. Otherwise it is their sum.
  bool is_overlapped = true;

  // Coding must save this part of the raw time, or it is not worth the work of the processors.
  double least_gain = 0.05;
};

struct CodecChoice {
  bool is_coded = false;
  bool is_forced = false;    // By CodecChoiceOptions::use.
  bool is_trial = false;     // Coded because a rate is not known yet.
  double raw_seconds = 0;    // Expected; 0 where it is not known.
  double coded_seconds = 0;  // The least by the rates that are known.
};

// The choice for a chunk of `item_bytes`. Where a rate is not known, and not forced otherwise, it
// is coded, as a trial, unless coding would lose however good that rate is.
CodecChoice choose_codec(const CodecRates& rates, std::size_t item_bytes,
                         const CodecChoiceOptions& options = {});

// A running quotient of amounts (bytes per second, coded bytes per byte) that weighs recent ones
// more: what was added `kMemory` times ago counts a third.
class RunningRate {
 public:
  static constexpr double kMemory = 8;

  // Ignored unless both are above 0: a clock that has not moved says nothing.
  void add(double amount, double per);

  // 0 before the first.
  double value() const { return per_ > 0 ? amount_ / per_ : 0; }

 private:
  double amount_ = 0;
  double per_ = 0;
};

// What chunks of one kind have been like so far. Not thread-safe.
class CodecEstimate {
 public:
  // Raw chunks before the first new trial; then twice as many before each.
  static constexpr double kRawBeforeTrial = 16;

  RunningRate link;    // Add bytes on the link, seconds.
  RunningRate encode;  // Add bytes of items, seconds.
  RunningRate decode;  // Likewise.
  RunningRate
      ratio;  // Add coded bytes, bytes of items; a chunk that did not fit: its items' twice.

  CodecRates rates() const { return {link.value(), encode.value(), decode.value(), ratio.value()}; }

  // For the next chunk: choose_codec by these rates. Chunks may have changed, and the first trials
  // may have met with a disturbance, so where raw ones have taken so many times what a trial would,
  // what is known of the codec is forgotten.
  CodecChoice choose(std::size_t item_bytes, const CodecChoiceOptions& options = {});

 private:
  double raw_chunks_ = 0;  // Since the last trial.
  double patience_ = kRawBeforeTrial;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_STREAM_CODEC_CHOICE_H_
