// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/tasks/memory/array_layout.h>
#include <millrace/algorithms/h264/features/tasks/memory/uploaded_memory.h>
#include <millrace/algorithms/h264/features/tasks/memory/waiting_lists.h>
#include <millrace/algorithms/h264/features/tasks/sample_run.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruction_tasks.h>
#include <millrace/algorithms/h264/reconstruction/views/slice_views.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/internal/memory_pool.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/scratch_memory.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr std::size_t kLumaSamples = 256;  // Luma samples of a macroblock.
constexpr std::size_t kSamples = 384;      // Samples of all planes of a macroblock.

std::size_t samples_of(const PendingPicture& picture) { return kSamples * picture.macroblocks(); }

SourcePlanes planes_at(const std::uint8_t* samples, std::size_t macroblocks) {
  const std::uint8_t* const cb = samples + kLumaSamples * macroblocks;
  return {{samples, cb, cb + kLumaSamples / 4 * macroblocks}};
}

// Numbers of elements, or the first elements of a picture.
struct Counts {
  SliceViewCounts views;
  std::size_t samples = 0;  // Samples of pictures that are not kept.
  std::size_t kept_samples = 0;
  std::size_t macroblocks = 0;

  void add(const PendingPicture& picture) {
    const SliceViewCounts of_picture = count_slice_views(picture.prediction);
    views.slices += of_picture.slices;
    views.references += of_picture.references;
    views.weights += of_picture.weights;
    views.implicit_weights += of_picture.implicit_weights;
    (picture.are_samples_kept ? kept_samples : samples) += samples_of(picture);
    macroblocks += picture.macroblocks();
  }
};

}  // namespace

// Makes the memory of one run. What the device reads is written to pinned memory, with pointers of
// the device, and copied as one piece.
class SampleRun::Pictures {
 public:
  Pictures(SampleRun& run, std::uint64_t number, std::span<PendingPicture* const> pictures,
           PictureTasks tasks)
      : run_(run), number_(number), pictures_(pictures) {
    for (std::size_t k = 0; k < pictures.size(); ++k) {
      firsts_.push_back(counts_);
      counts_.add(*pictures[k]);
      pictures[k]->samples->samples.run = number;
      pictures[k]->samples->index_in_run = k;
    }
    find_waiting();
    const auto roots = static_cast<std::size_t>(std::ranges::count(missing_, 0U));
    are_one_task_ = tasks == PictureTasks::kOne ||
                    (tasks == PictureTasks::kByCount && are_enough_pictures(run.queue_, roots));
    lay_out_arrays();
    allocate();
  }

  void write(std::span<const ParsedCoefficients> coefficients) {
    std::ranges::copy(waiting_lists_.array(), host_of<std::int32_t>(waiting_));
    HostThreads::shared().for_each(
        pictures_.size(), [this, coefficients](std::size_t k) { write_work(k, coefficients[k]); });
  }
  void upload() { inputs_.upload(run_.queue_); }
  std::size_t bytes_up() const { return input_.bytes(); }
  std::size_t sample_bytes() const { return counts_.samples + counts_.kept_samples; }

  // Returns the pictures that wait for nothing.
  TaskList<ReconstructionTasks> roots() {
    TaskList<ReconstructionTasks> roots;
    for (std::size_t k = 0; k < pictures_.size(); ++k) {
      if (missing_[k] > 0) continue;
      PictureWork* const work = input_of<PictureWork>(works_) + k;
      if (are_one_task_) {
        roots.push(ReconstructPicture{work});
      } else {
        roots.push(PredictMacroblock{work, 0, 0});
      }
    }
    return roots;
  }

  void download() {
    const auto pool = run_.queue_.device().pool(MemorySpace::kPinned);
    run_.host_ = Buffer<std::uint8_t>(pool, counts_.samples);
    run_.host_kept_ = Buffer<std::uint8_t>(pool, counts_.kept_samples);
    run_.kept_memory_ = kept_samples_.get();
    if (counts_.samples > 0) {
      copy(run_.queue_, run_.host_.span(), std::as_const(*samples_).span());
    }
    if (counts_.kept_samples > 0) {
      copy(run_.queue_, run_.host_kept_.span(), std::as_const(*kept_samples_).span());
    }
  }

