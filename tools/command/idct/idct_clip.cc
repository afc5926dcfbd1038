// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/result_stream.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/clip/clip_frames.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/command/idct/idct_clip.h>
#include <millrace/tools/command/idct/picture/picture_band.h>
#include <millrace/tools/command/idct/picture/picture_coder.h>
#include <millrace/tools/command/idct/read_ahead.h>

#include <algorithm>
#include <cstring>
#include <future>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// Codes and transforms the rows of a clip that a rank has.
class BandCoder {
 public:
  BandCoder(const IdctClipOptions& options, std::vector<DeviceGroup> groups,
            const VideoReader& reader, const PictureBand& rows)
      : rows_(rows), contest_(std::move(groups), options.policies) {
    if (rows.rows == 0) return;
    coder_.emplace(reader.width(), rows.rows, options.qp);
    before_.resize(reader.width(), rows.rows);
  }

  const PictureBand& rows() const { return rows_; }
  const std::vector<IdctRun>& runs() const { return contest_.runs(); }

  // Returns the statistics of luma.
  idct::CodingStatistics statistics() const {
    return coder_ ? coder_->plane(0).statistics : idct::CodingStatistics();
  }

  // Returns the last frame that was reconstructed, and the one before it, which predicted it. Both
  // are valid until the next reconstruct().
  const Picture& reconstruction() const { return coder_->prediction(); }
  const Picture& prediction() const { return before_; }

  // Starts to code a frame, which must outlive end_coding().
  void begin_coding(const Picture& source) {
    if (!coder_) return;
    const bool is_whole = rows_.rows == source.height();
    if (!is_whole) cut_band(source, rows_, source_);
    coder_->begin(is_whole ? source : source_);
  }

  // Codes rows of macroblocks until none is left. May be called by several threads at a time.
  void code_rows() {
    if (coder_) coder_->code_rows();
  }

  // Must follow when all calls of code_rows() have returned.
  void end_coding() {
    if (coder_) coder_->end();
  }

  // Transforms the coded frame. On a CPU it uses all cores, and rates are measured: no other
  // part of the run may be active meanwhile.
  void reconstruct() {
    if (!coder_) return;
    const Picture& prediction = coder_->prediction();
    for (const int chroma : {1, 2}) {
      contest_.reconstruct_untimed(coder_->plane(chroma), padded_plane(prediction, chroma),
                                   padded_plane(before_, chroma));
    }
    contest_.reconstruct(coder_->plane(0), padded_plane(prediction, 0), padded_plane(before_, 0));
    coder_->accept(before_);
  }

 private:
  const PictureBand rows_;
  IdctContest contest_;
  std::optional<PictureCoder> coder_;
  Picture source_;
  Picture before_;
};

// Returns the message of a rank for a frame: its statistics, then the samples of its band.
std::vector<std::byte> packed(const BandCoder& band) {
  const idct::CodingStatistics statistics = band.statistics();
  std::vector<std::byte> bytes(sizeof statistics);
  std::memcpy(bytes.data(), &statistics, sizeof statistics);
  if (band.rows().rows > 0) append_samples(band.reconstruction(), bytes);
  return bytes;
}

// Whole frames, on rank 0.
class Frames {
 public:
  // With one rank, frames are those of its band; those of several ranks are joined here.
  Frames(const VideoReader& reader, bool is_alone, const TakeFrame& take, IdctClipResult& result)
      : take_(take), result_(result), is_alone_(is_alone) {
    if (is_alone) return;
    prediction_.resize(reader.width(), reader.height());
    prediction_ = PictureCoder::first_prediction(std::move(prediction_));
    reconstruction_.resize(reader.width(), reader.height());
  }

  void put(const BandCoder& band) {
    statistics_ += band.statistics();
    if (band.rows().rows == 0 || is_alone_) return;
    samples_.clear();
    append_samples(band.reconstruction(), samples_);
    put_samples(samples_, band.rows(), reconstruction_);
  }

  void put(const std::vector<std::byte>& bytes, const PictureBand& rows) {
    idct::CodingStatistics statistics;
    if (bytes.size() < sizeof statistics) {
      throw Error(ErrorCode::kInternal, "a rank sent a frame of " + std::to_string(bytes.size()) +
                                            " bytes; it has at least " +
                                            std::to_string(sizeof statistics));
    }
    std::memcpy(&statistics, bytes.data(), sizeof statistics);
    statistics_ += statistics;
    if (rows.rows == 0) return;
    put_samples(std::span(bytes).subspan(sizeof statistics), rows, reconstruction_);
  }

  // Measures the frame whose bands were put, and passes it on; `band` is that of rank 0.
  void finish(const Picture& source, const BandCoder& band) {
    const TimelineScope scope("host measure and write", "frame");
    const Picture& prediction = is_alone_ ? band.prediction() : prediction_;
    const Picture& reconstruction = is_alone_ ? band.reconstruction() : reconstruction_;
    const PictureFeatures features =
        measure_features(source, prediction, reconstruction, statistics_);
    take_(features, reconstruction);
    ++result_.frames;
    result_.squared_error += features.mean_squared_error;
    result_.luma += statistics_;
    statistics_ = {};
    std::swap(prediction_, reconstruction_);
  }

