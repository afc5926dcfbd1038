// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/slice_input_maker.h>
#include <millrace/algorithms/h264/features/measured_picture_maker.h>
#include <millrace/algorithms/h264/features/picture_order_step.h>
#include <millrace/algorithms/h264/features/tasks/feature_run.h>
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/features/tasks/kept_memory.h>
#include <millrace/algorithms/h264/features/tasks/pending_picture.h>
#include <millrace/algorithms/h264/features/tasks/picture_reporter.h>
#include <millrace/algorithms/h264/features/tasks/scaling_pool.h>
#include <millrace/algorithms/h264/features/tasks/stream_events.h>
#include <millrace/algorithms/h264/features/tasks/stream_references.h>
#include <millrace/algorithms/h264/prefetch_object.h>
#include <millrace/algorithms/h264/stream/slice_collector.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/timeline/timeline.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace millrace::h264 {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

class FeatureStreams::State {
 public:
  State(Queue& queue, const FeatureStreamsOptions& options)
      : options_(options),
        device_bytes_(options.device_bytes > 0 ? options.device_bytes
                                               : queue.device().info().memory_bytes / 16),
        queue_(queue),
        run_(queue) {}

  void add(Stream& stream);
  void remove(const Stream& stream);
  // Makes run() report what the stream has found besides pictures.
  void add_unreported(Stream& stream) {
    const std::lock_guard lock(mutex_);
    unreported_.push_back(&stream);
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
  struct StreamPictures {
    Stream* stream;
    std::size_t first;  // Among the pictures of the run.
    std::size_t count;
  };

  void choose_pictures();
  bool run_some(FeatureStreamsReport& report);

  static constexpr std::size_t kPiece = 64;  // Number of streams that a thread examines at a time.
  static constexpr std::size_t kAhead = 4;   // Number of streams from one to that which is fetched.

  const FeatureStreamsOptions options_;
  const std::size_t device_bytes_;
  Queue& queue_;
  FeatureRun run_;
  ScalingPool scalings_;
  std::mutex mutex_;
  std::vector<Stream*> streams_;
  std::size_t first_ = 0;            // Index of the stream that the next run begins with.
  std::vector<Stream*> unreported_;  // Those with events that may belong to no picture.
  // Those of the current run.
  std::vector<StreamPictures> chosen_;
  std::vector<PendingPicture*> pictures_;
};

// The parser parses headers alone, as NAL units arrive. The stream collects the bits that the
// device needs, and keeps the rest as events. Once the device has parsed the slices of a picture,
// it reports the events up to there, with the ends of those slices.
class FeatureStreams::Stream final : public FeatureStream,
                                     private PictureSink,
                                     private SliceCollector {
 public:
  Stream(State& state, FeatureSink& sink)
      : state_(state),
        collected_(std::make_unique<PendingPicture>()),
        reporter_(sink, state.gives_samples()),
        sink_(sink),
        parser_(*this,
                {.wants_coefficients = false, .wants_macroblocks = false, .collector = this}) {
    state_.add(*this);
  }
  ~Stream() override { state_.remove(*this); }

  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte,
                     int framing_bytes) override {
    prefetch_object(*this);
    prefetch_object(*collected_);
    if (!spare_.empty()) prefetch_object(*spare_.back());
    if (!spare_devices_.empty()) prefetch_object(*spare_devices_.back());
    if (!kept_.empty()) prefetch_object(kept_.front());
    parser_.push_nal_unit(unit, byte, framing_bytes);
  }
  void note_loss(int count) override { parser_.note_loss(count); }
  void finish() override {
    if (std::exchange(has_finished_, true)) return;
    parser_.finish();
    note_unreported();
  }

  std::size_t pending_slices() const override {
    return std::accumulate(ended_.begin(), ended_.end(), std::size_t{0},
                           [](std::size_t sum, const std::unique_ptr<PendingPicture>& picture) {
                             return sum + picture->slices.size();
                           });
  }
  std::size_t pending_bytes() const override {
    return std::accumulate(ended_.begin(), ended_.end(), std::size_t{0},
                           [](std::size_t sum, const std::unique_ptr<PendingPicture>& picture) {
                             return sum + picture->payloads.size();
                           });
  }

