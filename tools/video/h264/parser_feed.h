// SPDX-License-Identifier: Apache-2.0

// Joins a source of NAL units and a parser of streams.
#ifndef MILLRACE_TOOLS_VIDEO_H264_PARSER_FEED_H_
#define MILLRACE_TOOLS_VIDEO_H264_PARSER_FEED_H_

#include <cstdint>
#include <span>

#include <millrace/tools/video/nal_units/nal_unit_receiver.h>

namespace millrace::tools {

// Passes NAL units to a parser or decoder of algorithms/h264, which must outlive it.
template <class Parser>
class ParserFeed final : public NalUnitReceiver {
 public:
  explicit ParserFeed(Parser& parser) : parser_(parser) {}

  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override {
    parser_.push_nal_unit(unit, byte, framing_bytes);
  }
  void receive_beside(std::span<const std::uint8_t> unit) override {
    parser_.push_nal_unit(unit, 0, 0);
  }
  void note_loss() override { parser_.note_loss(); }

 private:
  Parser& parser_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_PARSER_FEED_H_
