// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/slice_input_maker.h>
#include <millrace/algorithms/h264/features/measured_picture_maker.h>
#include <millrace/algorithms/h264/features/picture_order_step.h>
#include <millrace/algorithms/h264/features/tasks/feature_run.h>
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/features/tasks/kept_memory.h>
#include <millrace/algorithms/h264/features/tasks/pending_picture.h>
#include <millrace/algorithms/h264/features/tasks/scaling_pool.h>
#include <millrace/algorithms/h264/features/tasks/stream_references.h>
#include <millrace/algorithms/h264/stream/frame_store.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/seconds_since.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace millrace::h264 {
namespace {

using Clock = std::chrono::steady_clock;

// NAL units and losses of a stream, in order.
class UnitLog {
 public:
  void add(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) {
    entries_.push_back({bytes_.size(), unit.size(), byte, framing_bytes, false});
    bytes_.insert(bytes_.end(), unit.begin(), unit.end());
  }
  void add_loss(int count) { entries_.push_back({bytes_.size(), 0, 0, count, true}); }

  // Pushes the next `count` entries to the parser.
  void replay(StreamParser& parser, std::size_t count) {
    for (const std::size_t end = replayed_ + count; replayed_ < end; ++replayed_) {
      const Entry& entry = entries_[replayed_];
      if (entry.is_loss) {
        parser.note_loss(entry.framing_bytes);
      } else {
        parser.push_nal_unit({bytes_.data() + entry.first, entry.size}, entry.byte,
                             entry.framing_bytes);
      }
    }
  }
  // Returns the number of entries that are not replayed.
  std::size_t left() const { return entries_.size() - replayed_; }

  // Removes what has been replayed; the rest moves, so this is for many entries at once.
  void remove_replayed() {
    const std::size_t end = left() > 0 ? entries_[replayed_].first : bytes_.size();
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(end));
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(replayed_));
    for (Entry& entry : entries_) entry.first -= end;
    replayed_ = 0;
  }

 private:
  struct Entry {
    std::size_t first;
    std::size_t size;
    std::int64_t byte;
    int framing_bytes;  // Of a loss: the count.
    bool is_loss;
  };

  std::vector<Entry> entries_;
  std::vector<std::uint8_t> bytes_;
  std::size_t replayed_ = 0;  // Entries.
};

// A picture that has ended, and the entries of the log up to its end.
struct EndedPicture {
  PendingPicture picture;
  std::size_t units = 0;  // Counted from the stream's beginning.
};

}  // namespace

class FeatureStreams::State {
 public:
  State(Queue& queue, const FeatureStreamsOptions& options)
      : options_(options),
        device_bytes_(options.device_bytes > 0 ? options.device_bytes
                                               : queue.device().info().memory_bytes / 16),
        queue_(queue),
        run_(queue) {}

  void add(Stream& stream) {
    const std::lock_guard lock(mutex_);
    streams_.push_back(&stream);
  }
  void remove(const Stream& stream) {
    const std::lock_guard lock(mutex_);
    streams_.erase(std::find(streams_.begin(), streams_.end(), &stream));
  }
  FeatureStreamsReport run();
  bool wants_samples() const { return options_.samples != StreamSamples::kNone; }
  ScalingPool& scalings() { return scalings_; }
  bool gives_samples() const { return options_.samples == StreamSamples::kGiven; }

  // Copies macroblocks of a damaged stream; several threads may call it.
  void download(const DevicePicture& picture, std::span<Macroblock> macroblocks) {
    const std::lock_guard lock(mutex_);
    run_.download(picture, macroblocks);
  }

 private:
  // The pictures of one stream in a run.
  struct Part {
    Stream* stream;
    std::size_t first;  // Among the pictures of the run.
    std::size_t count;
  };

  std::vector<Part> choose_parts() const;
  bool run_some(FeatureStreamsReport& report);

  static constexpr std::size_t kPiece = 64;  // Number of streams that a thread examines at a time.

  const FeatureStreamsOptions options_;
  const std::size_t device_bytes_;
  Queue& queue_;
  FeatureRun run_;
  ScalingPool scalings_;
  std::mutex mutex_;
  std::vector<Stream*> streams_;
};

