// SPDX-License-Identifier: Apache-2.0

// Finds the pictures that a coded stream has lost.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_LOSS_WATCH_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_LOSS_WATCH_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include <millrace/tools/video/decoder/h264_headers.h>
#include <millrace/tools/video/decoder/libav.h>
#include <millrace/tools/video/picture/clip_losses.h>

namespace millrace::tools {

// FFmpeg's decoders go over gaps and over pictures before the first key picture without a word in
// their results. This class takes H.264's gaps from frame_num where the decoder writes in its log
// that it found one, and HEVC's from the references that it misses.
//
//   watch.start(packet);  { const auto scope = watch.listen(); avcodec_send_packet(...); }
class LossWatch {
 public:
  explicit LossWatch(const AVCodecParameters& parameters);

  // The next packet that the decoder is given.
  void start(const AVPacket& packet);

  // Returns true before the first key packet of a stream that begins without one: what the decoder
  // rejects there is lost, and no damage.
  bool is_leading() const { return is_leading_; }

  // Counts a packet before the first key packet that the decoder rejected.
  void reject_leading();

  // Returns true for a frame that refers to what was never there, which is counted and not shown.
  bool drops(const AVFrame& frame);

  ClipLosses losses() const;

  // Messages on this thread are about the packet that start() was given last, while it lives.
  class Scope : public LibavListener {
   public:
    explicit Scope(LossWatch& watch) : watch_(watch) {}
    bool wants(std::string_view format) const override;
    void receive(std::string_view message) override { watch_.receive(message); }

   private:
    LossWatch& watch_;
  };

 private:
  // A packet counts once the decoder has had it, since only then its gaps are known.
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

  // The last packet.
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
