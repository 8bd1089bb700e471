#include "sass/repeated_sectors.h"

#include <algorithm>
#include <array>
#include <span>

namespace lanescope::sass {

uint64_t repeated_sectors(const trace::WarpAccess& access) {
  constexpr uint64_t kSectorBytes = 32;
  std::array<uint64_t, kLanes> list{};
  size_t count = 0;
  trace::for_each_address(access, [&](int, int, uint64_t address) { list[count++] = address; });
  const std::span addresses(list.data(), count);
  std::ranges::sort(addresses);
  uint64_t repeated = 0;
  uint64_t most = 0;  // lanes at one address of the sector, but for one
  for (size_t n = 0, same = 0; n < count; ++n) {
    const bool is_new = n == 0 || addresses[n] != addresses[n - 1];
    same = is_new ? 0 : same + 1;
    if (n != 0 && addresses[n] / kSectorBytes != addresses[n - 1] / kSectorBytes) {
      repeated += most;
      most = 0;
    }
    most = std::max<uint64_t>(most, same);
  }
  return repeated + most;
}

}  // namespace lanescope::sass
