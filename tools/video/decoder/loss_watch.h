// SPDX-License-Identifier: Apache-2.0

// Finds the pictures that a coded stream has lost.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_LOSS_WATCH_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_LOSS_WATCH_H_

#include <millrace/tools/video/decoder/h264_headers.h>
#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/picture/clip_format.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

namespace millrace::tools {

// FFmpeg's decoders skip gaps and pictures before the first key picture without a trace in their
// results. This class finds H.264's gaps by frame_num when the decoder logs one, and HEVC's by the
// missing references that it logs.
//
//   watch.start(packet);  { const auto scope = watch.listen(); avcodec_send_packet(...); }
class LossWatch {
 public:
  explicit LossWatch(const AVCodecParameters& parameters);

  // Begins the next packet of the decoder.
  void start(const AVPacket& packet);

  // Return true for a message, or its format (as for printf), that reports a lost picture, or may.
  static bool reports_loss(std::string_view message);
  static bool may_report_loss(std::string_view format);

  // Returns true if the last packet has a field of H.264, of which two make a frame.
  bool has_field() const { return picture_ && picture_->is_field; }

  // Returns true before the first key packet of a stream that begins without one: packets that the
  // decoder rejects there are lost, not damaged.
  bool is_leading() const { return is_leading_; }

  // Counts a packet before the first key packet that the decoder rejected.
  void reject_leading();

  // Returns true for a frame with a reference that never existed, which is counted and not shown.
  bool drops(const AVFrame& frame);

  ClipLosses losses() const;

  // While it lives, messages on this thread belong to the last packet of start().
  class Scope : public LibavListener {
   public:
    explicit Scope(LossWatch& watch) : watch_(watch) {}
    bool wants(std::string_view format) const override;
    void receive(std::string_view message) override { watch_.receive(message); }

   private:
    LossWatch& watch_;
  };

 private:
  // A packet counts once the decoder has processed it, since only then its gaps are known.
  struct Account {
    std::int64_t lost = 0;
    bool is_concealed = false;
  };

  void receive(std::string_view message);
  void settle();
  Account account() const;
  bool is_second_field() const;
  std::int64_t pictures_in_gap() const;

  const AVCodecID codec_;
  std::optional<H264Headers> headers_;
  bool has_begun_ = false;
  bool is_leading_ = false;
  bool shows_leading_ = true;  // Frames before the first key frame are good.
  bool has_key_ = false;       // A key packet came.
  std::int64_t leading_packets_ = 0;

  // State of the last packet.
  bool is_pending_ = false;
  bool is_key_ = false;
  bool has_gap_ = false;
  std::optional<H264Headers::Picture> picture_;
  std::optional<H264Headers::Picture> before_;
  std::optional<int> last_reference_;  // Its frame_num.

  bool is_after_loss_ = false;
  std::set<int> missing_references_;  // HEVC's, by picture order count.
  ClipLosses losses_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_LOSS_WATCH_H_