// Two parsers see the stream. The first one parses headers alone, as NAL units arrive, and collects
// what the device needs. Once the device has parsed a picture's slices, the second one parses the
// headers again, takes the slices as they ended, and so finds what a parser on one thread finds.
class FeatureStreams::Stream final : public FeatureStream {
 public:
  Stream(State& state, FeatureSink& sink)
      : state_(state),
        sink_(sink),
        collector_(*this),
        reporter_(*this),
        first_(collector_, options_of([this](ParsedPicture& picture, int slice, auto... data) {
                 return collect(picture, slice, data...);
               })),
        second_(reporter_,
                options_of([this](ParsedPicture& picture, int, auto, std::size_t first_bit) {
                  return take(picture, first_bit);
                })) {
    state_.add(*this);
  }
  ~Stream() override { state_.remove(*this); }

  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte,
                     int framing_bytes) override {
    // An end of a sequence or stream (nal_unit_type 10 and 11) is of the picture that it ends.
    const int type = unit.empty() ? 0 : unit[0] & 31;
    ends_own_picture_ = type == 10 || type == 11;
    first_.push_nal_unit(unit, byte, framing_bytes);
    ends_own_picture_ = false;
    log_.add(unit, byte, framing_bytes);
    ++pushed_;
  }
  void note_loss(int count) override {
    log_.add_loss(count);
    ++pushed_;
  }
  void finish() override {
    if (std::exchange(has_finished_, true)) return;
    first_.finish();
  }

  std::size_t pending_slices() const override {
    return std::accumulate(ended_.begin(), ended_.end(), std::size_t{0},
                           [](std::size_t sum, const EndedPicture& ended) {
                             return sum + ended.picture.slices.size();
                           });
  }
  std::size_t pending_bytes() const override {
    return std::accumulate(ended_.begin(), ended_.end(), std::size_t{0},
                           [](std::size_t sum, const EndedPicture& ended) {
                             return sum + ended.picture.payloads.size();
                           });
  }

  // The pictures that wait for a run, or the first ones of them.
  struct Waiting {
    std::size_t count = 0;
    std::size_t bytes = 0;  // Of the device.
  };
  Waiting waiting() const {
    Waiting all;
    for (const EndedPicture& ended : ended_) {
      ++all.count;
      all.bytes += ended.picture.summary.bytes;
    }
    return all;
  }
  // Returns those that fit in `bytes`; with `takes_one` the first one in any case.
  Waiting waiting_within(std::size_t bytes, bool takes_one) const {
    Waiting some;
    for (const EndedPicture& ended : ended_) {
      const std::size_t next = some.bytes + ended.picture.summary.bytes;
      if (next > bytes && !(takes_one && some.count == 0)) break;
      ++some.count;
      some.bytes = next;
    }
    return some;
  }

  // Adds the first pictures to a run.
  void add_to(std::span<PendingPicture*> pictures) {
    for (std::size_t k = 0; k < pictures.size(); ++k) {
      PendingPicture& picture = ended_[k].picture;
      picture.are_samples_kept = samples_.has(picture.samples);
      pictures[k] = &picture;
    }
  }

  // Reports the first `count` pictures, whose results are those of the run from `first` on.
  void report(const FeatureRun& run, std::size_t first, std::size_t count) {
    run_ = &run;
    for (std::size_t k = 0; k < count; ++k) {
      begin(first + k, ended_[k].picture);
      log_.replay(second_, ended_[k].units - replayed_);
      replayed_ = ended_[k].units;
      second_.end_picture();
    }
    log_.remove_replayed();
    keep_memory(ended_.front().picture);
    ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(count));
    // The picture that is being collected may have older ones.
    if (ended_.empty() && collected_.slices.empty() && scalings_.size() > 1) {
      scalings_.erase(scalings_.begin(), scalings_.end() - 1);
    }
  }
  // Reports what is left of a stream that has finished, once.
  void finish_report() {
    if (!has_finished_ || !ended_.empty() || std::exchange(is_finished_reported_, true)) return;
    log_.replay(second_, log_.left());
    log_.remove_replayed();
    second_.finish();
  }

  // Moves what later pictures may read out of the memory of runs before the oldest ones.
  void move_out(Queue& queue, std::uint64_t oldest, std::uint64_t oldest_samples) {
    for (auto& [id, picture] : kept_) h264::move_out(queue, picture->macroblocks, oldest);
    samples_.move_out(queue, oldest_samples);
  }

 private:
  // Takes what the first parser finds.
  class Collector final : public PictureSink {
   public:
    explicit Collector(Stream& stream) : stream_(stream) {}
    void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
      stream_.end_collected(*picture);
    }
    void release(std::int64_t picture) override {
      stream_.kept_.erase(picture);
      stream_.samples_.release(picture);
    }
    void fault(const StreamFault& fault) override { static_cast<void>(fault); }

   private:
    Stream& stream_;
  };

  // Takes what the second parser finds.
  class Reporter final : public PictureSink {
   public:
    explicit Reporter(Stream& stream) : stream_(stream) {}
    void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
      if (picture->is_inferred) {
        extractor.skip(*picture);
      } else {
        stream_.sink_.add(extractor.measure(*picture, *stream_.result_.sums, stream_.result_.rows));
      }
      if (stream_.state_.gives_samples()) store(*picture);
    }
    void output(std::int64_t picture) override {
      const DecodedFrame frame = frames_.frame(picture);
      if (frame.samples != nullptr) stream_.sink_.frame(frame);
    }
    void release(std::int64_t picture) override {
      extractor.release(picture);
      frames_.release(picture);
      stream_.sink_.release(picture);
    }
    void fault(const StreamFault& fault) override { stream_.sink_.fault(fault); }

    FrameFeatureExtractor extractor;

   private:
    // Stores the samples of a picture until it is output.
    void store(const ParsedPicture& picture) {
      StoredFrame frame;
      frame.sequence = picture.sequence;
      frame.samples = frames_.take_samples(*picture.sequence);
      const SamplePicture* const before = frames_.find(picture.id - 1);
      if (!picture.is_inferred) {
        frame.concealed_macroblocks = picture.lost_macroblocks;
        stream_.copy_samples(*frame.samples);
      } else if (before != nullptr && before->width(0) == frame.samples->width(0) &&
                 before->height(0) == frame.samples->height(0)) {
        *frame.samples = *before;
      } else {
        frame.samples->fill(128);
      }
      frames_.store(picture.id, std::move(frame));
    }

    FrameStore frames_;
    Stream& stream_;
  };

  template <class ParseSlice>
  static ParserOptions options_of(const ParseSlice& parse_slice) {
    ParserOptions options;
    options.wants_coefficients = false;
    options.wants_macroblocks = false;
    options.parse_slice = parse_slice;
    return options;
  }

  // Collects a slice.
  SliceEnd collect(ParsedPicture& picture, int index, std::span<const std::uint8_t> payload,
                   std::size_t first_bit) {
    if (index == 0) begin_collected(picture);
    const Slice& slice = picture.slices[static_cast<std::size_t>(index)];
    thread_local SliceInputMaker maker;
    const SliceInputMaker::Input input = maker.make(picture, index, payload, first_bit);
    PendingSlice& pending = collected_.slices.emplace_back();
    pending.slice = input.slice;
    pending.slice.first_bit = first_bit;
    pending.slice.parameters.type = slice.header.type;
    pending.damage = input.damage;
    pending.scaling = scaling_of(picture.picture_parameters[static_cast<std::size_t>(index)]);
    for (int list = 0; list < 2; ++list) {
      pending.reference_counts[list] = static_cast<std::int32_t>(slice.references[list].size());
    }
    pending.references = collected_.references.size();
    append_references(picture, slice, step_, collected_.references);
    if (input.damage == nullptr) {
      pending.payload = collected_.payloads.size();
      collected_.payloads.insert(collected_.payloads.end(), payload.begin(), payload.end());
      pending.colocated_references = collected_.colocated_references.size();
      const ColocatedReferences* const references = input.slice.parameters.colocated_references;
      collected_.colocated_references.insert(collected_.colocated_references.end(), references,
                                             references + input.slice.parameters.colocated_slices);
      if (input.colocated != nullptr) pending.colocated = find_kept(input.colocated->id);
    }
    return {picture.sequence->macroblock_count(), nullptr, first_bit, 0};
  }

  void begin_collected(const ParsedPicture& picture) {
    step_ = order_step_.follow(picture);
    collected_ = std::exchange(spare_, {});
    collected_.device = std::make_shared<DevicePicture>();
    collected_.width = picture.sequence->width_in_macroblocks;
    collected_.height = picture.sequence->height_in_macroblocks;
    collected_.is_kept = picture.is_reference;
    if (collected_.is_kept) kept_[picture.id] = collected_.device;
  }

  // Keeps the arrays of a picture that has been reported for the next one.
  void keep_memory(PendingPicture& picture) {
    spare_.slices = std::move(picture.slices);
    spare_.payloads = std::move(picture.payloads);
    spare_.colocated_references = std::move(picture.colocated_references);
    spare_.references = std::move(picture.references);
    spare_.slices.clear();
    spare_.payloads.clear();
    spare_.colocated_references.clear();
    spare_.references.clear();
  }

  // The current NAL unit ends the picture; most often it is the first one of the next picture.
  void end_collected(const ParsedPicture& picture) {
    if (state_.wants_samples()) samples_.add(picture, collected_);
    if (picture.is_inferred) return;
    FeatureRun::summarise(collected_);
    ended_.push_back({std::move(collected_), pushed_ + (ends_own_picture_ ? 1 : 0)});
  }

  // Copies the samples of the picture that is reported.
  void copy_samples(SamplePicture& samples) const {
    const std::uint8_t* from = run_->samples().samples(*picture_->samples).data();
    for (int plane = 0; plane < 3; ++plane) {
      const auto size = static_cast<std::size_t>(samples.width(plane)) *
                        static_cast<std::size_t>(samples.height(plane));
      std::copy_n(from, size, samples.plane(plane));
      from += size;
    }
  }

  // Returns the pool's copy of the scaling lists, which this stream keeps for its slices.
  const ScalingLists* scaling_of(const std::shared_ptr<const PictureParameters>& parameters) {
    if (parameters != scaled_parameters_) {
      std::shared_ptr<const ScalingLists> lists = state_.scalings().share(parameters->scaling);
      const auto known = std::find(scalings_.begin(), scalings_.end(), lists);
      if (known == scalings_.end()) {
        scalings_.push_back(std::move(lists));
      } else {
        std::iter_swap(known, scalings_.end() - 1);
      }
      scaled_parameters_ = parameters;
    }
    return scalings_.back().get();
  }

  std::shared_ptr<const DevicePicture> find_kept(std::int64_t picture) const {
    const auto found = kept_.find(picture);
    return found == kept_.end() ? nullptr : found->second;
  }

  void begin(std::size_t index, const PendingPicture& picture) {
    result_ = run_->result(index);
    picture_ = &picture;
    next_slice_ = 0;
  }

  // Returns how the device parsed the next slice.
  SliceEnd take(ParsedPicture& picture, std::size_t first_bit) {
    const PendingSlice& pending = picture_->slices[next_slice_];
    const ParsedSliceEnd& parsed = result_.ends[next_slice_];
    ++next_slice_;
    SliceEnd end = {0, pending.damage, first_bit, 0};
    if (pending.damage == nullptr) {
      end = {parsed.macroblocks, parsed.damage[0] == 0 ? nullptr : parsed.damage,
             static_cast<std::size_t>(parsed.bit), static_cast<std::size_t>(parsed.coefficients)};
    }
    const bool is_last = next_slice_ == picture_->slices.size();
    if (is_last && reporter_.extractor.needs_macroblocks(picture, *result_.sums)) {
      picture.macroblocks.resize(picture_->macroblocks());
      state_.download(*picture_->device, picture.macroblocks);
    }
    return end;
  }

  State& state_;
  FeatureSink& sink_;
  Collector collector_;
  Reporter reporter_;
  PictureOrderStep order_step_;
  int step_ = 2;  // Of the current picture of the first parser.
  UnitLog log_;
  std::size_t pushed_ = 0;    // Entries of the log, counted from the stream's beginning.
  std::size_t replayed_ = 0;  // Those that the second parser has.
  PendingPicture collected_;  // The current picture of the first parser.
  PendingPicture spare_;      // Empty arrays.
  std::vector<EndedPicture> ended_;
  std::map<std::int64_t, std::shared_ptr<DevicePicture>> kept_;  // By ParsedPicture::id.
  StreamReferences samples_;
  std::vector<std::shared_ptr<const ScalingLists>> scalings_;   // Those of slices that wait.
  std::shared_ptr<const PictureParameters> scaled_parameters_;  // Those of scalings_.back().
  bool ends_own_picture_ = false;
  bool has_finished_ = false;
  bool is_finished_reported_ = false;
  // The picture that is reported.
  const FeatureRun* run_ = nullptr;
  const PendingPicture* picture_ = nullptr;
  FeatureRun::Result result_;
  std::size_t next_slice_ = 0;
  StreamParser first_;
  StreamParser second_;
};

