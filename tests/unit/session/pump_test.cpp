#include "compile/compile.h"
#include "session/session.h"
#include "session/source_texts.h"
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

/// As in a page, whose compiler is asked over the network: the first two times there is no answer yet.
TEST(PumpedSession, it_asks_a_compiler_elsewhere_until_the_answer_is_there) {
  pipeline::Options options = tests::project_options(1);
  int asked = 0;
  options.compile_elsewhere = [&](const compile::Source& source, const compile::Options&,
                                  std::stop_token) -> Result<compile::Compilation> {
    if (++asked % 3 != 0) return fail(ErrorKind::Cancelled, "not yet");
    compile::Compilation compilation;
    compilation.log = source.file_name + "(2): error: expected a \";\"\n";
    return compilation;
  };
  Session session(options, Engine::Pumped);
  session.post(OpenLesson{"transpose"});
  session.wait_until_idle();
  ASSERT_FALSE(session.latest()->error);
  EXPECT_EQ(asked, 0) << "the lesson's own text is stored";
  const auto file = session.latest()->sources->files.front().path;
  session.post(SetText{file, "__global__ void k() {\n  int a\n}\n", 1});
  session.wait_until_idle();
  EXPECT_EQ(asked, 3);
  ASSERT_TRUE(session.latest()->error);
  EXPECT_NE(session.latest()->error->message.find("expected a"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::session
