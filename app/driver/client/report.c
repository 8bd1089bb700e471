#include "driver/client/report.h"

#include "driver/client/connection.h"
#include "driver/client/failure.h"
#include "driver/client/generated.h"

#include <stdlib.h>
#include <string.h>

void lanescopeAddSource(const char* name, const char* text) {
  struct Reply reply;
  if (!name || !text || connect_to_server() != CUDA_SUCCESS) return;
  const struct iovec parts[2] = {{(void*)name, strlen(name) + 1}, {(void*)text, strlen(text)}};
  ask(kLanescopeSource, 0, 0, parts, 2, &reply);
  free_reply(&reply);
}

char* lanescopeLaunches(void) {
  struct Reply reply;
  char* text = NULL;
  forget_failure();
  if (connect_to_server() == CUDA_SUCCESS && ask(kLanescopeLaunches, 0, 0, NULL, 0, &reply) == CUDA_SUCCESS) {
    text = reply.payload ? reply.payload : strdup("");
    reply.payload = NULL;
    free_reply(&reply);
  }
  return text;
}

void lanescopeFree(char* text) { free(text); }

int lanescopeFailure(void) { return (int)kernel_failure(); }

int lanescopeNotSupported(const char* function) { return (int)not_supported(function); }