FeatureStreamsReport FeatureStreams::State::run() {
  FeatureStreamsReport report;
  while (run_some(report)) {
  }
  HostThreads::shared().for_each_in_pieces(streams_.size(), kPiece,
                                           [this](std::size_t k) { streams_[k]->finish_report(); });
  return report;
}

// Returns the streams whose pictures the next run has: as many as fit.
std::vector<FeatureStreams::State::Part> FeatureStreams::State::choose_parts() const {
  std::vector<Stream::Waiting> waiting(streams_.size());
  HostThreads::shared().for_each_in_pieces(
      streams_.size(), kPiece, [&](std::size_t k) { waiting[k] = streams_[k]->waiting(); });
  std::vector<Part> parts;
  std::size_t pictures = 0;
  std::size_t bytes_left = device_bytes_;
  for (std::size_t k = 0; k < streams_.size() && bytes_left > 0; ++k) {
    Stream::Waiting taken = waiting[k];
    if (taken.bytes > bytes_left) {
      taken = streams_[k]->waiting_within(bytes_left, /*takes_one=*/pictures == 0);
    }
    if (taken.count == 0) continue;
    parts.push_back({streams_[k], pictures, taken.count});
    pictures += taken.count;
    bytes_left -= std::min(taken.bytes, bytes_left);
  }
  return parts;
}

