// SPDX-License-Identifier: Apache-2.0

// Sources of the 3-stars of `millrace three-star`: a search, or a file that has them.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_STAR_SOURCE_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_STAR_SOURCE_H_

#include <millrace/algorithms/three_star/chunks/star_file.h>
#include <millrace/algorithms/three_star/point_copies.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/files/interrupt_guard.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {

class StarSource {
 public:
  // `interrupt` must outlive this object.
  explicit StarSource(const InterruptGuard& interrupt) : interrupt_(interrupt) {}
  virtual ~StarSource() = default;

  // Both throw Error once a signal has come, and may be called several times.
  virtual three_star::SearchReport count() = 0;
  virtual three_star::SearchReport visit(const three_star::ChunkVisitor& visitor) = 0;

  // The same for 3-stars written out.
  virtual three_star::SearchReport visit_ids(const three_star::StarVisitor& visitor);

  // Returns true if 3-stars come raw; chunks would need another search.
  virtual bool is_raw() const { return false; }

  // Throws Error once a signal has come. Any thread may call.
  void check() const;

  const InterruptGuard& interrupt() const { return interrupt_; }

 protected:
  const InterruptGuard& interrupt_;
};

// `group`, `points` and `interrupt` must outlive what is returned.
std::unique_ptr<StarSource> search_for_stars(const DeviceGroup& group,
                                             std::span<const three_star::Point> points,
                                             const three_star::SearchOptions& options,
                                             const InterruptGuard& interrupt);

// The 3-stars of a file that -o wrote, or of a pipe with its bytes.
class StarFile : public StarSource {
 public:
  // Throws Error(kIo) for any other file.
  StarFile(Queue& queue, const std::string& path, const InterruptGuard& interrupt);

  std::int32_t radius() const { return reader_.radius(); }
  const three_star::StarFileUnits& units() const { return reader_.units(); }
  const std::vector<three_star::Point>& points() const { return reader_.points(); }
  const std::vector<std::uint32_t>& origins() const { return reader_.origins(); }

  three_star::SearchReport count() override;
  three_star::SearchReport visit(const three_star::ChunkVisitor& visitor) override;

 private:
  PositionedFile file_;
  std::ifstream in_;
  three_star::StarFileReader reader_;
  bool is_at_begin_ = true;
};

// The 3-stars of another source whose points have copies: each once, of original points. Chunks are
// those of the other source, unchanged.
class OriginalStars : public StarSource {
 public:
  // Both must outlive this object.
  OriginalStars(StarSource& source, const three_star::PointCopies& copies)
      : StarSource(source.interrupt()), source_(source), copies_(copies) {}

  three_star::SearchReport count() override;
  three_star::SearchReport visit(const three_star::ChunkVisitor& visitor) override;
  three_star::SearchReport visit_ids(const three_star::StarVisitor& visitor) override;
  bool is_raw() const override { return true; }

 private:
  StarSource& source_;
  const three_star::PointCopies& copies_;
};

// Returns true if the file exists and has 3-stars.
bool is_star_file(const std::string& path);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_STAR_SOURCE_H_
