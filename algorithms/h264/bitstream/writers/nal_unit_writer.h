// SPDX-License-Identifier: Apache-2.0

// Makes NAL units of payloads (ITU-T H.264 clause 7.4.1.1) and byte streams of NAL units (Annex B).
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_WRITERS_NAL_UNIT_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_WRITERS_NAL_UNIT_WRITER_H_

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::h264 {

// Returns a NAL unit of that payload with emulation prevention bytes, without a start code.
std::vector<std::uint8_t> make_nal_unit(int nal_reference, int nal_unit_type,
                                        std::span<const std::uint8_t> payload);

// Appends a start code of four bytes and a NAL unit to a byte stream.
void append_nal_unit(std::span<const std::uint8_t> unit, std::vector<std::uint8_t>& stream);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_WRITERS_NAL_UNIT_WRITER_H_
