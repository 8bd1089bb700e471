// Programs of the kind that people ask about in public, and the answers that they agreed on: counts, the line
// of a mistake, or that there is none (tests/data/questions).

#include "support/program.h"
#include "support/project.h"
#include "support/source_program_test.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

std::string file_of(const std::string& name) {
  return tests::source_dir() / "tests/data/questions" / (name + ".cu");
}

/// The line that "// HERE NAME" marks, from 1.
int line_of(const std::string& file, const std::string& name) {
  std::ifstream stream(file_of(file));
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.ends_with("// HERE " + name)) return number;
  }
  ADD_FAILURE() << file << " marks no line of " << name;
  return 0;
}

class Questions : public tests::SourceProgramTest {};

/// The program's only launch, as JSON.
nlohmann::json launch_of(const std::string& file, const std::string& kernel, int status,
                         const std::vector<std::string>& options = {}) {
  std::vector<std::string> words{"trace", file_of(file), "--json"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", kernel});
  const tests::Finished done = tests::run_program(words);
  EXPECT_EQ(done.status, status) << kernel << ": " << done.error;
  const auto json = nlohmann::json::parse(done.output, nullptr, false);
  if (!json.is_object() || json["launches"].size() != 1) {
    ADD_FAILURE() << kernel << " was not launched once: " << done.error;
    return {{"hazards", nlohmann::json::array()}, {"totals", nlohmann::json::object()}};
  }
  return json["launches"][0];
}

/// Whether a hazard of this kind names the line, as its own or as that of the other side.
bool has_hazard(const nlohmann::json& launch, const std::string& kind, int line) {
  return std::ranges::any_of(launch["hazards"], [&](const nlohmann::json& hazard) {
    const bool is_there =
        hazard["line"] == line || (hazard.contains("other") && hazard["other"]["line"] == line);
    return hazard["kind"] == kind && is_there;
  });
}

TEST_F(Questions, bank_conflicts_have_the_counts_that_profilers_give) {
  struct Case {
    const char* kernel;
    uint64_t store_excess, load_excess;  // wavefronts beyond the ideal
  };
  // By hand: four rows of eight lanes in two blocks (3 a warp); two rows that are a word
  // apart, one more for each of 8 warps and 4 stores, and for the load; 31 more for each of 32 warps.
  for (const Case& one : {Case{"stride_four", 6, 6}, Case{"rows_of_65", 32, 8}, Case{"column", 0, 992},
                          Case{"vectors", 0, 0}}) {
    const auto totals = launch_of("counts", one.kernel, 0)["totals"];
    const auto excess = [&](const char* kind) {
      return totals[kind]["wavefronts"].get<uint64_t>() - totals[kind]["ideal_wavefronts"].get<uint64_t>();
    };
    EXPECT_EQ(excess("shared_store"), one.store_excess) << one.kernel;
    EXPECT_EQ(excess("shared_load"), one.load_excess) << one.kernel;
  }
  const auto padded = launch_of("counts", "column", 0, {"-D", "PAD=1"})["totals"]["shared_load"];
  EXPECT_EQ(padded["wavefronts"], padded["ideal_wavefronts"]);
}

TEST_F(Questions, sectors_follow_alignment_and_stride) {
  EXPECT_EQ(launch_of("counts", "after_header", 0)["totals"]["global_load"]["sectors"], 5);
  EXPECT_EQ(launch_of("counts", "every_eighth", 0)["totals"]["global_load"]["sectors"], 32);
  EXPECT_EQ(launch_of("counts", "triples", 0)["totals"]["global_load"]["sectors"], 36);
}

TEST_F(Questions, races_are_found_at_their_lines) {
  for (const char* kernel :
       {"total_for_all", "warp_sum", "prefix_in_place", "refilled", "in_turn", "rounds", "copied_row"}) {
    const auto launch = launch_of("races", kernel, 1);
    EXPECT_TRUE(has_hazard(launch, "race", line_of("races", kernel)))
        << kernel << ": " << launch["hazards"].dump(1);
  }
}

TEST_F(Questions, mistakes_that_stop_a_kernel_are_found_at_their_lines) {
  struct Case {
    const char *kernel, *kind;
  };
  for (const auto& [kernel, kind] :
       {Case{"wide_rows", "misaligned"}, Case{"halo", "out_of_bounds"}, Case{"no_bins", "out_of_bounds"},
        Case{"uneven", "divergent_barrier"}, Case{"small_mask", "divergent_barrier"},
        Case{"overflow", "out_of_bounds"}}) {
    const auto launch = launch_of("stops", kernel, 1);
    EXPECT_TRUE(has_hazard(launch, kind, line_of("stops", kernel)))
        << kernel << ": " << launch["hazards"].dump(1);
  }
}

TEST_F(Questions, a_pointer_of_the_host_is_told_as_one) {
  const auto launch = launch_of("stops", "host_pointer", 1);
  EXPECT_TRUE(has_hazard(launch, "out_of_bounds", line_of("stops", "host_pointer")));
  EXPECT_THAT(launch["hazards"].dump(), testing::HasSubstr("an address of the host"));
}

TEST_F(Questions, correct_programs_are_not_accused) {
  for (const char* kernel : {"exchanges", "phases", "smooth", "not_taken", "carved"}) {
    const auto launch = launch_of("right", kernel, 0);
    EXPECT_TRUE(launch["hazards"].empty()) << kernel << ": " << launch["hazards"].dump(1);
  }
}

}  // namespace
}  // namespace lanescope
