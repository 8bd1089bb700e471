// The failure of a kernel: from then on everything that needs a context answers with it, as on a GPU until
// the process ends. Here it also ends where the program asks for its launches, as a cell of a notebook does:
// the next cell begins anew. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"

/// CUDA_SUCCESS where no kernel has failed.
CUresult kernel_failure(void);

/// The first result that a failed kernel gives stays; a launch that was not made is none.
void note_launch(CUresult result);

void forget_failure(void);
