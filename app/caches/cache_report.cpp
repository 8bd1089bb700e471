#include "caches/cache_report.h"

namespace lanescope::caches {

Sectors& Sectors::operator+=(const Sectors& other) {
  requests += other.requests;
  tag_cycles += other.tag_cycles;
  data_cycles += other.data_cycles;
  sectors += other.sectors;
  hits += other.hits;
  return *this;
}

SiteCaches& SiteCaches::operator+=(const SiteCaches& other) {
  l1 += other.l1;
  from_l2 += other.from_l2;
  from_dram += other.from_dram;
  packets_to_l2 += other.packets_to_l2;
  packets_from_l2 += other.packets_from_l2;
  return *this;
}

}  // namespace lanescope::caches
