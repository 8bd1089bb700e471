// Outcomes of a sweep's runs, kept between starts: a file for each in the cache folder, named by its content.
// Method: the name is a hash of the kernel's text, toggles and launch, of the device's numbers, and of the
// program that ran and modelled it, so that nothing old is found after any of them changes. Tests:
// tests/unit/study/study_store_test.cpp

#pragma once

#include "pipeline/job.h"
#include "study/study_run.h"

#include <filesystem>
#include <memory>
#include <string>

namespace lanescope::study {

/// Whether outcomes of this run are kept: one of a sweep, of which the figure shows totals alone.
bool is_kept(const StudyRun& run);
/// 32 hexadecimal digits. `shapes`: recordings::launch_shapes().
std::string name_of_outcome(const StudyRun& run, const pipeline::Job& job, const std::string& shapes);

/// Null where there is none, or none that can be read.
std::shared_ptr<const StudyOutcome> read_outcome(const std::filesystem::path& folder,
                                                 const std::string& name);
/// A file that cannot be written is left out: it is only a cache.
void write_outcome(const std::filesystem::path& folder, const std::string& name, const StudyOutcome& outcome);

}  // namespace lanescope::study