 private:
  void find_waiting() {
    missing_.assign(pictures_.size(), 0);
    waiting_lists_ = WaitingLists(pictures_.size(), [this](const auto& use) {
      for (std::size_t k = 0; k < pictures_.size(); ++k) {
        for (const auto& source : pictures_[k]->sources) {
          if (source->samples.run != number_) continue;
          use(source->index_in_run, static_cast<std::int32_t>(k));
        }
      }
    });
    for (const std::int32_t waiting : waiting_lists_.array()) {
      ++missing_[static_cast<std::size_t>(waiting)];
    }
  }

  void lay_out_arrays() {
    works_ = input_.add<PictureWork>(pictures_.size());
    slices_ = input_.add<SliceView>(counts_.views.slices);
    references_ = input_.add<ReferenceView>(counts_.views.references);
    weights_ = input_.add<PredictionWeight>(counts_.views.weights);
    implicit_weights_ = input_.add<std::int16_t>(counts_.views.implicit_weights);
    waiting_ = input_.add<std::int32_t>(waiting_lists_.array().size());
    const std::size_t counters = are_one_task_ ? 0 : counts_.macroblocks;
    prediction_ = input_.add<std::uint32_t>(counters);
    deblocking_ = input_.add<std::uint32_t>(counters);
  }

  void allocate() {
    Device& device = run_.queue_.device();
    const std::shared_ptr<MemoryPool> pool = device.pool(MemorySpace::kDevice);
    inputs_ = UploadedMemory(device, input_.bytes());
    samples_ = std::make_shared<Buffer<std::uint8_t>>(pool, counts_.samples);
    kept_samples_ = std::make_shared<Buffer<std::uint8_t>>(pool, counts_.kept_samples);
    run_.kept_.add(number_, kept_samples_);
    std::size_t largest = 0;
    for (std::size_t k = 0; k < pictures_.size(); ++k) {
      const PendingPicture& picture = *pictures_[k];
      PictureElements<std::uint8_t>& to = picture.samples->samples;
      to.memory = picture.are_samples_kept ? kept_samples_ : samples_;
      to.first = picture.are_samples_kept ? firsts_[k].kept_samples : firsts_[k].samples;
      to.count = samples_of(picture);
      largest = std::max(largest, kLumaSamples * picture.macroblocks());
    }
    if (run_.grey_.size() < largest) {
      run_.grey_ = Buffer<std::uint8_t>(pool, largest);
      fill_bytes(run_.queue_, run_.grey_.span(), std::byte{128});
    }
  }

  // Returns where a source of a picture is. The planes of a grey one are one.
  SourcePlanes planes_of(const PendingPicture& picture, std::int32_t index) const {
    const DeviceSamples* const source =
        index == kGreySource ? nullptr : picture.sources[static_cast<std::size_t>(index)].get();
    if (source == nullptr || source->is_grey) {
      const std::uint8_t* const grey = run_.grey_.data();
      return {{grey, grey, grey}};
    }
    return planes_at(source->samples.data(), picture.macroblocks());
  }

  void write_work(std::size_t k, const ParsedCoefficients& coefficients) {
    const PendingPicture& picture = *pictures_[k];
    const Counts& first = firsts_[k];
    const auto sources = [&](std::int32_t index) { return planes_of(picture, index); };
    const SliceViewArrays arrays = {
        .slices = array<SliceView>(slices_).from(first.views.slices),
        .references = array<ReferenceView>(references_).from(first.views.references),
        .weights = array<PredictionWeight>(weights_).from(first.views.weights),
        .implicit_weights =
            array<std::int16_t>(implicit_weights_).from(first.views.implicit_weights)};
    write_slice_views(picture.prediction, sources, arrays);
    PictureWork& work = host_of<PictureWork>(works_)[k];
    work = {};
    PictureView& view = work.picture;
    view.columns = picture.width;
    view.rows = picture.height;
    view.macroblocks = picture.device->macroblocks.data();
    view.coefficients = coefficients.list;
    view.coefficient_ranges = coefficients.ranges;
    view.slices = arrays.slices.reader;
    std::ranges::copy(sources(picture.prediction.concealment).planes, view.concealment);
    std::uint8_t* const samples = picture.samples->samples.data();
    const SourcePlanes planes = planes_at(samples, picture.macroblocks());
    for (int plane = 0; plane < 3; ++plane) {
      view.planes[plane] = samples + (planes.planes[plane] - samples);
    }
    work.works = input_of<PictureWork>(works_);
    work.waiting = input_of<std::int32_t>(waiting_) + waiting_lists_.first(k);
    work.waiting_count = waiting_lists_.count(k);
    work.missing = missing_[k];
    if (!are_one_task_) write_counters(picture, first, work);
  }