  // Index among the streams of the state.
  std::size_t index() const { return index_; }
  void set_index(std::size_t index) { index_ = index; }
  bool is_unreported() const { return is_unreported_; }

  // The pictures that wait for a run, or the first ones of them.
  struct Waiting {
    std::size_t count = 0;
    std::size_t bytes = 0;  // Bytes of device memory.
  };
  const Waiting& waiting() const { return waiting_; }
  // Returns those that fit in `bytes`; with `takes_one` the first one in any case.
  Waiting waiting_within(std::size_t bytes, bool takes_one) const {
    Waiting some;
    for (const std::unique_ptr<PendingPicture>& picture : ended_) {
      const std::size_t next = some.bytes + picture->summary.bytes;
      if (next > bytes && !(takes_one && some.count == 0)) break;
      ++some.count;
      some.bytes = next;
    }
    return some;
  }

  // Fetches what report() uses.
  void prefetch() const {
    events_.prefetch();
    if (ended_.empty()) return;
    const PendingPicture& picture = *ended_.front();
    prefetch_object(picture);
  }

  // Adds the first pictures to a run.
  void add_to(std::span<PendingPicture*> pictures) {
    for (std::size_t k = 0; k < pictures.size(); ++k) {
      PendingPicture& picture = *ended_[k];
      picture.are_samples_kept = samples_.has(picture.samples);
      pictures[k] = &picture;
    }
  }

