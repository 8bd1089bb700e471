#include "driver/forward/kept_module.h"

#include "driver/client/image.h"
#include "driver/forward/real_driver.h"
#include "driver/forward/run_report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kChains = 1024 };

struct Module {
  void* image;  // null: none is kept
  size_t size;
  uint64_t contents;
  const void* library;  // that a module is an alias of
  int is_library;
};

struct Kernel {
  char* name;
  const void* module;
};

struct Entry {
  const void* handle;
  union {
    struct Module module;
    struct Kernel kernel;
  };
  struct Entry* next;
};

static struct Entry *modules[kChains], *kernels[kChains];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of both

/// The link to the entry, or to the end of its chain. With the lock held.
static struct Entry** entry_at(struct Entry** table, const void* handle) {
  struct Entry** at = &table[((uintptr_t)handle >> 4) * 0x9E3779B97F4A7C15u >> 40 & (kChains - 1)];
  while (*at && (*at)->handle != handle) at = &(*at)->next;
  return at;
}

/// A new or emptied entry; null without memory. With the lock held.
static struct Entry* make_entry(struct Entry** table, const void* handle) {
  struct Entry** at = entry_at(table, handle);
  if (!*at && (*at = calloc(1, sizeof **at))) (*at)->handle = handle;
  return *at;
}

/// FNV-1a over words: equal contents have equal numbers.
static uint64_t number_of(const char* data, size_t size) {
  uint64_t number = 14695981039346656037u;
  for (size_t n = 0; n < size; n += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, data + n, size - n < sizeof word ? size - n : sizeof word);
    number = (number ^ word) * 1099511628211u;
    number ^= number >> 32;
  }
  return number | 1;
}

static void enter_module(const void* handle, const struct Module* made) {
  pthread_mutex_lock(&lock);
  struct Entry* entry = make_entry(modules, handle);
  if (entry) {
    free(entry->module.image);
    entry->module = *made;
  } else {
    free(made->image);
  }
  pthread_mutex_unlock(&lock);
}

void keep_text(const void* module, const char* text, size_t size, int is_library) {
  struct Module made = {.contents = number_of(text, size), .is_library = is_library};
  if (wants_captures() && (made.image = malloc(size))) {
    memcpy(made.image, text, size);
    made.size = size;
  }
  enter_module(module, &made);
}

void keep_module(const void* module, const void* image, int is_library) {
  char sentence[512];
  struct Image measured;
  const struct Module unknown = {.is_library = is_library};
  if (image && measure_image(image, &measured, sentence, sizeof sentence) == CUDA_SUCCESS) {
    keep_text(module, measured.data, measured.size, is_library);
    free_image(&measured);
  } else {
    enter_module(module, &unknown);
  }
}

void keep_alias(const void* module, const void* library) {
  const struct Module made = {.library = library};
  enter_module(module, &made);
}

static void drop_chains(struct Entry** table, int (*is_gone)(const struct Entry*, const void*),
                        void (*release)(struct Entry*), const void* module) {
  for (int n = 0; n < kChains; ++n)
    for (struct Entry** at = &table[n]; *at;) {
      struct Entry* entry = *at;
      if (!is_gone(entry, module)) {
        at = &entry->next;
        continue;
      }
      *at = entry->next;
      release(entry);
      free(entry);
    }
}

static int is_module(const struct Entry* entry, const void* module) {
  return entry->handle == module || entry->module.library == module;
}
static int is_kernel_of(const struct Entry* entry, const void* module) {
  return entry->kernel.module == module;
}
static void release_module(struct Entry* entry) { free(entry->module.image); }
static void release_kernel(struct Entry* entry) { free(entry->kernel.name); }

void drop_module(const void* module) {
  pthread_mutex_lock(&lock);
  drop_chains(kernels, is_kernel_of, release_kernel, module);
  drop_chains(modules, is_module, release_module, module);
  pthread_mutex_unlock(&lock);
}

/// With the lock held.
static void enter_kernel(const void* handle, const void* module, const char* name) {
  char* copy = strdup(name);
  struct Entry* entry = copy ? make_entry(kernels, handle) : NULL;
  if (!entry) return free(copy);
  free(entry->kernel.name);
  entry->kernel = (struct Kernel){copy, module};
}

void keep_kernel(const void* kernel, const void* module, const char* name) {
  pthread_mutex_lock(&lock);
  enter_kernel(kernel, module, name);
  pthread_mutex_unlock(&lock);
}

void keep_kernel_alias(const void* function, const void* kernel) {
  pthread_mutex_lock(&lock);
  const struct Entry* known = *entry_at(kernels, kernel);
  if (known && function != kernel) enter_kernel(function, known->kernel.module, known->kernel.name);
  pthread_mutex_unlock(&lock);
}

/// Keeps the name and module that the driver has for a kernel: one that the program did not get by name, such
/// as those of an enumeration.
static void ask_driver(const void* handle) {
  const char* name = NULL;
  CUmodule module = NULL;
  CUlibrary library = NULL;
  if (REAL(cuFuncGetName)(&name, (CUfunction)handle) == CUDA_SUCCESS && name) {
    REAL(cuFuncGetModule)(&module, (CUfunction)handle);
    keep_kernel(handle, module, name);
  } else if (REAL(cuKernelGetName)(&name, (CUkernel)handle) == CUDA_SUCCESS && name) {
    REAL(cuKernelGetLibrary)(&library, (CUkernel)handle);
    keep_kernel(handle, library, name);
  }
}

/// Entry of a module, or of its library if the module is an alias; null if none is kept. With the lock held.
static const struct Entry* module_entry(const void* handle) {
  const struct Entry* entry = handle ? *entry_at(modules, handle) : NULL;
  return entry && entry->module.library ? *entry_at(modules, entry->module.library) : entry;
}

static int copy_kernel(const void* handle, struct KernelName* found) {
  pthread_mutex_lock(&lock);
  const struct Entry* entry = *entry_at(kernels, handle);
  if (entry) {
    const struct Entry* module = module_entry(entry->kernel.module);
    *found = (struct KernelName){.module = module ? module->handle : entry->kernel.module,
                                 .is_of_library = module && module->module.is_library,
                                 .contents = module ? module->module.contents : 0};
    strncpy(found->name, entry->kernel.name, sizeof found->name - 1);
  }
  pthread_mutex_unlock(&lock);
  return entry != NULL;
}

int find_kernel(const void* kernel, struct KernelName* found) {
  if (copy_kernel(kernel, found)) return 1;
  ask_driver(kernel);
  return copy_kernel(kernel, found);
}

void* copy_image(const void* module, size_t* size) {
  pthread_mutex_lock(&lock);
  const struct Entry* entry = module_entry(module);
  void* copy = entry && entry->module.image ? malloc(entry->module.size) : NULL;
  if (copy) {
    memcpy(copy, entry->module.image, entry->module.size);
    *size = entry->module.size;
  }
  pthread_mutex_unlock(&lock);
  return copy;
}
