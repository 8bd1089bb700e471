// The report of what the assembler made of a kernel, of a level made by hand.

#include "export/machine_report.h"

#include "support/project.h"

#include <gmock/gmock.h>

namespace lanescope::exporting {
namespace {

using sass::Fate;

class MachineReport : public testing::Test {
 protected:
  MachineReport() {
    trace_.block = {256, 1, 1};
    trace_.registers_per_thread = 40;
    level_.arch = "sm_90";
    level_.registers = 40;
    level_.match.accesses = {{.opcode = 0x184, .space = sass::MachineSpace::Shared, .bytes = 8},
                             {.opcode = 0x181, .space = sass::MachineSpace::Global, .bytes = 4}};
    add({MemorySpace::Shared, MemoryKind::Load, 4}, 7, {.fate = Fate::Merged, .merged = 0});
    add({MemorySpace::Shared, MemoryKind::Load, 4}, 8, {.fate = Fate::Merged, .merged = 0});
    add({MemorySpace::Constant, MemoryKind::Load, 4}, 9, {.fate = Fate::Removed});
    add({MemorySpace::Global, MemoryKind::Load, 16}, 11, {.fate = Fate::Narrower, .instructions = {1}});
    add({MemorySpace::Global, MemoryKind::Load, 4}, 12, {.fate = Fate::Same, .instructions = {1}});
    level_.match.merged.push_back(
        {.space = MemorySpace::Shared, .bytes = 8, .sites = {0, 1}, .instructions = {0}});
    level_.merged.push_back({.totals = {.requests = 1500, .lanes = 48000, .wavefronts = 3000}});
  }

  void add(MemoryOperation operation, int line, sass::SiteMatch match) {
    const bool is_shared = operation.space == MemorySpace::Shared;
    trace_.sites.push_back({.id = {static_cast<uint32_t>(trace_.sites.size())},
                            .operation = operation,
                            .source = {"k.cu", line},
                            .source_text = {},
                            .ptx_text = {}});
    level_.match.sites.push_back(std::move(match));
    level_.operations.push_back(operation);
    level_.ptx_totals.push_back({.requests = 1500, .lanes = 48000, .wavefronts = is_shared ? 1500u : 0u});
  }

