// Which programs a person allowed to run, kept between starts. Method: one file of the person's configuration
// with a table for each program, the latest last, written whole. A file that another program damaged is no
// answer: the person is asked again. Tests: tests/unit/session/program_answers_test.cpp

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lanescope::session {

struct ProgramAnswer {
  enum class May : uint8_t { Run, NotRun } may = May::NotRun;
  std::string key;  // of the text that it is about (session/active_program.h)
};

/// Nothing where there is none, or `answers` cannot be read. An empty `answers` keeps none.
std::optional<ProgramAnswer> find_answer(const std::filesystem::path& answers,
                                         const std::filesystem::path& source);
/// In place of an earlier answer for this source. A file that cannot be written keeps nothing.
void keep_answer(const std::filesystem::path& answers, const std::filesystem::path& source,
                 const ProgramAnswer& answer);

}  // namespace lanescope::session
