// Table of the launches of a run, by kernel. Tests: tests/unit/driver/launch_record_test.cpp

#pragma once

#include "driver/server/launch_records.h"
#include "driver/server/library_calls.h"

#include <string>
#include <vector>

namespace lanescope::driver {

/// Table with a row for each kernel, in the order of their first launches: number of the first launch from 1,
/// launches, shapes, costs against their ideal, findings, time of the emulator, time on the GPU if it ran
/// there. Kernels of one name in different modules have a row each: "add", "add (2)". Then a row for each
/// function of a library, with calls and seconds alone. Then a line with the kernels that took most of more
/// than 5 s, and a line for each kernel with launches that were not run, since they would repeat another.
std::string table_of(const LaunchRecords& records, const std::vector<LibraryCalls>& library_calls = {});

}  // namespace lanescope::driver
