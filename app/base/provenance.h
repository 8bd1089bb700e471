// Where a number comes from: every number on screen and in a file carries one of these.

#pragma once

#include <string_view>

namespace lanescope {

enum class Provenance {
  Measured,  // this machine's GPU
  Recorded,  // a GPU's run stored in assets/recordings, with its GPU, driver and date
  Emulated,  // counted from the addresses that the emulator executed
  Traced,    // counted from the addresses that a GPU executed and recorded; no counter of the hardware
  Modelled,  // a documented model; where NVIDIA documents nothing, it says so
};

constexpr std::string_view name_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::Measured:
      return "measured";
    case Provenance::Recorded:
      return "recorded";
    case Provenance::Emulated:
      return "emulated";
    case Provenance::Traced:
      return "traced";
    case Provenance::Modelled:
      return "modelled";
  }
  return "unknown";
}

}  // namespace lanescope
