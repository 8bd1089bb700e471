#include "driver/client/captured_point.h"

#include <stdlib.h>
#include <string.h>

void clear_point(struct CapturedPoint* point) {
  free(point->nodes);
  *point = (struct CapturedPoint){0};
}

CUresult set_point(struct CapturedPoint* point, uint64_t capture, const CUgraphNode* nodes, size_t count) {
  CUgraphNode* copy = malloc((count + 1) * sizeof *copy);
  if (!copy) return CUDA_ERROR_OUT_OF_MEMORY;
  if (count > 0) memcpy(copy, nodes, count * sizeof *copy);
  free(point->nodes);
  *point = (struct CapturedPoint){capture, copy, count};
  return CUDA_SUCCESS;
}

CUresult add_to_point(struct CapturedPoint* point, const CUgraphNode* nodes, size_t count) {
  CUgraphNode* all = malloc((point->count + count + 1) * sizeof *all);
  size_t known = point->count;
  if (!all) return CUDA_ERROR_OUT_OF_MEMORY;
  if (known > 0) memcpy(all, point->nodes, known * sizeof *all);
  for (size_t n = 0; n < count; ++n) {
    size_t at = 0;
    while (at < known && all[at] != nodes[n]) ++at;
    if (at == known) all[known++] = nodes[n];
  }
  free(point->nodes);
  point->nodes = all;
  point->count = known;
  return CUDA_SUCCESS;
}
