#include "driver/client/linked_text.h"

#include "driver/messages.h"

#include <stdlib.h>
#include <string.h>

static int append(struct LinkedText* linked, const char* data, size_t size) {
  char* longer =
      size <= LANESCOPE_MOST_PAYLOAD - linked->size ? realloc(linked->text, linked->size + size + 1) : NULL;
  if (!longer) return 0;
  memcpy(longer + linked->size, data, size);
  linked->text = longer;
  linked->size += size;
  longer[linked->size] = 0;
  return 1;
}

static int is_header(const char* line, const char* end) {
  static const char* const directives[] = {".version", ".target", ".address_size"};
  while (line < end && (*line == ' ' || *line == '\t')) ++line;
  for (int n = 0; n < 3; ++n)
    if ((size_t)(end - line) > strlen(directives[n]) &&
        strncmp(line, directives[n], strlen(directives[n])) == 0)
      return 1;
  return 0;
}

int append_ptx(struct LinkedText* linked, const char* text, size_t size) {
  const char* end = text + size;
  if (linked->inputs++ == 0) return append(linked, text, size);
  if (!append(linked, "\n", 1)) return 0;
  while (text < end) {
    const char* newline = memchr(text, '\n', (size_t)(end - text));
    const char* next = newline ? newline + 1 : end;
    // A header line becomes an empty line, which keeps the line numbers.
    const int is_added =
        is_header(text, next) ? append(linked, "\n", 1) : append(linked, text, (size_t)(next - text));
    if (!is_added) return 0;
    text = next;
  }
  return 1;
}
