// Settings of a lesson in JSON, as a handout's page and its module exchange them: "kernel" and each toggle.

#pragma once

#include "export/json.h"
#include "lesson/lesson.h"

namespace lanescope::handout {

inline exporting::Json json_of(const lesson::Settings& settings) {
  exporting::Json json{{"kernel", settings.kernel}};
  for (const auto& [name, value] : settings.values) json[name] = value;
  return json;
}

}  // namespace lanescope::handout
