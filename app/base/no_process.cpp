// Replaces limited_process.cpp in a browser, which runs no other program.

#include "base/limited_process.h"

namespace lanescope {

Result<Ended> run_limited(const std::vector<std::string>&, const Limits&) {
  return fail(ErrorKind::File, "a browser runs no other program; this needs Lanescope on your own machine");
}

}  // namespace lanescope
