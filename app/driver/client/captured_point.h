// Point that a captured stream, or an event that was recorded in one, has reached (capture.h): the nodes that
// the next work comes after. Test: tests/unit/driver/client/capture_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <stddef.h>
#include <stdint.h>

struct CapturedPoint {
  uint64_t capture;  // its number; 0: none
  CUgraphNode* nodes;
  size_t count;
};

void clear_point(struct CapturedPoint* point);

CUresult set_point(struct CapturedPoint* point, uint64_t capture, const CUgraphNode* nodes, size_t count);

/// Adds those of the nodes that the point does not have.
CUresult add_to_point(struct CapturedPoint* point, const CUgraphNode* nodes, size_t count);
