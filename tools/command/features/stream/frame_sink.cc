// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/stream/frame_sink.h>

#include <algorithm>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::int64_t kMostFaults = 16;  // Faults of a stream in the output; all are counted.

std::string fault_text(const h264::StreamFault& fault) {
  return fault.message + " (NAL unit " + std::to_string(fault.nal_unit) + ", byte " +
         std::to_string(fault.byte) + ", picture " + std::to_string(fault.picture) + ")";
}

}  // namespace

FrameSink::FrameSink(const StreamRunOptions& options, StreamOutput& output)
    : options_(options), output_(output) {
  if (options.decodes && !options.gives_frames) measurement_.emplace(options.reference);
}

void FrameSink::decode(const std::shared_ptr<const h264::ParsedPicture>& picture) {
  if (picture->is_inferred) return extractor_.skip(*picture);
  if (has_all()) return;
  add(extractor_.measure(*picture));
  guard([&] {
    for (PictureConsumer* const consumer : options_.consumers) consumer->add(*picture);
  });
}

void FrameSink::add(const h264::FrameFeatures& features) {
  if (has_all()) return;
  pending_.push_back({.picture = features.picture,
                      .row = {.frame = end_.frames, .features = features},
                      .is_measured = !measurement_});
  ++end_.frames;
  write_measured();
}

void FrameSink::frame(const h264::DecodedFrame& frame) {
  if (is_complete()) return;
  if (options_.gives_frames) return give(frame);
  const DecodedFeatures decoded = measurement_->measure(frame);
  PendingFrame* const pending = find(frame.picture);
  if (pending == nullptr) return;
  pending->row.decoded = decoded;
  pending->is_measured = true;
  write_measured();
}

void FrameSink::give(const h264::DecodedFrame& frame) {
  guard([&] { frame_problem_ = output_.add_frame(frame); });
  if (frame_problem_.empty()) ++given_frames_;
}

void FrameSink::release(std::int64_t picture) {
  if (PendingFrame* const pending = find(picture)) {
    pending->is_measured = true;  // It is never output.
    write_measured();
  }
  extractor_.release(picture);
  for (PictureConsumer* const consumer : options_.consumers) consumer->release(picture);
}

void FrameSink::fault(const h264::StreamFault& fault) {
  if (has_all()) return;
  if (end_.faults == 0) first_fault_ = fault_text(fault);
  if (fault.is_unsupported && unsupported_.empty()) unsupported_ = fault_text(fault);
  if (end_.faults++ < kMostFaults) guard([&] { output_.add_fault(fault); });
}

void FrameSink::set_missing(const h264::MissingPictures& missing) {
  end_.lost_pictures = missing.lost;
  end_.dropped_pictures = missing.dropped;
}

StreamEnd FrameSink::take_end(const h264::NalUnitSource& source, const std::string& problem) {
  if (options_.gives_frames) end_.frames = given_frames_;
  if (!frame_problem_.empty()) {
    end_.error = frame_problem_;
  } else if (end_.frames == 0) {
    const std::string& why = unsupported_.empty() ? first_fault_ : unsupported_;
    end_.error = why.empty() ? "has no picture" : why;
  } else if (measurement_) {
    end_.error = measurement_->problem();
    end_.notes = measurement_->notes(!has_all());
  }
  if (!problem.empty()) end_.error = problem;
  end_.lost_packets = source.lost_packets();
  const std::string notes = source.notes();
  if (!notes.empty()) end_.notes = end_.notes.empty() ? notes : notes + "; " + end_.notes;
  return std::move(end_);
}

FrameSink::PendingFrame* FrameSink::find(std::int64_t picture) {
  const auto found = std::find_if(pending_.begin(), pending_.end(),
                                  [&](const auto& pending) { return pending.picture == picture; });
  return found == pending_.end() ? nullptr : &*found;
}

void FrameSink::write_measured() {
  for (; !pending_.empty() && pending_.front().is_measured; pending_.pop_front()) {
    guard([&] { output_.add(pending_.front().row); });
  }
}

void FrameSink::guard(const std::function<void()>& write) {
  try {
    write();
  } catch (...) {
    throw OutputFailed{std::current_exception()};
  }
}

}  // namespace millrace::tools
