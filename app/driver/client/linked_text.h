// PTX of several inputs as one text: of one input as it came, of several one behind the other, without the
// later ones' headers, which resolves what is declared .extern in one and defined .visible in another.
// Test: tests/unit/driver/client/*
#pragma once

#include <stddef.h>

struct LinkedText {
  char* text;  // ended by a zero byte that does not count; whoever holds it frees it
  size_t size;
  int inputs;
};

/// False without memory, or where the text is longer than what may be passed to `lanescope run`.
int append_ptx(struct LinkedText* linked, const char* text, size_t size);