  // Reports the first `count` pictures, whose results are those of the run from `first` on.
  void report(const FeatureRun& run, std::size_t first, std::size_t count) {
    replay_events(&run, first, count);
    for (std::size_t k = 0; k < count; ++k) {
      waiting_.bytes -= ended_[k]->summary.bytes;
      recycle(std::move(ended_[k]));
    }
    waiting_.count -= count;
    ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(count));
    if (scalings_.size() > kMostScalings) drop_scalings();
  }
  // Reports the events before the next picture. The pictures that have ended are reported.
  void report_rest() {
    is_unreported_ = false;
    replay_events(nullptr, 0, 0);
  }

  // Moves what later pictures may read out of the memory of runs before the oldest ones.
  void move_out(Queue& queue, std::uint64_t oldest, std::uint64_t oldest_samples) {
    for (auto& [id, picture] : kept_) h264::move_out(queue, picture->macroblocks, oldest);
    samples_.move_out(queue, oldest_samples);
  }

 private:
  // Takes what the parser finds.
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    if (state_.wants_samples()) samples_.add(*picture, *collected_);
    if (picture->is_inferred) return events_.add_inferred(*picture);
    collected_->bytes = picture->bytes;
    collected_->has_recovery_point = picture->has_recovery_point;
    FeatureRun::summarise(*collected_);
    ++waiting_.count;
    waiting_.bytes += collected_->summary.bytes;
    ended_.push_back(std::move(collected_));
    if (spare_.empty()) {
      collected_ = std::make_unique<PendingPicture>();
    } else {
      collected_ = std::move(spare_.back());
      spare_.pop_back();
    }
    events_.add_picture();
  }
  void output(std::int64_t picture) override {
    if (state_.gives_samples()) events_.add_output(picture);
  }
  void release(std::int64_t picture) override {
    const auto kept = std::find_if(kept_.begin(), kept_.end(),
                                   [picture](const auto& entry) { return entry.first == picture; });
    if (kept != kept_.end()) {
      recycle(std::move(kept->second));
      kept_.erase(kept);
    }
    if (state_.wants_samples()) samples_.release(picture);
    events_.add_release(picture);
  }
  void fault(const StreamFault& fault) override {
    events_.add_fault(fault, collected_->slices.size());
    note_unreported();
  }
  void note_unreported() {
    if (!std::exchange(is_unreported_, true)) state_.add_unreported(*this);
  }

  void collect(ParsedPicture& picture, int index, const SliceBits& bits) override {
    if (index == 0) begin_collected(picture);
    const Slice& slice = picture.slices[static_cast<std::size_t>(index)];
    thread_local SliceInputMaker maker;
    const SliceInputMaker::Input input = maker.make(picture, index, bits.payload, bits.first_bit);
    PendingPicture& collected = *collected_;
    PendingSlice& pending = collected.slices.emplace_back();
    pending.slice = input.slice;
    pending.slice.payload_bytes = bits.payload.size();
    pending.slice.first_bit = bits.first_bit;
    pending.slice.parameters.type = slice.header.type;
    pending.damage = input.damage;
    pending.scaling = scaling_of(picture.picture_parameters[static_cast<std::size_t>(index)]);
    pending.nal_unit = bits.nal_unit;
    pending.byte = bits.byte;
    pending.header_bits = slice.header_bits;
    pending.emulation_prevention = collected.emulation_prevention.size();
    append(bits.emulation_prevention, collected.emulation_prevention);
    for (int list = 0; list < 2; ++list) {
      pending.reference_counts[list] = static_cast<std::int32_t>(slice.references[list].size());
    }
    pending.references = collected.references.size();
    append_references(picture, slice, step_, collected.references);
    if (input.damage != nullptr) return;
    pending.payload = collected.payloads.size();
    append(bits.payload, collected.payloads);
    pending.colocated_references = collected.colocated_references.size();
    append(std::span(input.slice.parameters.colocated_references,
                     static_cast<std::size_t>(input.slice.parameters.colocated_slices)),
           collected.colocated_references);
    if (input.colocated != nullptr) pending.colocated = find_kept(input.colocated->id);
  }

  template <class T>
  static void append(std::span<const T> from, std::vector<T>& to) {
    to.insert(to.end(), from.begin(), from.end());
  }

  void begin_collected(const ParsedPicture& picture) {
    step_ = order_step_.follow(picture);
    PendingPicture& collected = *collected_;
    collected.id = picture.id;
    collected.sequence = picture.sequence;
    collected.picture_order = picture.picture_order;
    collected.frame_number = picture.frame_number;
    collected.is_idr = picture.is_idr;
    if (spare_devices_.empty()) {
      collected.device = std::make_shared<DevicePicture>();
    } else {
      collected.device = std::move(spare_devices_.back());
      spare_devices_.pop_back();
    }
    collected.width = picture.sequence->width_in_macroblocks;
    collected.height = picture.sequence->height_in_macroblocks;
    collected.is_kept = picture.is_reference;
    if (collected.is_kept) kept_.emplace_back(picture.id, collected.device);
  }

  // Keeps memory that is no longer needed, for later pictures.
  void recycle(std::unique_ptr<PendingPicture> picture) {
    std::shared_ptr<DevicePicture> device = std::move(picture->device);
    picture->clear();
    recycle(std::move(device));
    if (spare_.size() < kMostSpare) spare_.push_back(std::move(picture));
  }
  void recycle(std::shared_ptr<DevicePicture> device) {
    if (device.use_count() > 1 || spare_devices_.size() >= kMostSpareDevices) return;
    device->macroblocks = {};
    spare_devices_.push_back(std::move(device));
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
      scaling_ = scalings_.back().get();
    }
    return scaling_;
  }

  // Drops the lists of no slice that waits.
  void drop_scalings() {
    const auto is_used = [this](const ScalingLists* lists) {
      const auto has_it = [lists](const std::unique_ptr<PendingPicture>& picture) {
        return std::any_of(picture->slices.begin(), picture->slices.end(),
                           [lists](const PendingSlice& slice) { return slice.scaling == lists; });
      };
      return lists == scaling_ || has_it(collected_) ||
             std::any_of(ended_.begin(), ended_.end(), has_it);
    };
    std::erase_if(scalings_, [&](const auto& lists) { return !is_used(lists.get()); });
  }

  std::shared_ptr<const DevicePicture> find_kept(std::int64_t picture) const {
    const auto found = std::find_if(kept_.begin(), kept_.end(), [picture](const auto& entry) {
      return entry.first == picture;
    });
    return found == kept_.end() ? nullptr : found->second;
  }

  // Gives events to the reporter, with what a run has found of the pictures that have ended.
  class Replay {
   public:
    Replay(Stream& stream, const FeatureRun* run, std::size_t first, std::size_t count)
        : stream_(stream), run_(run), first_(first), count_(count) {}

    bool picture() {
      if (reported_ == count_) return false;
      const PendingPicture& picture = *stream_.ended_[reported_];
      report_slices(picture.slices.size());
      stream_.reporter_.report(picture, result(), run_->samples(),
                               [this](const DevicePicture& from, std::span<Macroblock> to) {
                                 stream_.state_.download(from, to);
                               });
      ++reported_;
      slices_ = 0;
      return true;
    }
    void inferred(const ParsedPicture& picture) { stream_.reporter_.report_inferred(picture); }
    void output(std::int64_t picture) { stream_.reporter_.report_output(picture); }
    void release(std::int64_t picture) { stream_.reporter_.report_release(picture); }
    bool fault(const StreamEvents::Fault& fault) {
      if (fault.slices > slices_) {
        if (reported_ == count_) return false;
        report_slices(fault.slices);
      }
      stream_.sink_.fault(fault.fault);
      return true;
    }

   private:
    FeatureRun::Result result() const { return run_->result(first_ + reported_); }
    // Reports the slices of the next picture up to `end`.
    void report_slices(std::size_t end) {
      stream_.reporter_.report_slices(*stream_.ended_[reported_], result(), slices_, end);
      slices_ = end;
    }

    Stream& stream_;
    const FeatureRun* const run_;  // Null: there are no pictures.
    const std::size_t first_;      // The result of the first picture.
    const std::size_t count_;      // The number of pictures.
    std::size_t reported_ = 0;     // Pictures,
    std::size_t slices_ = 0;       // and slices of the next one.
  };
  void replay_events(const FeatureRun* run, std::size_t first, std::size_t count) {
    events_.replay(Replay(*this, run, first, count));
  }

  // A stream that waited long has no more memory afterwards than others.
  static constexpr std::size_t kMostSpare = 4;
  static constexpr std::size_t kMostSpareDevices = 20;
  static constexpr std::size_t kMostScalings = 8;  // Beyond it, unused ones are dropped.

  State& state_;
  std::size_t index_ = 0;
  Waiting waiting_;
  std::vector<std::unique_ptr<PendingPicture>> ended_;
  std::unique_ptr<PendingPicture> collected_;  // The parser's current picture.
  StreamEvents events_;
  // Keyed by ParsedPicture::id.
  std::vector<std::pair<std::int64_t, std::shared_ptr<DevicePicture>>> kept_;
  // Without slices, and without memory of the device.
  std::vector<std::unique_ptr<PendingPicture>> spare_;
  std::vector<std::shared_ptr<DevicePicture>> spare_devices_;
  std::shared_ptr<const PictureParameters> scaled_parameters_;  // Those of scalings_.back().
  const ScalingLists* scaling_ = nullptr;                       // The same.
  std::vector<std::shared_ptr<const ScalingLists>> scalings_;   // Those of slices that wait.
  PictureOrderStep order_step_;
  int step_ = 2;  // Step of the current picture.
  bool has_finished_ = false;
  bool is_unreported_ = false;  // The state has it among those.
  StreamReferences samples_;
  PictureReporter reporter_;
  FeatureSink& sink_;
  StreamParser parser_;
};

