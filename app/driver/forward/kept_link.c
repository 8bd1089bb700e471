#include "driver/forward/kept_link.h"

#include "driver/client/linked_text.h"
#include "driver/forward/run_report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kElfHeader = 64 };

struct Link {
  CUlinkState state;
  struct LinkedText linked;
  int lacks_text;  // an input had none
  struct Link* next;
};

struct Result {
  void* cubin;
  size_t cubin_size;
  char* text;
  size_t size;
  struct Result* next;
};

static struct Link* links;
static struct Result* results;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of both

/// Link to the entry of this state, or to the end. With the lock held.
static struct Link** link_at(CUlinkState state) {
  struct Link** at = &links;
  while (*at && (*at)->state != state) at = &(*at)->next;
  return at;
}

static int is_text(CUjitInputType type, const void* data, size_t size) {
  const int is_elf = size >= 4 && memcmp(data, "\177ELF", 4) == 0;
  return type == CU_JIT_INPUT_PTX || (type == CU_JIT_INPUT_CUBIN && !is_elf);
}

void keep_input(CUlinkState state, CUjitInputType type, const void* data, size_t size, const char* name) {
  if (!wants_captures()) return;
  // CUDA's device library: the emulator has the functions that kernels call.
  if (type == CU_JIT_INPUT_LIBRARY && name && strstr(name, "cudadevrt")) return;
  pthread_mutex_lock(&lock);
  struct Link** at = link_at(state);
  if (!*at && (*at = calloc(1, sizeof **at))) (*at)->state = state;
  if (*at && (!data || !is_text(type, data, size) || !append_ptx(&(*at)->linked, data, strnlen(data, size))))
    (*at)->lacks_text = 1;
  pthread_mutex_unlock(&lock);
}

void keep_linked(CUlinkState state, const void* cubin, size_t size) {
  if (!wants_captures()) return;
  pthread_mutex_lock(&lock);
  struct Link* link = *link_at(state);
  struct Result* made = link && !link->lacks_text && link->linked.text ? calloc(1, sizeof *made) : NULL;
  if (made && (made->cubin = malloc(size))) {
    memcpy(made->cubin, cubin, size);
    made->cubin_size = size;
    made->text = link->linked.text;
    made->size = link->linked.size;
    link->linked = (struct LinkedText){0};
    made->next = results;
    results = made;
  } else {
    free(made);
  }
  pthread_mutex_unlock(&lock);
}

void drop_link(CUlinkState state) {
  pthread_mutex_lock(&lock);
  struct Link** at = link_at(state);
  struct Link* gone = *at;
  if (gone) {
    *at = gone->next;
    free(gone->linked.text);
    free(gone);
  }
  pthread_mutex_unlock(&lock);
}

/// True if the image, whose size is not known, is this result. Equal ELF headers mean equal sizes, so the
/// rest is compared only then.
static int is_result(const struct Result* result, const char* image) {
  return result->cubin_size > kElfHeader && strncmp(image, "\177ELF", 4) == 0 &&
         memcmp(result->cubin, image, kElfHeader) == 0 &&
         memcmp(result->cubin, image, result->cubin_size) == 0;
}

char* text_of_linked(const void* image, size_t* size) {
  char* text = NULL;
  if (!image) return NULL;
  pthread_mutex_lock(&lock);
  for (const struct Result* each = results; each && !text; each = each->next)
    if (is_result(each, image) && (text = malloc(each->size + 1))) {
      memcpy(text, each->text, each->size);
      *size = each->size;
    }
  pthread_mutex_unlock(&lock);
  return text;
}
