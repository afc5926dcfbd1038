// SPDX-License-Identifier: Apache-2.0

// A stage of a sort as the type of an object, so that calls can only be made in their order.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SORT_STAGE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SORT_STAGE_H_

#include <utility>

namespace millrace::radix_sort {

// Base of stages of `Owner`, to which they refer and which outlives them. A call that ends the
// stage is a && member that takes the owner and returns the next stage:
//
//   class Sent : SortStage<KeyDownload> {
//    public:
//     [[nodiscard]] Received receive() && {
//       KeyDownload& download = take();
//       download.receive();
//       return Received(download);
//     }
//   };
//
// There is one object of a stage, which can be moved and not copied, so no stage is run twice.
template <class Owner>
class SortStage {
 public:
  SortStage(const SortStage&) = delete;
  SortStage& operator=(const SortStage&) = delete;

 protected:
  explicit SortStage(Owner& owner) : owner_(&owner) {}
  SortStage(SortStage&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
  SortStage& operator=(SortStage&& other) noexcept {
    owner_ = std::exchange(other.owner_, nullptr);
    return *this;
  }
  ~SortStage() = default;

  // Returns the owner, for calls that do not end the stage.
  Owner& owner() const { return *owner_; }

  // Returns the owner, and ends the stage.
  Owner& take() { return *std::exchange(owner_, nullptr); }

 private:
  Owner* owner_;  // Null once the stage has ended.
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_SORT_STAGE_H_
