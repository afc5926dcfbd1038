// SPDX-License-Identifier: Apache-2.0

// Counts the elements that a picture takes in the arrays of a run.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_ELEMENT_COUNTS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_ELEMENT_COUNTS_H_

#include <cstddef>

namespace millrace::h264 {

// Numbers of elements, or the first elements of a picture.
struct ElementCounts {
  std::size_t slices = 0;
  std::size_t payload_bytes = 0;
  std::size_t colocated_references = 0;
  std::size_t references = 0;
  std::size_t ranges = 0;  // Ranges of coefficients, one for each macroblock.
  std::size_t coefficients = 0;
  std::size_t edges = 0;
  std::size_t rows = 0;
  std::size_t macroblocks = 0;  // Macroblocks of pictures that are not kept.
  std::size_t kept_macroblocks = 0;

  ElementCounts& operator+=(const ElementCounts& other) {
    slices += other.slices;
    payload_bytes += other.payload_bytes;
    colocated_references += other.colocated_references;
    references += other.references;
    ranges += other.ranges;
    coefficients += other.coefficients;
    edges += other.edges;
    rows += other.rows;
    macroblocks += other.macroblocks;
    kept_macroblocks += other.kept_macroblocks;
    return *this;
  }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_ELEMENT_COUNTS_H_
