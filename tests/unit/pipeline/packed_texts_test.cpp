#include "pipeline/packed_texts.h"

#include "base/file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

TEST(PackedTexts, texts_come_back_under_their_names) {
  const tests::TemporaryFolder folder("texts");
  const std::string packed_two = packed("a.ptx", "one\ntwo") + packed("b.ptx", "");
  EXPECT_EQ(packed_two, "a.ptx 7\none\ntwob.ptx 0\n");
  std::string_view rest = packed_two;
  ASSERT_TRUE(unpack_next(rest, folder.path()));
  EXPECT_EQ(rest, "b.ptx 0\n");
  ASSERT_TRUE(unpack_next(rest, folder.path()));
  EXPECT_EQ(rest, "");
  EXPECT_EQ(read_text(folder / "a.ptx").value_or("none"), "one\ntwo");
  EXPECT_EQ(read_text(folder / "b.ptx").value_or("none"), "");
}

TEST(PackedTexts, what_is_cut_off_or_leads_elsewhere_is_refused) {
  const tests::TemporaryFolder folder("texts");
  for (const std::string_view text :
       {"", "a.ptx 8\nshort", "a.ptx", "../a.ptx 1\nx", "/a 1\nx", ".a 1\nx", "a.ptx -1\nx", "a.ptx 1x\nx",
        " 1\nx", "a.ptx 18446744073709551615\nx"}) {
    std::string_view rest = text;
    const auto written = unpack_next(rest, folder.path());
    ASSERT_FALSE(written) << text;
    EXPECT_EQ(written.error().kind, ErrorKind::Syntax) << text;
    EXPECT_EQ(rest, text);
  }
}

}  // namespace
}  // namespace lanescope::pipeline
