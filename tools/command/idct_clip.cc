#include <millrace/tools/command/idct_clip.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <millrace/runtime/agreement.h>
#include <millrace/runtime/collectives.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/result_stream.h>
#include <millrace/runtime/timeline.h>
#include <millrace/tools/command/clip_options.h>
#include <millrace/tools/command/clip_ranks.h>
#include <millrace/tools/command/picture_bands.h>
#include <millrace/tools/command/picture_coder.h>
#include <millrace/tools/command/progress.h>

namespace millrace::tools {
namespace {

// One rank's rows of a clip.
class Band {
 public:
  Band(const IdctClipOptions& options, std::vector<DeviceGroup> groups, const VideoReader& reader,
       const PictureBand& rows)
      : rows_(rows), contest_(std::move(groups), options.policies) {
    if (rows.rows == 0) return;
    coder_.emplace(reader.width(), rows.rows, options.qp);
    reconstruction_.resize(reader.width(), rows.rows);
  }

  const PictureBand& rows() const { return rows_; }
  const std::vector<IdctRun>& runs() const { return contest_.runs(); }

  // Of luma.
  idct::CodingStatistics statistics() const {
    return coder_ ? coder_->plane(0).statistics : idct::CodingStatistics();
  }

  // Good until the next frame.
  const Picture& reconstruction() const { return reconstruction_; }

  void code(const Picture& source) {
    if (!coder_) return;
    if (has_coded_) coder_->accept(reconstruction_);
    has_coded_ = true;
    {
      const TimelineScope scope("host code", "frame");
      cut_band(source, rows_, source_);
      coder_->code(source_);
    }
    const Picture& prediction = coder_->prediction();
    contest_.reconstruct(coder_->plane(0), padded_plane(prediction, 0),
                         padded_plane(reconstruction_, 0));
    for (const int chroma : {1, 2}) {
      contest_.reconstruct_untimed(coder_->plane(chroma), padded_plane(prediction, chroma),
                                   padded_plane(reconstruction_, chroma));
    }
  }

 private:
  const PictureBand rows_;
  IdctContest contest_;
  std::optional<PictureCoder> coder_;
  bool has_coded_ = false;
  Picture source_;
  Picture reconstruction_;
};

// What a rank sends of a frame: its statistics, then the samples of its band.
std::vector<std::byte> packed(const Band& band) {
  const idct::CodingStatistics statistics = band.statistics();
  std::vector<std::byte> bytes(sizeof statistics);
  std::memcpy(bytes.data(), &statistics, sizeof statistics);
  if (band.rows().rows > 0) append_samples(band.reconstruction(), bytes);
  return bytes;
}

// The frames as wholes, on rank 0.
class Frames {
 public:
  Frames(const VideoReader& reader, const TakeFrame& take, IdctClipResult& result)
      : take_(take),
        result_(result),
        prediction_(grey(reader)),
        reconstruction_(reader.width(), reader.height()) {}

  void put(const Band& band) {
    statistics_ += band.statistics();
    if (band.rows().rows == 0) return;
    samples_.clear();
    append_samples(band.reconstruction(), samples_);
    put_samples(samples_, band.rows(), reconstruction_);
  }

  void put(const std::vector<std::byte>& bytes, const PictureBand& rows) {
    idct::CodingStatistics statistics;
    if (bytes.size() < sizeof statistics) {
      throw Error(ErrorCode::kInternal, "a rank's frame is of too few bytes");
    }
    std::memcpy(&statistics, bytes.data(), sizeof statistics);
    statistics_ += statistics;
    if (rows.rows == 0) return;
    put_samples(std::span(bytes).subspan(sizeof statistics), rows, reconstruction_);
  }

  // Once all bands are there.
  void finish(const Picture& source) {
    const TimelineScope scope("host measure and write", "frame");
    const PictureFeatures features =
        measure_features(source, prediction_, reconstruction_, statistics_);
    take_(features, reconstruction_);
    ++result_.frames;
    result_.squared_error += features.mean_squared_error;
    result_.luma += statistics_;
    statistics_ = {};
    std::swap(prediction_, reconstruction_);
  }

 private:
  static Picture grey(const VideoReader& reader) {
    Picture picture(reader.width(), reader.height());
    return PictureCoder::first_prediction(std::move(picture));
  }

  const TakeFrame& take_;
  IdctClipResult& result_;
  idct::CodingStatistics statistics_;
  Picture prediction_;
  Picture reconstruction_;
  std::vector<std::byte> samples_;
};

void send_bands(Communicator& communicator, VideoReader& reader, ClipFrames& frames, Band& band) {
  ResultWriter results(communicator);
  Picture source;
  while (frames.next([&] { return reader.next(source); })) {
    band.code(source);
    if (!results.write(packed(band))) break;
  }
  results.close();
}

void join_bands(Communicator& communicator, const IdctClipOptions& options, VideoReader& reader,
                ClipFrames& read, const TakeFrame& take, Band& band, IdctClipResult& result) {
  Progress progress(expected_frames(reader, options.frames));
  ResultReader results(communicator);
  Frames frames(reader, take, result);
  Picture source;
  while (read.next([&] { return reader.next(source); })) {
    band.code(source);
    frames.put(band);
    for (int rank = 1; rank < communicator.size(); ++rank) {
      const auto bytes = results.next(rank);
      // It has ended, failed or been interrupted, of which all will hear.
      if (!bytes) return;
      frames.put(*bytes, band_of(reader.height(), rank, communicator.size()));
    }
    frames.finish(source);
    progress.advance();
  }
}

struct RankPart {
  std::uint64_t macroblocks = 0;
  double seconds = 0;
  double copy_bytes_per_second = 0;
  Policy ran = Policy::kAuto;
};

// Collective. Ranks without rows count for nothing. Of ranks that share a device the sums are
// rough: they copied at about the same time, and reconstruct each at its own, so that their
// fraction of copy may be too large by up to their number. Names do not tell: launchers may show
// every rank another GPU as cuda:0.
std::vector<IdctRun> sum_runs(Communicator& communicator, std::vector<IdctRun> runs) {
  for (IdctRun& run : runs) {
    const RankPart mine{run.macroblocks, run.seconds, run.copy_bytes_per_second, run.ran};
    run.macroblocks = 0;
    run.seconds = 0;
    run.copy_bytes_per_second = 0;
    for (const RankPart& rank : all_gather(communicator, mine)) {
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
  std::optional<Band> band;
  together(communicator, [&] {
    band.emplace(options, std::move(groups), reader,
                 band_of(reader.height(), communicator.rank(), communicator.size()));
  });
  ClipFrames frames(options.frames, interrupt);
  together(communicator, [&] {
    if (communicator.rank() > 0) {
      send_bands(communicator, reader, frames, *band);
    } else {
      join_bands(communicator, options, reader, frames, take, *band, result);
    }
  });
  result.signal = frames.agree(communicator, options.path);
  result.runs = sum_runs(communicator, band->runs());
  return result;
}

}  // namespace millrace::tools