void FeatureStreams::State::add(Stream& stream) {
  const std::lock_guard lock(mutex_);
  stream.set_index(streams_.size());
  streams_.push_back(&stream);
}

// Moves the last stream to the index of the one that is removed.
void FeatureStreams::State::remove(const Stream& stream) {
  const std::lock_guard lock(mutex_);
  Stream* const last = streams_.back();
  last->set_index(stream.index());
  streams_[stream.index()] = last;
  streams_.pop_back();
  if (stream.is_unreported()) std::erase(unreported_, &stream);
}

FeatureStreamsReport FeatureStreams::State::run() {
  FeatureStreamsReport report;
  while (run_some(report)) {
  }
  // The list is emptied first: a sink may throw, and its stream may end then.
  const std::vector<Stream*> unreported = std::exchange(unreported_, {});
  HostThreads::shared().for_each_in_pieces(unreported.size(), kPiece,
                                           [&](std::size_t k) { unreported[k]->report_rest(); });
  return report;
}

// Chooses the streams whose pictures the next run has: as many as fit.
void FeatureStreams::State::choose_pictures() {
  chosen_.clear();
  std::size_t pictures = 0;
  std::size_t bytes_left = device_bytes_;
  const std::size_t count = streams_.size();
  const auto stream_at = [&](std::size_t k) {
    const std::size_t index = first_ + k;
    return streams_[index < count ? index : index - count];
  };
  if (first_ >= count) first_ = 0;
  for (std::size_t k = 0; k < count && bytes_left > 0; ++k) {
    if (k + 2 * kAhead < count) __builtin_prefetch(&stream_at(k + 2 * kAhead)->waiting());
    Stream* const stream = stream_at(k);
    Stream::Waiting taken = stream->waiting();
    if (taken.bytes > bytes_left) {
      taken = stream->waiting_within(bytes_left, /*takes_one=*/pictures == 0);
    }
    if (taken.count == 0) continue;
    chosen_.push_back({stream, pictures, taken.count});
    pictures += taken.count;
    bytes_left -= std::min(taken.bytes, bytes_left);
  }
  pictures_.resize(pictures);
}