// Runs as many pictures as fit. Returns false if there are none.
bool FeatureStreams::State::run_some(FeatureStreamsReport& report) {
  const std::vector<Part> parts = choose_parts();
  std::vector<PendingPicture*> pictures(parts.empty() ? 0
                                                      : parts.back().first + parts.back().count);
  HostThreads::shared().for_each_in_pieces(parts.size(), kPiece, [&](std::size_t k) {
    parts[k].stream->add_to(std::span(pictures).subspan(parts[k].first, parts[k].count));
  });
  if (pictures.empty()) return false;
  // Bounds the memory of earlier runs that B slices may read.
  const std::uint64_t oldest = run_.oldest_within(2 * device_bytes_);
  const std::uint64_t oldest_samples = run_.samples().oldest_within(2 * device_bytes_);
  if (oldest > run_.oldest() || oldest_samples > run_.samples().oldest()) {
    for (Stream* const stream : streams_) stream->move_out(queue_, oldest, oldest_samples);
  }
  const FeatureRunReport run = run_.run(pictures, {.pictures_a_warp = options_.pictures_a_warp,
                                                   .samples = options_.samples,
                                                   .picture_tasks = options_.picture_tasks,
                                                   .run = options_.run});
  report.writing_seconds += run.writing_seconds;
  report.device_seconds += run.device_seconds;
  report.task_seconds += run.tasks.seconds;
  report.sample_seconds += run.reconstruction.seconds;
  ++report.runs;
  report.pictures += static_cast<std::int64_t>(pictures.size());
  report.slices += static_cast<std::int64_t>(run.slices);
  report.payload_bytes += static_cast<std::int64_t>(run.payload_bytes);
  report.macroblocks += static_cast<std::int64_t>(run.macroblocks);
  const Clock::time_point start = Clock::now();
  HostThreads::shared().for_each(parts.size(), [&](std::size_t k) {
    parts[k].stream->report(run_, parts[k].first, parts[k].count);
  });
  report.reporting_seconds += seconds_since(start);
  // The next run begins with another stream, so that none waits for ever.
  std::rotate(streams_.begin(), streams_.begin() + 1, streams_.end());
  return true;
}

FeatureStreamsReport& FeatureStreamsReport::operator+=(const FeatureStreamsReport& other) {
  runs += other.runs;
  pictures += other.pictures;
  slices += other.slices;
  payload_bytes += other.payload_bytes;
  macroblocks += other.macroblocks;
  writing_seconds += other.writing_seconds;
  device_seconds += other.device_seconds;
  task_seconds += other.task_seconds;
  sample_seconds += other.sample_seconds;
  reporting_seconds += other.reporting_seconds;
  return *this;
}

FeatureStreams::FeatureStreams(Queue& queue, const FeatureStreamsOptions& options)
    : state_(std::make_unique<State>(queue, options)) {}

FeatureStreams::~FeatureStreams() = default;

std::unique_ptr<FeatureStream> FeatureStreams::open(FeatureSink& sink) {
  return std::make_unique<Stream>(*state_, sink);
}

FeatureStreamsReport FeatureStreams::run() { return state_->run(); }

}  // namespace millrace::h264
