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
  const auto count = unpack_texts(packed_two, folder / "lesson");
  ASSERT_TRUE(count) << count.error().message;
  EXPECT_EQ(*count, 2u);
  EXPECT_EQ(read_text(folder / "lesson" / "a.ptx").value_or("none"), "one\ntwo");
  EXPECT_EQ(read_text(folder / "lesson" / "b.ptx").value_or("none"), "");
}

TEST(PackedTexts, what_is_cut_off_or_leads_elsewhere_is_refused) {
  const tests::TemporaryFolder folder("texts");
  for (const std::string_view text :
       {"a.ptx 8\nshort", "a.ptx", "../a.ptx 1\nx", "/a 1\nx", ".a 1\nx", "a.ptx -1\nx", "a.ptx 1x\nx",
        " 1\nx", "a.ptx 18446744073709551615\nx"}) {
    const auto count = unpack_texts(text, folder / "lesson");
    ASSERT_FALSE(count) << text;
    EXPECT_EQ(count.error().kind, ErrorKind::Syntax) << text;
  }
}

}  // namespace
}  // namespace lanescope::pipeline