// Runs as many pictures as fit. Returns false if there are none.
bool FeatureStreams::State::run_some(FeatureStreamsReport& report) {
  choose_pictures();
  if (chosen_.empty()) return false;
  HostThreads::shared().for_each_in_pieces(chosen_.size(), kPiece, [&](std::size_t k) {
    const StreamPictures& chosen = chosen_[k];
    chosen.stream->add_to(std::span(pictures_).subspan(chosen.first, chosen.count));
  });
  // Bounds the memory of earlier runs that B slices may read.
  const std::uint64_t oldest = run_.oldest_within(2 * device_bytes_);
  const std::uint64_t oldest_samples = run_.samples().oldest_within(2 * device_bytes_);
  if (oldest > run_.oldest() || oldest_samples > run_.samples().oldest()) {
    for (Stream* const stream : streams_) stream->move_out(queue_, oldest, oldest_samples);
  }
  const FeatureRunReport run = run_.run(pictures_, {.pictures_a_warp = options_.pictures_a_warp,
                                                    .samples = options_.samples,
                                                    .picture_tasks = options_.picture_tasks,
                                                    .run = options_.run});
  report.writing_seconds += run.writing_seconds;
  report.device_seconds += run.device_seconds;
  report.task_seconds += run.tasks.seconds;
  report.sample_seconds += run.reconstruction.seconds;
  ++report.runs;
  report.pictures += static_cast<std::int64_t>(pictures_.size());
  report.slices += static_cast<std::int64_t>(run.slices);
  report.payload_bytes += static_cast<std::int64_t>(run.payload_bytes);
  report.macroblocks += static_cast<std::int64_t>(run.macroblocks);
  report.bytes_up += static_cast<std::int64_t>(run.bytes_up);
  report.bytes_down += static_cast<std::int64_t>(run.bytes_down);
  const TimelineScope scope("host report", "features of a run");
  const Clock::time_point start = Clock::now();
  HostThreads::shared().for_each_in_pieces(chosen_.size(), kPiece, [&](std::size_t k) {
    if (k + 2 * kAhead < chosen_.size()) prefetch_object(*chosen_[k + 2 * kAhead].stream);
    if (k + kAhead < chosen_.size()) chosen_[k + kAhead].stream->prefetch();
    chosen_[k].stream->report(run_, chosen_[k].first, chosen_[k].count);
  });
  report.reporting_seconds += seconds_since(start);
  // The next run begins with another stream, so that none waits for ever.
  ++first_;
  return true;
}

FeatureStreamsReport& FeatureStreamsReport::operator+=(const FeatureStreamsReport& other) {
  runs += other.runs;
  pictures += other.pictures;
  slices += other.slices;
  payload_bytes += other.payload_bytes;
  macroblocks += other.macroblocks;
  bytes_up += other.bytes_up;
  bytes_down += other.bytes_down;
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
