// SPDX-License-Identifier: Apache-2.0

// Joins a source of NAL units and a parser of streams.
#ifndef MILLRACE_TOOLS_VIDEO_H264_PARSER_FEED_H_
#define MILLRACE_TOOLS_VIDEO_H264_PARSER_FEED_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

namespace millrace::tools {

// Passes NAL units to a parser or decoder of algorithms/h264, which must outlive it, until
// `is_complete` returns true: a source may have more at hand.
template <class Parser>
class ParserFeed final : public h264::NalUnitReceiver {
 public:
  explicit ParserFeed(Parser& parser, std::function<bool()> is_complete = {})
      : parser_(parser), is_complete_(std::move(is_complete)) {}

  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override {
    if (!is_complete_ || !is_complete_()) parser_.push_nal_unit(unit, byte, framing_bytes);
  }
  void receive_beside(std::span<const std::uint8_t> unit) override {
    // Its bytes are taken off again: they are not the stream's.
    parser_.push_nal_unit(unit, 0, -static_cast<int>(unit.size()));
  }
  void note_loss() override { parser_.note_loss(); }

 private:
  Parser& parser_;
  std::function<bool()> is_complete_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_PARSER_FEED_H_
