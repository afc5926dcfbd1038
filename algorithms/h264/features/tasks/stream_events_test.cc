// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/tasks/stream_events.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::h264 {
namespace {

// Writes down what it is given, and takes `pictures` pictures and no fault after `slices` slices.
struct Receiver {
  bool picture() {
    if (pictures == 0) return false;
    --pictures;
    text += "p ";
    return true;
  }
  void inferred(const ParsedPicture& picture) { text += "i" + std::to_string(picture.id) + " "; }
  void output(std::int64_t picture) { text += "o" + std::to_string(picture) + " "; }
  void release(std::int64_t picture) { text += "r" + std::to_string(picture) + " "; }
  bool fault(const StreamEvents::Fault& fault) {
    if (fault.slices > slices) return false;
    text += fault.fault.message + " ";
    return true;
  }

  int pictures = 0;
  std::size_t slices = 0;
  std::string text;
};

StreamFault fault_of(const char* message) {
  StreamFault fault;
  fault.message = message;
  return fault;
}

std::string replayed(StreamEvents& events, int pictures, std::size_t slices) {
  Receiver receiver;
  receiver.pictures = pictures;
  receiver.slices = slices;
  events.replay(receiver);
  return receiver.text;
}

TEST(StreamEventsTest, GivesEventsOnceAndInOrder) {
  StreamEvents events;
  ParsedPicture inferred;
  inferred.id = 4;
  events.add_fault(fault_of("a"), 0);
  events.add_inferred(inferred);
  events.add_picture();
  events.add_fault(fault_of("b"), 0);
  events.add_output(4);
  events.add_release(3);
  EXPECT_EQ(replayed(events, 1, 0), "a i4 p b o4 r3 ");
  EXPECT_EQ(replayed(events, 1, 0), "");
}

TEST(StreamEventsTest, KeepsWhatIsNotTaken) {
  StreamEvents events;
  ParsedPicture inferred;
  inferred.id = 7;
  events.add_release(1);
  events.add_picture();
  events.add_fault(fault_of("a"), 2);
  events.add_inferred(inferred);
  EXPECT_EQ(replayed(events, 0, 0), "r1 ");
  EXPECT_EQ(replayed(events, 1, 1), "p ");
  events.add_fault(fault_of("b"), 0);
  EXPECT_EQ(replayed(events, 0, 2), "a i7 b ");
}

}  // namespace
}  // namespace millrace::h264
