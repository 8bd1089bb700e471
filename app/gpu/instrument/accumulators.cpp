#include "gpu/instrument/accumulators.h"

#include <bit>
#include <map>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

// Odd, so that its powers do not vanish; the second mixes the upper half of an address in.
constexpr uint32_t kPower = 0x9E3779B1, kUpper = 0x85EBCA6B;

bool is_wide(const Accumulator& accumulator) { return accumulator.place.kind == AddressKind::Wide; }
bool has_phase(const Accumulator& accumulator) { return accumulator.place.phase_mask != 0; }

/// %lanescope_e: distance of the lane's address from the first lane's.
std::string distance_text(const RecorderLayout& plan, const RecorderSite& place) {
  const ExpectedSteps& steps = *place.expected;
  const uint32_t row = plan.row_lanes();
  if (steps.distances)
    return fmt::format(
        "mad.wide.u32 %lanescope_b, %lanescope_lane, 4, {:#x};\nld.global.u32 %lanescope_e, "
        "[%lanescope_b];\n",
        plan.address + plan.distances_at() + uint64_t{place.site} * kLanes * sizeof(int32_t));
  if (row == kLanes || steps.row_stride == steps.stride * static_cast<int32_t>(row))
    return fmt::format("mul.lo.s32 %lanescope_e, %lanescope_lane, {};\n", steps.stride);
  return fmt::format(
      "and.b32 %lanescope_t, %lanescope_lane, {};\nmul.lo.s32 %lanescope_e, %lanescope_t, {};\n"
      "shr.u32 %lanescope_t, %lanescope_lane, {};\n"
      "mad.lo.s32 %lanescope_e, %lanescope_t, {}, %lanescope_e;\n",
      row - 1, steps.stride, std::countr_zero(row), steps.row_stride);
}

/// The lanes that passed through the code are all of the warp, were so every time, and have passed as often:
/// then %lanescope_g is 1 + K + ... of as many terms.
std::string passes_text(const std::string& label, unsigned passes) {
  return fmt::format(R"(
setp.eq.u32 %lanescope_p, %lanescope_passes{1}, 0;
@%lanescope_p bra {0}_next;
activemask.b32 %lanescope_m;
setp.ne.u32 %lanescope_p, %lanescope_m, -1;
@%lanescope_p bra {0}_broken;
setp.eq.u32 %lanescope_p, %lanescope_together, -1;
vote.sync.all.pred %lanescope_p, %lanescope_p, -1;
@!%lanescope_p bra {0}_broken;
mov.u32 %lanescope_g, 0;
mov.u32 %lanescope_w, 1;
clz.b32 %lanescope_t, %lanescope_passes{1};
sub.u32 %lanescope_j, 31, %lanescope_t;
{0}_power:
mad.lo.u32 %lanescope_g, %lanescope_g, %lanescope_w, %lanescope_g;
mul.lo.u32 %lanescope_w, %lanescope_w, %lanescope_w;
shr.u32 %lanescope_t, %lanescope_passes{1}, %lanescope_j;
and.b32 %lanescope_t, %lanescope_t, 1;
setp.ne.u32 %lanescope_p, %lanescope_t, 0;
@%lanescope_p mad.lo.u32 %lanescope_g, %lanescope_g, {2}, 1;
@%lanescope_p mul.lo.u32 %lanescope_w, %lanescope_w, {2};
setp.ne.u32 %lanescope_p, %lanescope_j, 0;
sub.u32 %lanescope_j, %lanescope_j, 1;
@%lanescope_p bra {0}_power;
mov.u32 %lanescope_lane, %laneid;
setp.eq.u32 %lanescope_lead, %lanescope_lane, 0;
cvt.u64.u32 %lanescope_c, %lanescope_passes{1};
)",
                     label, passes, kPower);
}

std::string sum_text(const RecorderLayout& plan, const Accumulator& accumulator) {
  const RecorderSite& place = accumulator.place;
  const uint64_t counts =
      plan.expected_counts() + uint64_t{place.site} * RecorderLayout::kPlaces * sizeof(uint64_t);
  std::string text = distance_text(plan, place);
  text += fmt::format(
      "shfl.sync.idx.b32 %lanescope_t, %lanescope_sum{0}, 0, 31, -1;\n"
      "mad.lo.u32 %lanescope_t, %lanescope_e, %lanescope_g, %lanescope_t;\n"
      "setp.eq.u32 %lanescope_p, %lanescope_t, %lanescope_sum{0};\n",
      place.number);
  std::string to = fmt::format("%lanescope_counts + {}", counts + RecorderLayout::kPhases * sizeof(uint64_t));
  if (has_phase(accumulator)) {
    text += fmt::format(
        "xor.b32 %lanescope_t, %lanescope_any{0}, %lanescope_all{0};\n"
        "and.b32 %lanescope_t, %lanescope_t, {1};\n"
        "brev.b32 %lanescope_t, %lanescope_t;\n"
        "clz.b32 %lanescope_t, %lanescope_t;\n"
        "min.u32 %lanescope_t, %lanescope_t, 7;\n"
        "mov.u32 %lanescope_w, 1;\n"
        "shl.b32 %lanescope_w, %lanescope_w, %lanescope_t;\n"
        "sub.u32 %lanescope_t, %lanescope_w, 1;\n"
        "and.b32 %lanescope_t, %lanescope_t, %lanescope_any{0};\n"
        "and.b32 %lanescope_t, %lanescope_t, {1};\n"
        "add.u32 %lanescope_t, %lanescope_t, %lanescope_w;\n"
        "mad.wide.u32 %lanescope_b, %lanescope_t, 8, %lanescope_counts;\n",
        place.number, place.phase_mask);
    to = fmt::format("%lanescope_b + {}", counts);
  }
  return text + fmt::format(
                    "vote.sync.all.pred %lanescope_p, %lanescope_p, -1;\n"
                    "and.pred %lanescope_q, %lanescope_p, %lanescope_lead;\n"
                    "@%lanescope_q red.global.add.u64 [{}], %lanescope_c;\n"
                    "mov.u64 %lanescope_b, {:#x};\n"
                    "@!%lanescope_p st.global.u32 [%lanescope_b], 1;\n",
                    to, plan.address + plan.broken_at() + uint64_t{place.site} * sizeof(uint32_t));
}

}  // namespace

