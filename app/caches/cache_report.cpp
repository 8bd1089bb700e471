#include "caches/cache_report.h"

namespace lanescope::caches {

Sectors& Sectors::operator+=(const Sectors& other) {
  requests += other.requests;
  lines += other.lines;
  sectors += other.sectors;
  hits += other.hits;
  return *this;
}

SiteCaches& SiteCaches::operator+=(const SiteCaches& other) {
  l1 += other.l1;
  from_l2 += other.from_l2;
  from_dram += other.from_dram;
  lines_to_l2 += other.lines_to_l2;
  return *this;
}

uint64_t CacheReport::lines_to_l2() const {
  uint64_t lines = 0;
  for (const SiteCaches& site : sites) lines += site.lines_to_l2;
  return lines;
}

}  // namespace lanescope::caches
