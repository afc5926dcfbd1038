// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/timeline/internal/queue_span.h>

#include <exception>

namespace millrace {
namespace {

thread_local int mutes = 0;

}  // namespace

QueueSpan::QueueSpan(Queue& queue, const char* stage, const char* name, std::uint64_t bytes)
    : timeline_(mutes == 0 ? Timeline::current() : nullptr),
      queue_(queue),
      stage_(stage),
      name_(name),
      bytes_(bytes) {
  if (timeline_ != nullptr) begin_ = queue_.record();
}

QueueSpan::~QueueSpan() {
  if (timeline_ == nullptr) return;
  try {
    timeline_->add_when_reached({.track = queue_.device().info().name + " " + stage_,
                                 .name = name_,
                                 .begin = {},
                                 .end = {},
                                 .bytes = bytes_},
                                begin_, queue_.record());
  } catch (const std::exception&) {
    timeline_->leave_out();  // A missing span must not fail the operation.
  }
}

bool QueueSpan::is_wanted() { return mutes == 0 && Timeline::current() != nullptr; }

QueueSpan::Mute::Mute() { ++mutes; }
QueueSpan::Mute::~Mute() { --mutes; }

}  // namespace millrace