bool may_accumulate(const RecorderLayout& plan, const RecorderSite& place) {
  return plan.what == RecorderLayout::What::Totals && plan.accumulates && place.expected &&
         place.expected->is_only && place.kind != AddressKind::Generic && place.lanes == kLanes &&
         place.skip_unless.empty() && volume(plan.block) % kLanes == 0;
}

std::string accumulate_text(const Accumulator& accumulator) {
  const RecorderSite& place = accumulator.place;
  std::string text =
      "\n{\n.reg .b32 %lanescope_lo, %lanescope_hi, %lanescope_t;\n.reg .b64 %lanescope_a;\n" + place.address;
  std::string_view address = "%lanescope_lo";
  if (is_wide(accumulator)) {
    text += fmt::format(
        "mov.b64 {{%lanescope_lo, %lanescope_hi}}, %lanescope_a;\n"
        "mad.lo.u32 %lanescope_t, %lanescope_hi, {}, %lanescope_lo;\n",
        kUpper);
    address = "%lanescope_t";
  }
  text += fmt::format("mad.lo.u32 %lanescope_sum{0}, %lanescope_sum{0}, {1}, {2};\n", place.number, kPower,
                      address);
  if (has_phase(accumulator))
    text += fmt::format(
        "or.b32 %lanescope_any{0}, %lanescope_any{0}, %lanescope_lo;\n"
        "and.b32 %lanescope_all{0}, %lanescope_all{0}, %lanescope_lo;\n",
        place.number);
  if (accumulator.counts)
    text += fmt::format("add.u32 %lanescope_passes{0}, %lanescope_passes{0}, 1;\n", accumulator.passes);
  if (accumulator.is_first)
    text +=
        "activemask.b32 %lanescope_t;\n"
        "and.b32 %lanescope_together, %lanescope_together, %lanescope_t;\n";
  return text + "}\n";
}

std::string accumulators_prologue(const std::vector<Accumulator>& accumulators) {
  if (accumulators.empty()) return {};
  std::string text = ".reg .b32 %lanescope_together;\nmov.u32 %lanescope_together, -1;\n";
  const auto start = [&](std::string_view name, unsigned number, int value) {
    text +=
        fmt::format(".reg .b32 %lanescope_{0}{1};\nmov.u32 %lanescope_{0}{1}, {2};\n", name, number, value);
  };
  for (const Accumulator& accumulator : accumulators) {
    start("sum", accumulator.place.number, 0);
    if (has_phase(accumulator)) start("any", accumulator.place.number, 0);
    if (has_phase(accumulator)) start("all", accumulator.place.number, -1);
    if (accumulator.counts) start("passes", accumulator.passes, 0);
  }
  return text;
}

std::string evaluation_text(const RecorderLayout& plan, const std::vector<Accumulator>& accumulators,
                            unsigned number, const std::string& skip_unless) {
  std::map<unsigned, std::vector<const Accumulator*>> of_passes;
  for (const Accumulator& accumulator : accumulators) of_passes[accumulator.passes].push_back(&accumulator);
  std::string text = R"(
{
.reg .pred %lanescope_p, %lanescope_q, %lanescope_lead;
.reg .b32 %lanescope_m, %lanescope_t, %lanescope_e, %lanescope_g, %lanescope_w, %lanescope_j, %lanescope_lane;
.reg .b64 %lanescope_b, %lanescope_c;
)";
  const std::string label = fmt::format("$lanescope_end{}", number);
  if (!skip_unless.empty()) {
    const bool negated = skip_unless.front() == '!';
    text +=
        fmt::format("@{}{} bra {}_skip;\n", negated ? "" : "!", skip_unless.substr(negated ? 1 : 0), label);
  }
  for (const auto& [passes, members] : of_passes) {
    const std::string here = fmt::format("{}_{}", label, passes);
    text += passes_text(here, passes);
    for (const Accumulator* member : members) text += sum_text(plan, *member);
    text += fmt::format("bra {0}_next;\n{0}_broken:\n", here);
    for (const Accumulator* member : members)
      text += fmt::format("mov.u64 %lanescope_b, {:#x};\nst.global.u32 [%lanescope_b], 1;\n",
                          plan.address + plan.broken_at() + uint64_t{member->place.site} * sizeof(uint32_t));
    text += here + "_next:\n";
  }
  return text + label + "_skip:\n}\n";
}

}  // namespace lanescope::gpu
