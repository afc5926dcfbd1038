// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/result_stream.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tools/command/features/ranks/rank_output.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace millrace::tools {
namespace {

// Keeps a text of all that each stream was given.
class TextsOutput final : public FeatureOutput {
 public:
  std::unique_ptr<StreamOutput> begin(const std::string& stream) override {
    const std::lock_guard lock(mutex_);
    if (stream == rejected) throw Error(ErrorCode::kIo, "the name is taken");
    return std::make_unique<Stream>(texts_[stream]);
  }
  void commit() override {}

  const std::map<std::string, std::string>& texts() const { return texts_; }

  std::string rejected;  // begin() throws for a stream of this name.

 private:
  class Stream final : public StreamOutput {
   public:
    explicit Stream(std::string& text) : text_(text) {}
    void add(const FeatureRow& row) override {
      text_ += std::to_string(row.frame) + ":" + std::to_string(row.features.bytes) + " ";
    }
    void add_fault(const h264::StreamFault& fault) override {
      text_ += fault.message + "@" + std::to_string(fault.nal_unit) + "," +
               std::to_string(fault.byte) + "," + std::to_string(fault.picture) + "," +
               std::to_string(fault.is_unsupported) + std::to_string(fault.has_primary_pictures) +
               " ";
    }
    void end(const StreamEnd& end) override {
      text_ += "end " + std::to_string(end.frames) + "," + std::to_string(end.faults) + "," +
               std::to_string(end.lost_packets) + "," + std::to_string(end.lost_pictures) + "," +
               std::to_string(end.dropped_pictures) + " " + end.error + end.notes;
    }

   private:
    std::string& text_;
  };

  std::mutex mutex_;
  std::map<std::string, std::string> texts_;
};

std::string name_of(int rank, int stream) {
  return std::to_string(rank) + "-" + std::to_string(stream);
}

void write_stream(FeatureOutput& output, const std::string& name, std::int64_t rows) {
  const std::unique_ptr<StreamOutput> stream = output.begin(name);
  for (std::int64_t i = 0; i < rows; ++i) {
    FeatureRow row{.frame = i};
    row.features.bytes = 3 * i;
    stream->add(row);
  }
  stream->add_fault({.message = "a fault",
                     .nal_unit = rows + 1,
                     .byte = rows + 2,
                     .picture = rows + 3,
                     .is_unsupported = rows % 2 == 0,
                     .has_primary_pictures = rows % 2 == 1});
  stream->end({.error = rows % 2 == 0 ? "an error" : "",
               .frames = rows,
               .faults = rows + 4,
               .lost_packets = rows + 5,
               .lost_pictures = rows + 6,
               .dropped_pictures = rows + 7,
               .notes = ", notes"});
}

// Writes `streams` streams of a rank side by side, the longest one in several messages.
StreamTotals write_streams(FeatureOutput& output, int rank, int streams) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < streams; ++i) {
    threads.emplace_back([&, i] { write_stream(output, name_of(rank, i), i == 0 ? 400 : i); });
  }
  return {.streams = streams, .frames = 10, .bytes = 100};
}

TEST(RankOutput, RanksWriteWhatOneProcessWrites) {
  constexpr int kRanks = 3;
  constexpr int kStreams = 5;
  TextsOutput expected;
  for (int rank = 0; rank < kRanks; ++rank) write_streams(expected, rank, kStreams);
  run_ranks(kRanks, [&](Communicator& communicator) {
    const int rank = communicator.rank();
    if (rank > 0) {
      RankOutput output(communicator, /*has_errors=*/true);
      EXPECT_TRUE(output.has_errors());
      output.finish(write_streams(output, rank, kStreams));
      return;
    }
    TextsOutput written;
    RankInput input(written);
    StreamTotals totals;
    receive_beside(
        communicator,
        [&](const std::stop_token&) { totals = write_streams(written, rank, kStreams); },
        [&](std::span<const std::byte> message) { input.take(message); });
    totals += input.totals();
    EXPECT_EQ(written.texts(), expected.texts());
    EXPECT_EQ(totals.streams, kRanks * kStreams);
    EXPECT_EQ(totals.frames, kRanks * 10);
    EXPECT_EQ(totals.bytes, kRanks * 100);
  });
}

TEST(RankInput, AStreamThatIsNotBegunHasFailedAlone) {
  run_ranks(2, [&](Communicator& communicator) {
    if (communicator.rank() > 0) {
      RankOutput output(communicator, /*has_errors=*/false);
      for (int i = 0; i < 4; ++i) write_stream(output, name_of(1, i), i);
      output.finish({.streams = 2, .failed = 2});
      return;
    }
    TextsOutput written;
    written.rejected = name_of(1, 3);  // A stream without an error.
    RankInput input(written);
    ResultReader reader(communicator);
    while (const auto message = reader.next()) input.take(*message);
    EXPECT_EQ(written.texts().size(), 3U);
    EXPECT_EQ(input.totals().streams, 1);
    EXPECT_EQ(input.totals().failed, 3);
  });
}

// Rank 0 takes no more when it cannot write, for example.
TEST(RankOutput, ARankEndsOnceRank0TakesNoMore) {
  run_ranks(2, [&](Communicator& communicator) {
    if (communicator.rank() == 0) {
      ResultReader reader(communicator);
      ASSERT_TRUE(reader.next(1));
      reader.discard();
      return;
    }
    RankOutput output(communicator, /*has_errors=*/false);
    try {
      for (int i = 0; i < 1000; ++i) write_stream(output, name_of(1, i), 1);
      FAIL() << "wrote all";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    }
  });
}

TEST(RankInput, RejectsAMessageThatIsCutOff) {
  TextsOutput output;
  RankInput input(output);
  const std::byte message[5] = {};
  try {
    input.take(message);
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_THAT(error.what(), testing::HasSubstr("run the same program on all ranks"));
  }
}

}  // namespace
}  // namespace millrace::tools
