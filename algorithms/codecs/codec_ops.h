// SPDX-License-Identifier: Apache-2.0

// The operations that a backend implements for a format: one encodes and one decodes.
//
// The caller has checked the arguments and set *chunk.result to {}. The functions enqueue the work,
// which sets result->bytes when it encodes, and result->error_word on an error.
#ifndef MILLRACE_ALGORITHMS_CODECS_CODEC_OPS_H_
#define MILLRACE_ALGORITHMS_CODECS_CODEC_OPS_H_

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/codec.h>

namespace millrace::codecs {

template <class Format>
struct EncodeOp {
  using Function = void(Queue&, const Format&, const EncodeChunk&);
};

template <class Format>
struct DecodeOp {
  using Function = void(Queue&, const Format&, const DecodeChunk&);
};

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CODEC_OPS_H_
