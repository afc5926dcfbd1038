// SPDX-License-Identifier: Apache-2.0

// Features that the ranks of a run find and rank 0 writes. A rank sends its streams' rows in
// messages, as ResultWriter does (runtime/ranks/result_stream.h); rank 0 passes them to its output.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_RANKS_RANK_OUTPUT_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_RANKS_RANK_OUTPUT_H_

#include <millrace/runtime/ranks/communicator.h>
#include <millrace/runtime/ranks/result_stream.h>
#include <millrace/tools/command/features/output/feature_output.h>
#include <millrace/tools/command/features/output/stream_totals.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace millrace::tools {

// The output of a rank other than 0. Streams may be written side by side. Members throw what the
// communicator throws, and Error (kCancelled) once rank 0 takes no more.
class RankOutput final : public FeatureOutput {
 public:
  // `has_errors` is that of the output of rank 0. The communicator must outlive this object.
  RankOutput(Communicator& communicator, bool has_errors)
      : rank_(communicator.rank()), has_errors_(has_errors), writer_(communicator) {}

  std::unique_ptr<StreamOutput> begin(const std::string& stream) override;
  bool has_errors() const override { return has_errors_; }
  void commit() override {}

  // Sends the totals of this rank, and waits until rank 0 has received all. Called once, after all
  // streams have ended.
  void finish(const StreamTotals& totals);

 private:
  class Stream;

  void send(std::span<const std::byte> message);

  const int rank_;
  const bool has_errors_;
  std::mutex mutex_;
  ResultWriter writer_;
  std::uint32_t begun_ = 0;  // Streams.
};

// Passes the messages of all ranks to the output of rank 0, on one thread. A stream that the output
// does not begin has failed, as in StreamJobs, and does not end the run.
class RankInput {
 public:
  // `output` must outlive this object.
  explicit RankInput(FeatureOutput& output) : output_(output) {}

  // Takes a message that a RankOutput has sent. Throws what the output throws for rows, and Error
  // (kIo) for a message that is cut off.
  void take(std::span<const std::byte> message);

  // The sum of the totals that have come.
  const StreamTotals& totals() const { return totals_; }

 private:
  void begin(std::uint64_t id, const std::string& name);

  FeatureOutput& output_;
  // By rank and number; null if the output did not begin the stream.
  std::map<std::uint64_t, std::unique_ptr<StreamOutput>> streams_;
  StreamTotals totals_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_RANKS_RANK_OUTPUT_H_
