// One machine on the screen: the source's costs, the totals and the lesson's numbers count as the chosen
// device.

#include "pipeline/lesson_prose.h"
#include "session/session.h"
#include "support/project_options.h"

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

class DeviceUnits : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  /// Of the line that reads a column of the tile.
  static uint64_t cost_per_read(const Snapshot& now) {
    for (const trace::Site& site : now.run->trace->sites)
      if (site.operation.space == trace::Space::Shared && site.operation.kind == trace::Kind::Load) {
        const trace::Totals& line = now.run->lines[static_cast<size_t>(site.source.line) - 1].shared;
        return line.wavefronts / line.requests;
      }
    return 0;
  }
  static std::string text_of(const Snapshot& now) { return lesson::plain_text(now.prose->kernel, 1000); }

  Session session_{tests::project_options(1)};
};

TEST_F(DeviceUnits, a_gtx_280_counts_its_half_warps_in_the_source_the_totals_and_the_text) {
  after(OpenLesson{"transpose"});
  auto now = after(SetToggle{"kernel", "padded"});
  ASSERT_EQ(now->choices.device.name, "gt200");
  EXPECT_EQ(pipeline::units_of(*now->run), model::CostUnits::Transactions);
  EXPECT_EQ(cost_per_read(*now), 2) << "a pass for each half-warp";
  EXPECT_NE(text_of(*now).find("Passes per read of a column: 2; 2 at best."), std::string::npos)
      << text_of(*now);
  EXPECT_NE(text_of(*now).find("mod 16"), std::string::npos) << text_of(*now);
  EXPECT_EQ(text_of(*now).find("avefront"), std::string::npos) << text_of(*now);

  now = after(SetDevice{"h200"});
  EXPECT_EQ(pipeline::units_of(*now->run), model::CostUnits::Sectors);
  EXPECT_EQ(cost_per_read(*now), 1);
  EXPECT_NE(text_of(*now).find("Wavefronts per read of a column: 1; 1 at best."), std::string::npos)
      << text_of(*now);
  EXPECT_NE(text_of(*now).find("mod 32"), std::string::npos);

  now = after(SetDevice{"gt200"});
  now = after(SetToggle{"kernel", "naive"});
  EXPECT_NE(text_of(*now).find("A store takes 32 transactions for 128 useful bytes."), std::string::npos)
      << text_of(*now);
}

TEST_F(DeviceUnits, a_text_about_another_gpu_keeps_its_words_and_numbers) {
  after(OpenLesson{"banks"});
  const auto now = after(SetDevice{"gt200"});
  EXPECT_EQ(now->prose->units, model::CostUnits::Sectors);
  EXPECT_EQ(pipeline::units_of(*now->run), model::CostUnits::Transactions) << "the source and the totals";
}

}  // namespace
}  // namespace lanescope::session
