#include "driver/forward/run_report.h"

#include "driver/client/connection.h"
#include "driver/forward/real_driver.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

int report_launch(const char* kernel, uint64_t module, const struct LanescopeLaunch* shape, uint64_t* number,
                  int* is_wanted) {
  const struct iovec parts[2] = {{(void*)shape, sizeof *shape}, {(void*)kernel, strlen(kernel)}};
  struct Reply reply;
  const CUresult result = ask(kLanescopeForwarded, module, 0, parts, 2, &reply);
  *number = reply.r[0];
  *is_wanted = result == CUDA_SUCCESS && reply.r[1] == 1;
  free_reply(&reply);
  return result == CUDA_SUCCESS;
}

void report_failure(uint64_t number, CUresult result) {
  const char* name = NULL;
  char sentence[200];
  REAL(cuGetErrorName)(result, &name);
  snprintf(sentence, sizeof sentence, "the driver answered %s (%d)", name ? name : "an error", (int)result);
  tell(kLanescopeNotMade, number, sentence);
}

void report_not_captured(uint64_t number, const char* sentence) {
  tell(kLanescopeNotCaptured, number, sentence);
}

static int is_capturing;

static void ask_whether(void) {
  struct Reply reply;
  if (connect_to_server() == CUDA_SUCCESS &&
      ask(kLanescopeWantsCaptures, 0, 0, NULL, 0, &reply) == CUDA_SUCCESS) {
    is_capturing = reply.r[0] == 1;
    free_reply(&reply);
  }
}

int wants_captures(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, ask_whether);
  return is_capturing;
}
