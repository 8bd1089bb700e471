#include "plot/difference.h"

#include "base/number.h"

namespace lanescope::plot {

std::string difference_text(Language language, double now, double in_a) {
  if (now == in_a) return std::string(say(language, Text::figure_as_in_a));
  if (now == 0 || in_a == 0) return phrase(language, Text::figure_in_a, decimal(language, in_a));
  return now < in_a ? phrase(language, Text::figure_fewer, decimal(language, in_a / now))
                    : phrase(language, Text::figure_more, decimal(language, now / in_a));
}

std::string difference_text(Language language, std::span<const Headline> now, size_t index,
                            std::span<const Headline> in_a) {
  if (index >= now.size() || index >= in_a.size() || now.size() != in_a.size()) return {};
  const auto &mine = now[index].amount, &others = in_a[index].amount;
  if (!mine || !others || *mine == *others) return {};
  return difference_text(language, *mine, *others);
}

}  // namespace lanescope::plot
