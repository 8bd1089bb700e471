// Search of the table for cuGetProcAddress. Test: tests/unit/driver/client/connection_test.cpp
#include "driver/client/generated.h"

#include <string.h>

const struct Procedure* find_procedure(const char* name, int version, cuuint64_t flags,
                                       CUdriverProcAddressQueryResult* status) {
  const int wants_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const struct Procedure* best = NULL;
  int is_known = 0;
  for (const struct Procedure* each = procedures; each->name; ++each) {
    if (strcmp(each->name, name) != 0) continue;
    is_known = 1;
    if (each->version > version || (each->is_per_thread && !wants_thread)) continue;
    if (!best || each->is_per_thread > best->is_per_thread ||
        (each->is_per_thread == best->is_per_thread && each->version > best->version))
      best = each;
  }
  *status = best       ? CU_GET_PROC_ADDRESS_SUCCESS
            : is_known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                       : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return best;
}
