#include "driver/client/module.h"

#include "driver/client/connection.h"
#include "driver/client/device.h"
#include "driver/client/image.h"
#include "driver/client/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Variable {
  char* name;
  CUdeviceptr address;
  size_t size;
  struct Variable* next;
};

struct Module {
  struct Handle handle;
  uint64_t number;  // the server's
  struct Function* functions;
  struct Variable* variables;
  int has_all_variables;  // `variables` has all variables of the PTX
  struct Module* next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of the lists of all modules
static struct Module* modules;

struct Module* checked_module(const void* handle) { return live_handle(kModuleHandle, handle); }

struct Function* checked_function(const void* handle) { return live_handle(kFunctionHandle, handle); }

void write_error_log(unsigned int count, const CUjit_option* options, void** values, const char* sentence) {
  char* buffer = NULL;
  size_t room = 0;
  for (unsigned int n = 0; options && values && n < count; ++n) {
    if (options[n] == CU_JIT_ERROR_LOG_BUFFER) buffer = values[n];
    if (options[n] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) room = (size_t)(uintptr_t)values[n];
  }
  const int written = buffer && room > 0 ? snprintf(buffer, room, "%s", sentence) : 0;
  for (unsigned int n = 0; options && values && n < count; ++n) {
    if (options[n] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      values[n] = (void*)(uintptr_t)(written < 0 ? 0 : (size_t)written < room ? (size_t)written : room - 1);
    if (options[n] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) values[n] = NULL;  // nothing was written
  }
}

/// Passes an image to the server. On failure `sentence` has the reason. The server itself notes an image that
/// it does not load.
static CUresult send_image(const char* function, const void* image, uint64_t* number, char* sentence,
                           size_t room) {
  struct Image measured;
  struct Reply reply;
  const CUresult measuring = measure_image(image, &measured, sentence, room);
  if (measuring != CUDA_SUCCESS) return refuse(measuring, "%s: %s", function, sentence);
  const struct iovec part = {(void*)measured.data, measured.size};
  const CUresult result = ask(kLanescopeLoadModule, 0, 0, &part, 1, &reply);
  free_image(&measured);
  *number = reply.r[0];
  if (result != CUDA_SUCCESS && reply.size > 0) {
    snprintf(sentence, room, "%s", reply.payload);
    complain_for_now("%s: %s", function, sentence);
  }
  free_reply(&reply);
  return result;
}

CUresult load_module(const char* function, const void* image, CUcontext context, unsigned int option_count,
                     CUjit_option* options, void** values, struct Module** module) {
  char sentence[1024] = "";
  uint64_t number = 0;
  if (!image || !module || (option_count > 0 && (!options || !values))) return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = send_image(function, image, &number, sentence, sizeof sentence);
  write_error_log(option_count, options, values, sentence);
  if (result != CUDA_SUCCESS) return result;
  struct Module* made = make_handle(kModuleHandle, sizeof *made, context);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  made->number = number;
  pthread_mutex_lock(&lock);
  made->next = modules;
  modules = made;
  pthread_mutex_unlock(&lock);
  *module = made;
  return CUDA_SUCCESS;
}

CUresult load_module_file(const char* function, const char* path, CUcontext context,
                          unsigned int option_count, CUjit_option* options, void** values,
                          struct Module** module) {
  char sentence[512];
  size_t size;
  if (!path) return CUDA_ERROR_INVALID_VALUE;
  char* image = read_image(path, &size, sentence, sizeof sentence);
  if (!image) {
    complain("%s: %s", function, sentence);
    return CUDA_ERROR_FILE_NOT_FOUND;
  }
  struct Image measured;
  CUresult result = measure_image(image, &measured, sentence, sizeof sentence);
  if (result == CUDA_SUCCESS && ((const char*)measured.data != image || measured.size > size)) {
    complain("%s: %s ends after %zu bytes, %zu were expected", function, path, size, measured.size);
    result = CUDA_ERROR_INVALID_IMAGE;
  } else {
    result = load_module(function, image, context, option_count, options, values, module);
  }
  free(image);
  return result;
}

/// "_Z1kPf" for "__nv_static_22__18d053db_5_st_cu_main__Z1kPf": nvcc -rdc=true puts the file, with the length
/// of its name, before what is static.
static const char* without_file(const char* name) {
  size_t length = 0;
  int begin = 0;
  if (sscanf(name, "__nv_static_%zu_%n", &length, &begin) != 1 || begin == 0) return name;
  return length + 1 < strlen(name + begin) ? name + begin + length + 1 : name;
}

/// Name of a kernel in the source: "add" for _Z3addPf, _ZN6cudapy8__main__3addB2v1E and add. Method: the last
/// of the names in the mangled name, each after its length. Source: Itanium C++ ABI, <nested-name>.
static char* title_of(const char* name) {
  const char* at = strncmp(name, "_ZN", 3) == 0 ? name + 3 : strncmp(name, "_Z", 2) == 0 ? name + 2 : "";
  const char* last = name;
  size_t size = strlen(name);
  while (*at >= '1' && *at <= '9') {
    char* begin;
    const unsigned long length = strtoul(at, &begin, 10);
    if (length > strlen(begin)) break;
    last = begin;
    size = length;
    at = begin + length;
    if (name[2] != 'N') break;
  }
  return strndup(last, size);
}

static void free_function(struct Function* gone) {
  free(gone->name);
  free(gone->title);
  free(gone->parameters);
  drop_handle(gone);
}

void unload_module(struct Module* module) {
  struct Reply reply;
  pthread_mutex_lock(&lock);
  for (struct Variable* each = module->variables; each;) {
    struct Variable* gone = each;
    each = each->next;
    unmap_variable(gone->address);
    free(gone->name);
    free(gone);
  }
  for (struct Function* each = module->functions; each;) {
    struct Function* gone = each;
    each = each->next;
    free_function(gone);
  }
  for (struct Module** each = &modules; *each; each = &(*each)->next)
    if (*each == module) {
      *each = module->next;
      break;
    }
  ask(kLanescopeUnloadModule, module->number, 0, NULL, 0, &reply);
  free_reply(&reply);
  drop_handle(module);
  pthread_mutex_unlock(&lock);
}

static struct Function* function_of_reply(struct Module* module, const char* name,
                                          const struct Reply* reply) {
  struct LanescopeFunction facts;
  if (reply->size < sizeof facts) return NULL;
  memcpy(&facts, reply->payload, sizeof facts);
  const size_t size = (size_t)facts.parameters * sizeof(struct LanescopeParameter);
  if (reply->size - sizeof facts < size) return NULL;
  struct Function* made = make_handle(kFunctionHandle, sizeof *made, module);
  if (!made) return NULL;
  made->module = module;
  made->number = reply->r[0];
  made->facts = facts;
  made->name = strdup(name);
  made->title = title_of(without_file(name));
  made->parameters = malloc(size + 1);
  made->carveout = -1;
  made->most_dynamic_shared_bytes =
      device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK) - (int)facts.static_shared_bytes;
  if (!made->name || !made->title || !made->parameters) {
    free_function(made);
    return NULL;
  }
  memcpy(made->parameters, reply->payload + sizeof facts, size);
  return made;
}

/// With the lock held.
static CUresult get_function(struct Module* module, const char* name, struct Function** found) {
  for (*found = module->functions; *found; *found = (*found)->next)
    if (strcmp((*found)->name, name) == 0) return CUDA_SUCCESS;
  struct Reply reply;
  CUresult result = ask_with_text(kLanescopeGetFunction, module->number, name, &reply);
  if (result == CUDA_SUCCESS && !(*found = function_of_reply(module, name, &reply)))
    result = CUDA_ERROR_OUT_OF_MEMORY;
  // No message for a missing name: programs look up names to see if they exist.
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_FOUND && reply.size > 0)
    complain("the kernel %s: %s", name, reply.payload);
  free_reply(&reply);
  if (result == CUDA_SUCCESS) {
    (*found)->next = module->functions;
    module->functions = *found;
  }
  return result;
}