  model::Device device_ = model::find_device(tests::source_dir() / "assets/devices", "h200").value();
  trace::Trace trace_;
  sass::MachineLevel level_;
};

TEST_F(MachineReport, names_each_line_that_differs) {
  EXPECT_EQ(
      machine_text(trace_, level_, device_),
      "machine code for sm_90: 40 registers per thread, no local memory\n"
      "room for 6 blocks of 256 threads on a multiprocessor of NVIDIA H200, 48 of its 64 warps; limit: "
      "registers\n"
      "6,000 of 7,500 requests of the PTX are matched with it\n"
      "  k.cu:7, 8: 2 shared loads of 4 bytes of the PTX are LDS.64 in the machine code: requests 3,000 "
      "-> 1,500, "
      "wavefronts 3,000 -> 3,000\n"
      "  k.cu:9: 1 constant load of 4 bytes of the PTX is no instruction: the data stay in registers, "
      "or are an "
      "operand: requests 1,500 -> 0\n"
      "  k.cu:11: 1 global load of 16 bytes of the PTX: LDG moves a part of the bytes; which is not known, "
      "so it "
      "counts as in the PTX\n");
}

TEST_F(MachineReport, says_what_is_spilled_and_what_is_a_guess) {
  level_.stack_bytes = 16;
  level_.match.spills = {0};
  level_.merged[0].uneven = 12;
  const std::string text = machine_text(trace_, level_, device_);
  EXPECT_TRUE(
      text.contains("16 bytes of local memory per thread, 1 instruction for spilled registers, which are not "
                    "counted"))
      << text;
  EXPECT_TRUE(text.contains("; 12 accesses do not fit its windows, so this count is a guess")) << text;
  const Json json = machine_json(trace_, level_, device_);
  EXPECT_EQ(json["spill_instructions"], 1);
  EXPECT_EQ(json["differences"][0]["uneven"], 12);
  EXPECT_EQ(json["differences"].size(), 3u);
}

TEST_F(MachineReport, a_part_that_is_known_has_counts) {
  level_.match.sites[3].merged = 1;
  level_.match.merged.push_back(
      {.space = MemorySpace::Global, .bytes = 4, .first_byte = 8, .sites = {3}, .instructions = {1}});
  level_.merged.push_back({.totals = {.requests = 1500, .lanes = 48000}});
  EXPECT_TRUE(machine_text(trace_, level_, device_)
                  .contains("  k.cu:11: 1 global load of 16 bytes of the PTX: LDG moves a part of the bytes: "
                            "requests 1,500 -> 1,500\n"));
}

TEST_F(MachineReport, says_what_local_memory_is_for) {
  level_.local = {.arrays = {{.bytes = 12, .lines = {{"k.cu", 7}, {"k.cu", 9}}}},
                  .spills = {{.where = {"k.cu", 12}, .stores = 2}, {.where = {"k.cu", 30}, .loads = 1}},
                  .spilled_bytes = 8};
  const std::string text = machine_text(trace_, level_, device_);
  EXPECT_TRUE(
      text.contains("\n  k.cu:7, k.cu:9: indexed by a variable: 12 bytes of each thread in local memory\n"
                    "  spilled by the assembler: 8 bytes of each thread; k.cu:12 (2 stores), k.cu:30 (1 "
                    "load)\n"))
      << text;
  const Json json = machine_json(trace_, level_, device_)["local_memory"];
  EXPECT_EQ(json["arrays"][0]["lines"][1]["line"], 9);
  EXPECT_EQ(json["spilled_bytes"], 8);
  EXPECT_EQ(json["spills"][0]["stores"], 2);
}

TEST_F(MachineReport, says_where_the_lanes_of_a_divergent_line_wait) {
  // 8 of 32 lanes load in line 12, at 0x20.
  level_.ptx_totals[4].lanes = 12000;
  level_.match.accesses[1].pc = 0x20;
  const auto line_of = [&] {
    const std::string text = machine_text(trace_, level_, device_);
    return text.substr(text.rfind("  k.cu:12"));
  };
  EXPECT_EQ(line_of(),
            "  k.cu:12: 8.0 of 32 lanes on average; no barrier encloses it, so the machine code does not say "
            "where they reconverge; counted as they do in the PTX\n");
  level_.reconvergence.kind = sass::Reconvergence::Kind::AtBarriers;
  EXPECT_EQ(
      line_of(),
      "  k.cu:12: 8.0 of 32 lanes on average; no barrier encloses it, so lanes that parted stay apart\n");
  level_.reconvergence.kind = sass::Reconvergence::Kind::Unknown;
  EXPECT_THAT(line_of(),
              testing::EndsWith("does not follow from its barriers: lanes are those of the PTX\n"));
  level_.reconvergence = {};
  using Kind = sass::ConvergenceInstruction::Kind;
  level_.convergence = {{.kind = Kind::Bssy, .pc = 0x10, .target = 0x40, .where = {"k.cu", 10}},
                        {.kind = Kind::Bsync, .pc = 0x30, .where = {"k.cu", 14}}};
  EXPECT_EQ(
      line_of(),
      "  k.cu:12: 8.0 of 32 lanes on average; those that pass k.cu:10 (BSSY at 0x10) wait for each other "
      "at k.cu:14 (BSYNC at 0x30)\n");
  const Json json = machine_json(trace_, level_, device_)["divergence"];
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["how"], "barrier");
  EXPECT_EQ(json[0]["bsync"]["line"], 14);
  level_.match.accesses[1].is_guarded = true;
  EXPECT_TRUE(
      line_of().contains("(BSYNC at 0x30); it has a predicate, too, which may be false in some of them\n"));
  level_.convergence.clear();
  EXPECT_EQ(line_of(),
            "  k.cu:12: 8.0 of 32 lanes on average; the others have a false predicate: no lane branches or "
            "waits\n");
}

TEST_F(MachineReport, keeps_a_terminal_from_the_names_of_files) {
  trace_.sites[0].source.file = trace_.sites[1].source.file = "a\x1b[31m.cu";
  EXPECT_FALSE(machine_text(trace_, level_, device_).contains('\x1b'));
}

}  // namespace
}  // namespace lanescope::exporting
