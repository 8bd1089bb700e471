// Where a session works.

#pragma once

#include <cstdint>

namespace lanescope::session {

/// On a thread of its own, or in Session::pump(), where there are no threads.
enum class Engine : uint8_t { Thread, Pumped };

}  // namespace lanescope::session