  void write_counters(const PendingPicture& picture, const Counts& first, PictureWork& work) {
    work.prediction_missing = input_of<std::uint32_t>(prediction_) + first.macroblocks;
    work.deblocking_missing = input_of<std::uint32_t>(deblocking_) + first.macroblocks;
    set_arrivals(picture.width, picture.height,
                 host_of<std::uint32_t>(prediction_) + first.macroblocks,
                 host_of<std::uint32_t>(deblocking_) + first.macroblocks);
  }

  template <class T>
  T* host_of(std::size_t offset) {
    return inputs_.host_of<T>(offset);
  }
  template <class T>
  T* input_of(std::size_t offset) {
    return inputs_.device_of<T>(offset);
  }
  template <class T>
  WrittenArray<T> array(std::size_t offset) {
    return {host_of<T>(offset), input_of<T>(offset)};
  }

  SampleRun& run_;
  const std::uint64_t number_;
  std::span<PendingPicture* const> pictures_;
  Counts counts_;
  std::vector<Counts> firsts_;          // Indexed by picture.
  std::vector<std::uint32_t> missing_;  // Number of pictures that each picture waits for.
  WaitingLists waiting_lists_;          // Indexed by picture.
  bool are_one_task_ = false;
  ArrayLayout input_;
  // Offsets in it.
  std::size_t works_ = 0, slices_ = 0, references_ = 0, weights_ = 0, implicit_weights_ = 0,
              waiting_ = 0, prediction_ = 0, deblocking_ = 0;
  UploadedMemory inputs_;
  std::shared_ptr<Buffer<std::uint8_t>> samples_, kept_samples_;
  const QueueGuard guard_{run_.queue_};  // Last: it is destroyed before what copies read.
};

std::size_t SampleRun::bytes_of(const PendingPicture& picture) {
  if (picture.samples == nullptr) return 0;
  const SliceViewCounts views = count_slice_views(picture.prediction);
  return samples_of(picture) + sizeof(PictureWork) + views.slices * sizeof(SliceView) +
         views.references * sizeof(ReferenceView) + views.weights * sizeof(PredictionWeight) +
         views.implicit_weights * sizeof(std::int16_t) +
         2 * picture.macroblocks() * sizeof(std::uint32_t);
}

std::shared_ptr<SampleRun::Pictures> SampleRun::prepare(
    std::uint64_t run, std::span<PendingPicture* const> pictures,
    std::span<const ParsedCoefficients> coefficients, PictureTasks tasks) {
  auto prepared = std::make_shared<Pictures>(*this, run, pictures, tasks);
  prepared->write(coefficients);
  prepared->upload();
  return prepared;
}

std::size_t SampleRun::bytes_up(const Pictures& pictures) { return pictures.bytes_up(); }

std::size_t SampleRun::bytes_down(const Pictures& pictures, bool is_given) {
  return is_given ? pictures.sample_bytes() : 0;
}

RunReport SampleRun::run(Pictures& pictures, const RunOptions& options, bool is_given) {
  const RunReport report = run_tasks(queue_, pictures.roots(), options);
  if (is_given) pictures.download();
  queue_.wait();
  return report;
}

std::span<const std::uint8_t> SampleRun::samples(const DeviceSamples& picture) const {
  const PictureElements<std::uint8_t>& samples = picture.samples;
  const Buffer<std::uint8_t>& host = samples.memory.get() == kept_memory_ ? host_kept_ : host_;
  return {host.data() + samples.first, samples.count};
}

}  // namespace millrace::h264
