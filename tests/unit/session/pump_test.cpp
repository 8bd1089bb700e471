#include "session/session.h"
#include "support/project_options.h"

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

TEST(PumpedSession, it_works_only_where_it_is_pumped_and_shows_what_a_thread_shows) {
  Session pumped(tests::project_options(1), Engine::Pumped);
  pumped.post(OpenLesson{"transpose"});
  EXPECT_EQ(pumped.latest()->run, nullptr);
  EXPECT_TRUE(pumped.pump());
  while (pumped.pump()) continue;
  EXPECT_FALSE(pumped.pump());

  Session threaded(tests::project_options(1));
  threaded.post(OpenLesson{"transpose"});
  threaded.wait_until_modelled();
  const auto own = pumped.latest(), other = threaded.latest();
  ASSERT_NE(own->run, nullptr);
  ASSERT_NE(other->run, nullptr);
  EXPECT_FALSE(own->error) << own->error->message;
  EXPECT_EQ(own->run->kernel, other->run->kernel);
  EXPECT_EQ(own->run->trace->warp_instructions, other->run->trace->warp_instructions);
  EXPECT_EQ(own->run->output_correct, other->run->output_correct);
}

TEST(PumpedSession, who_waits_for_it_pumps) {
  Session session(tests::project_options(1), Engine::Pumped);
  session.post(OpenLesson{"transpose"});
  session.wait_until_idle();
  EXPECT_NE(session.latest()->run, nullptr);
}

}  // namespace
}  // namespace lanescope::session