CUresult find_function(struct Module* module, const char* name, struct Function** found) {
  if (!name || !*name || !found) return CUDA_ERROR_INVALID_VALUE;
  struct Function* function;
  pthread_mutex_lock(&lock);
  const CUresult result = get_function(module, name, &function);
  pthread_mutex_unlock(&lock);
  if (result == CUDA_SUCCESS) *found = function;
  return result;
}

/// With the lock held.
static CUresult get_variable(struct Module* module, const char* name, struct Variable** found) {
  for (*found = module->variables; *found; *found = (*found)->next)
    if (strcmp((*found)->name, name) == 0) return CUDA_SUCCESS;
  struct Reply reply;
  struct Variable* made = calloc(1, sizeof *made);
  char* copy = strdup(name);
  CUresult result = ask_with_text(kLanescopeGetGlobal, module->number, name, &reply);
  if (result == CUDA_SUCCESS)
    result =
        made && copy ? map_variable(name, reply.r[0], reply.r[1], reply.memory) : CUDA_ERROR_OUT_OF_MEMORY;
  if (result == CUDA_SUCCESS) {
    *made = (struct Variable){copy, reply.r[0], reply.r[1], module->variables};
    module->variables = *found = made;
  } else {
    free(made);
    free(copy);
  }
  free_reply(&reply);
  return result;
}

