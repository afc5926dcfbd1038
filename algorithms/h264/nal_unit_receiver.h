// SPDX-License-Identifier: Apache-2.0

// Interfaces of a source of NAL units and of their receiver.
#ifndef MILLRACE_ALGORITHMS_H264_NAL_UNIT_RECEIVER_H_
#define MILLRACE_ALGORITHMS_H264_NAL_UNIT_RECEIVER_H_

#include <cstdint>
#include <span>
#include <string>

namespace millrace::h264 {

// Receives the NAL units of one stream, in decoding order. The bytes are valid during each call.
class NalUnitReceiver {
 public:
  virtual ~NalUnitReceiver() = default;

  // Takes a NAL unit without start code or length; `byte` is its offset in the file, and
  // `framing_bytes` the length of the start code or length field before it.
  virtual void receive(std::span<const std::uint8_t> unit, std::int64_t byte,
                       int framing_bytes) = 0;

  // Takes a parameter set from beside the stream, such as a container's header, which is no part of
  // any access unit's bytes.
  virtual void receive_beside(std::span<const std::uint8_t> unit) = 0;

  // Notes that some NAL units are missing here.
  virtual void note_loss() = 0;
};

// The NAL units of one stream, in decoding order. Used by one thread at a time.
class NalUnitSource {
 public:
  virtual ~NalUnitSource() = default;

  // Passes the next units to the receiver. Returns false once all have been passed. Throws Error:
  // kIo if the file cannot be read on, kCancelled after a signal.
  virtual bool read(NalUnitReceiver& receiver) = 0;

  // Returns a note on the stream once it has been read, such as packets that were lost; empty
  // if nothing.
  virtual std::string notes() const { return ""; }

  // Returns the number of packets that were lost before they were captured; 0 for files.
  virtual std::int64_t lost_packets() const { return 0; }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_NAL_UNIT_RECEIVER_H_
