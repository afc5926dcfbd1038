// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/launch/fiber.h>
#include <millrace/backends/simt/launch/sanitizers.h>

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace millrace::simt {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;

struct Visit {
  explicit Visit(Fiber& guest) : guest(guest) {}

  // Both fibers write the log, which a switch alone does not order.
  void note(const std::string& text) {
    acquire(&log);
    log += text;
    release(&log);
  }

  Fiber host;
  Fiber& guest;
  std::string log;
};

Fiber& visit_twice(void* argument) {
  auto& visit = *static_cast<Visit*>(argument);
  acquire(&visit.log);
  Fiber& host = visit.host;
  Fiber& guest = visit.guest;
  visit.note("first ");
  guest.switch_to(host);
  visit.note("second ");
  return host;
}

TEST(FiberTest, GoesOnWhereItSwitchedAway) {
  Fiber guest(kStackBytes);
  Visit visit(guest);
  guest.prepare(&visit_twice, &visit);
  visit.note("before ");
  visit.host.switch_to(guest);
  visit.note("between ");
  visit.host.switch_to(guest);
  visit.note("after");
  EXPECT_EQ(visit.log, "before first between second after");
}

TEST(FiberTest, RunsAgainAfterItsEnd) {
  Fiber guest(kStackBytes);
  Visit visit(guest);
  for (int i = 0; i < 2; ++i) {
    guest.prepare(&visit_twice, &visit);
    visit.note("start ");
    visit.host.switch_to(guest);
    visit.host.switch_to(guest);
  }
  visit.note("end");
  EXPECT_EQ(visit.log, "start first second start first second end");
}

TEST(FiberTest, RunsAgainAfterBeingAbandoned) {
  Fiber guest(kStackBytes);
  Visit visit(guest);
  for (int i = 0; i < 3; ++i) {
    guest.prepare(&visit_twice, &visit);
    visit.note("start ");
    visit.host.switch_to(guest);
  }
  visit.note("end");
  EXPECT_EQ(visit.log, "start first start first start first end");
}

Fiber& throw_and_catch(void* argument) {
  auto& visit = *static_cast<Visit*>(argument);
  acquire(&visit.log);
  Fiber& host = visit.host;
  try {
    throw std::string("thrown");
  } catch (const std::string& text) {
    visit.note(text);
  }
  return host;
}

TEST(FiberTest, MayThrowWithin) {
  Fiber guest(kStackBytes);
  Visit visit(guest);
  guest.prepare(&throw_and_catch, &visit);
  visit.note("");
  visit.host.switch_to(guest);
  visit.note("");
  EXPECT_EQ(visit.log, "thrown");
}

TEST(FiberTest, MayServeAnotherThreadNext) {
  Fiber guest(kStackBytes);
  for (int i = 0; i < 2; ++i) {
    std::thread([&guest] {
      Visit visit(guest);
      guest.prepare(&visit_twice, &visit);
      visit.note("");
      visit.host.switch_to(guest);
      visit.host.switch_to(guest);
      visit.note("end");
      EXPECT_EQ(visit.log, "first second end");
    }).join();
  }
}

}  // namespace
}  // namespace millrace::simt