CUresult find_variable(struct Module* module, const char* name, CUdeviceptr* address, size_t* size) {
  if (!name || !*name || (!address && !size)) return CUDA_ERROR_INVALID_VALUE;
  struct Variable* found;
  pthread_mutex_lock(&lock);
  const CUresult result = get_variable(module, name, &found);
  if (result == CUDA_SUCCESS && address) *address = found->address;
  if (result == CUDA_SUCCESS && size) *size = found->size;
  pthread_mutex_unlock(&lock);
  return result;
}

/// With the lock held.
static void map_variables_of(struct Module* module) {
  struct Reply reply;
  struct Variable* found;
  if (module->has_all_variables) return;
  module->has_all_variables = 1;
  if (ask(kLanescopeListVariables, module->number, 0, NULL, 0, &reply) == CUDA_SUCCESS)
    for (uint32_t at = 0; at < reply.size; at += (uint32_t)strlen(reply.payload + at) + 1)
      get_variable(module, reply.payload + at, &found);
  free_reply(&reply);
}

int find_memory(CUdeviceptr address, struct Allocation* found) {
  if (find_allocation(address, found)) return 1;
  pthread_mutex_lock(&lock);
  for (struct Module* each = modules; each; each = each->next) map_variables_of(each);
  pthread_mutex_unlock(&lock);
  return find_allocation(address, found);
}

CUresult list_kernels(struct Module* module, char** names, unsigned int* count) {
  struct Reply reply;
  const CUresult result = ask(kLanescopeListFunctions, module->number, 0, NULL, 0, &reply);
  *count = 0;
  *names = NULL;
  if (result == CUDA_SUCCESS) {
    for (uint32_t n = 0; n < reply.size; ++n) *count += reply.payload[n] == 0;
    *names = reply.payload;
    reply.payload = NULL;
  }
  free_reply(&reply);
  return result;
}

CUresult enumerate_kernels(struct Module* module, struct Function** into, unsigned int room) {
  char* names;
  unsigned int count;
  if (!into || room == 0) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = list_kernels(module, &names, &count);
  const char* name = names;
  for (unsigned int n = 0; n < count && n < room && result == CUDA_SUCCESS; ++n, name += strlen(name) + 1)
    result = find_function(module, name, &into[n]);
  free(names);
  return result;
}
