// PTX of several inputs joined to one text, without the headers of the second and later inputs. This resolves
// a symbol that one input declares .extern and another defines .visible. A single input stays as it is.
// Test: tests/unit/driver/client/*
#pragma once

#include <stddef.h>

struct LinkedText {
  char* text;  // ended by a zero byte that `size` does not count; the owner of the struct frees it
  size_t size;
  int inputs;
};

/// Appends an input. False without memory, or if the text gets longer than LANESCOPE_MOST_PAYLOAD.
int append_ptx(struct LinkedText* linked, const char* text, size_t size);
