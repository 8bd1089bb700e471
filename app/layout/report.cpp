#include "layout/report.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::layout {
namespace {

Result<Arrangement> arrangement_of(const QuestionText& text) {
  if (!text.swizzle.empty() + !text.triton.empty() + !text.padding.empty() > 1)
    return fail(ErrorKind::Usage,
                "a tile has a swizzle, or Triton's, or a padding; give only one of the three");
  if (!text.swizzle.empty()) return parse_swizzle(text.swizzle);
  if (!text.triton.empty()) return parse_triton(text.triton);
  if (!text.padding.empty()) return parse_padding(text.padding);
  return Plain{};
}

}  // namespace

Result<Question> parse(const QuestionText& text) {
  Question question;
  TRY(question.tile.layout, parse_layout(text.layout));
  const auto element = launch::type_named(text.element);
  if (!element)
    return fail(ErrorKind::Usage, fmt::format("there is no element type '{}'; write one of u8 i8 u16 i16 f16 "
                                              "bf16 u32 i32 f32 u64 i64 f64",
                                              text.element.substr(0, 60)));
  question.tile.element = *element;
  TRY(question.tile.arrangement, arrangement_of(text));
  for (const std::string& name : text.accesses) {
    TRY(Access access, find_access(name));
    question.accesses.push_back(std::move(access));
  }
  return question;
}

const AccessRow* Report::impossible() const {
  const auto found = std::ranges::find_if(rows, [](const AccessRow& row) { return !row.cost; });
  return found == rows.end() ? nullptr : &*found;
}

Result<Report> report_of(const Question& question) {
  Report report{.tile = question.tile, .placed = {}, .plain = {}, .rows = {}};
  TRY(report.placed, place(question.tile));
  TRY(report.plain, place(plain(question.tile)));
  for (const Access& access : question.accesses)
    report.rows.push_back({access, cost_of(report.placed, access), cost_of(report.plain, access)});
  return report;
}

}  // namespace lanescope::layout