 private:
  const TakeFrame& take_;
  IdctClipResult& result_;
  const bool is_alone_;
  idct::CodingStatistics statistics_;
  Picture prediction_;
  Picture reconstruction_;
  std::vector<std::byte> samples_;
};

// The coding of the current frame on all cores, while the next one is decoded and the caller
// finishes the previous one. A thread of its own decodes, and the caller's finishes, because either
// may wait for a pipe, which the host's threads must not; both code when they are done with that.
// There are as many threads as cores, so that decoding, which takes longest, has a core of its own.
class FrameCoding {
 public:
  // Begins. Both arguments outlive this object, whose end waits for the other threads.
  FrameCoding(BandCoder& band, ReadAhead& source) : band_(band), jobs_(HostThreads::shared()) {
    band_.begin_coding(source.current());
    reading_ = std::async([&band, &source] {
      source.read();
      band.code_rows();
    });
    for (int i = 2; i < HostThreads::shared().count(); ++i) {
      jobs_.start([&band] { band.code_rows(); });
    }
  }

  // Codes on the caller's thread, too. Returns when the frame is coded and the next one read.
  void finish() {
    band_.code_rows();
    jobs_.wait();
    reading_.get();
    band_.end_coding();
  }

 private:
  const TimelineScope scope_{"host code", "frame"};
  BandCoder& band_;
  std::future<void> reading_;
  HostJobs jobs_;
};

void send_bands(Communicator& communicator, VideoReader& reader, ClipFrames& frames,
                BandCoder& band) {
  ResultWriter results(communicator);
  ReadAhead source(frames, reader);
  source.read();
  while (source.advance()) {
    FrameCoding(band, source).finish();
    band.reconstruct();
    if (!results.write(packed(band))) break;
  }
  results.close();
}

void join_bands(Communicator& communicator, const IdctClipOptions& options, VideoReader& reader,
                ClipFrames& read, BandCoder& band, Frames& frames) {
  Progress progress(expected_frames(reader, options.frames));
  ResultReader results(communicator);
  ReadAhead source(read, reader);
  source.read();
  const auto finish = [&](const Picture& picture) {
    frames.finish(picture, band);
    progress.advance();
  };
  bool has_previous = false;
  while (source.advance()) {
    {
      FrameCoding coding(band, source);
      if (has_previous) finish(source.previous());
      coding.finish();
    }
    has_previous = false;
    band.reconstruct();
    frames.put(band);
    for (int rank = 1; rank < communicator.size(); ++rank) {
      const auto bytes = results.next(rank);
      // The rank has ended, failed or been interrupted; agree() notifies all ranks.
      if (!bytes) return;
      frames.put(*bytes, band_of(reader.height(), rank, communicator.size()));
    }
    has_previous = true;
  }
  if (has_previous) finish(source.current());
}

struct RankTotals {
  std::uint64_t macroblocks = 0;
  double seconds = 0;
  double copy_bytes_per_second = 0;
  Policy ran = Policy::kAuto;
};

// Collective. Ranks without rows are ignored. The sums of ranks that share a device are rough: they
// copied at about the same time, but reconstruct at different times, so their fraction of copy may
// be too large by a factor of up to their number. Names do not show a shared device: launchers may
// give every rank another GPU as cuda:0.
std::vector<IdctRun> sum_runs(Communicator& communicator, std::vector<IdctRun> runs) {
  for (IdctRun& run : runs) {
    const RankTotals mine{run.macroblocks, run.seconds, run.copy_bytes_per_second, run.ran};
    run.macroblocks = 0;
    run.seconds = 0;
    run.copy_bytes_per_second = 0;
    for (const RankTotals& rank : all_gather(communicator, mine)) {
      if (rank.macroblocks == 0) continue;
      if (run.macroblocks == 0) run.ran = rank.ran;
      run.macroblocks += rank.macroblocks;
      run.seconds = std::max(run.seconds, rank.seconds);
      run.copy_bytes_per_second += rank.copy_bytes_per_second;
    }
  }
  return runs;
}

}  // namespace

IdctClipResult process_clip(Communicator& communicator, const IdctClipOptions& options,
                            std::vector<DeviceGroup> groups, VideoReader& reader,
                            const InterruptGuard& interrupt, const TakeFrame& take) {
  IdctClipResult result;
  std::optional<BandCoder> band;
  together(communicator, [&] {
    band.emplace(options, std::move(groups), reader,
                 band_of(reader.height(), communicator.rank(), communicator.size()));
  });
  ClipFrames frames(options.frames, interrupt);
  together(communicator, [&] {
    if (communicator.rank() > 0) {
      send_bands(communicator, reader, frames, *band);
    } else {
      Frames joined(reader, communicator.size() == 1, take, result);
      join_bands(communicator, options, reader, frames, *band, joined);
    }
  });
  result.signal = frames.agree(communicator, options.path);
  result.runs = sum_runs(communicator, band->runs());
  return result;
}

}  // namespace millrace::tools
