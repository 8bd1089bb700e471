#include "driver/forward/captured_launch.h"

#include "driver/client/connection.h"
#include "driver/forward/captured_memory.h"
#include "driver/forward/real_driver.h"
#include "driver/forward/run_report.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CapturedLaunch {
  const struct Launch* launch;
  uint64_t number;                 // of the launch
  uint64_t module, function;       // the server's
  struct LanescopeFunction facts;  // of the kernel in its PTX
  struct LanescopeParameter* layout;
  char* parameters;
  struct CapturedMemory memory;
  char sentence[600];  // why it cannot be captured
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;  // one launch is captured at a time
static struct CapturedLaunch the_capture;                 // of the thread that has the turn

__attribute__((format(printf, 2, 3))) static int give_up(struct CapturedLaunch* captured, const char* format,
                                                         ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(captured->sentence, sizeof captured->sentence, format, values);
  va_end(values);
  return 0;
}

/// Asks the server, and gives up with its sentence if it fails. The caller frees the reply in every case.
static int ask_server(struct CapturedLaunch* captured, enum LanescopeKind kind, uint64_t a0,
                      const struct iovec* part, struct Reply* reply) {
  const CUresult result = ask(kind, a0, 0, part, part ? 1 : 0, reply);
  if (result == CUDA_SUCCESS) return 1;
  return give_up(captured, "%.500s", reply->size > 0 ? reply->payload : "`lanescope run` does not answer");
}

static int load_ptx(struct CapturedLaunch* captured, const struct KernelName* kernel) {
  struct Reply reply;
  size_t size;
  void* image = copy_image(kernel->module, &size);
  if (!image)
    return give_up(captured,
                   "the program passes machine code without PTX; build it with PTX, as with nvcc -gencode "
                   "arch=compute_80,code=compute_80");
  const struct iovec part = {image, size};
  const int is_loaded = ask_server(captured, kLanescopeLoadModule, 0, &part, &reply);
  captured->module = reply.r[0];
  free_reply(&reply);
  free(image);
  return is_loaded;
}

static int find_layout(struct CapturedLaunch* captured, const char* name) {
  struct Reply reply;
  const struct iovec part = {(void*)name, strlen(name)};
  int is_found = ask_server(captured, kLanescopeGetFunction, captured->module, &part, &reply);
  captured->function = reply.r[0];
  if (is_found && reply.size >= sizeof captured->facts) {
    memcpy(&captured->facts, reply.payload, sizeof captured->facts);
    const size_t size = (size_t)captured->facts.parameters * sizeof *captured->layout;
    is_found = reply.size - sizeof captured->facts >= size && (captured->layout = malloc(size + 1)) &&
               (captured->parameters = calloc(1, captured->facts.parameter_bytes + 8));
    if (is_found) memcpy(captured->layout, reply.payload + sizeof captured->facts, size);
    if (!is_found) give_up(captured, "there is no memory for its parameters");
  }
  free_reply(&reply);
  return is_found;
}

static int pack_extra(struct CapturedLaunch* captured, void** extra) {
  const void* buffer = NULL;
  size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[1];
    if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) size = *(const size_t*)extra[1];
  }
  if (!buffer || size < captured->facts.parameter_bytes)
    return give_up(captured, "its PTX has %u bytes of parameters, the launch %zu",
                   captured->facts.parameter_bytes, size);
  memcpy(captured->parameters, buffer, captured->facts.parameter_bytes);
  return 1;
}

static int pack_parameters(struct CapturedLaunch* captured) {
  const struct LanescopeFunction* facts = &captured->facts;
  void** values = captured->launch->values;
  if (facts->parameters == 0) return 1;
  if (!values && captured->launch->extra) return pack_extra(captured, captured->launch->extra);
  for (uint32_t n = 0; n < facts->parameters; ++n) {
    const struct LanescopeParameter at = captured->layout[n];
    if (!values || !values[n] || at.offset > facts->parameter_bytes ||
        at.size_bytes > facts->parameter_bytes - at.offset)
      return give_up(captured, "the launch does not say its parameter %u", n);
    memcpy(captured->parameters + at.offset, values[n], at.size_bytes);
  }
  return 1;
}

/// Captures the module's variables. A variable that the driver does not have is skipped.
static int add_variables(struct CapturedLaunch* captured, const struct KernelName* kernel) {
  struct Reply reply;
  int is_good = ask_server(captured, kLanescopeListVariables, captured->module, NULL, &reply);
  for (const char* name = reply.payload; is_good && name && name < reply.payload + reply.size;
       name += strlen(name) + 1) {
    CUdeviceptr address = 0;
    size_t size = 0;
    const CUresult found = kernel->is_of_library
                               ? REAL(cuLibraryGetGlobal)(&address, &size, (CUlibrary)kernel->module, name)
                               : REAL(cuModuleGetGlobal_v2)(&address, &size, (CUmodule)kernel->module, name);
    if (found != CUDA_SUCCESS) continue;
    const char* problem = capture_variable(&captured->memory, captured->module, name, address, size);
    if (problem) is_good = give_up(captured, "the variable %.200s: %s", name, problem);
  }
  free_reply(&reply);
  return is_good;
}

static int copy_before(struct CapturedLaunch* captured) {
  if (REAL(cuCtxSynchronize)() != CUDA_SUCCESS)
    return give_up(captured, "the driver does not wait for the work before it");
  const char* problem =
      capture_memory(&captured->memory, captured->parameters, captured->facts.parameter_bytes);
  return problem ? give_up(captured, "%s", problem) : 1;
}

static void release(struct CapturedLaunch* captured) {
  release_captured(&captured->memory);
  free(captured->layout);
  free(captured->parameters);
  pthread_mutex_unlock(&turn);
}

struct CapturedLaunch* begin_capture(const struct Launch* launch, const struct KernelName* kernel,
                                     uint64_t number) {
  struct CapturedLaunch* captured = &the_capture;
  pthread_mutex_lock(&turn);
  *captured = (struct CapturedLaunch){.launch = launch, .number = number};
  if (load_ptx(captured, kernel) && find_layout(captured, kernel->name) && pack_parameters(captured) &&
      add_variables(captured, kernel) && copy_before(captured))
    return captured;
  report_not_captured(number, captured->sentence);
  release(captured);
  return NULL;
}

static CUresult replay(const struct CapturedLaunch* captured) {
  struct Reply reply;
  const struct iovec parts[3] = {
      {(void*)&captured->launch->shape, sizeof captured->launch->shape},
      {captured->parameters, captured->facts.parameter_bytes},
      {captured->memory.all, captured->memory.count * sizeof *captured->memory.all}};
  const CUresult result = ask(kLanescopeReplay, captured->function, captured->number, parts, 3, &reply);
  if (result != CUDA_SUCCESS && reply.size > 0) complain("%s", reply.payload);
  free_reply(&reply);
  return result;
}

void end_capture(struct CapturedLaunch* captured, CUresult result) {
  const char* problem = NULL;
  if (result != CUDA_SUCCESS)
    problem = "the driver did not make the launch";
  else if (REAL(cuCtxSynchronize)() != CUDA_SUCCESS)
    problem = "the kernel did not run to its end on the GPU";
  else
    problem = capture_after(&captured->memory);
  if (problem)
    report_not_captured(captured->number, problem);
  else
    replay(captured);
  release(captured);
}
