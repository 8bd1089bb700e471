/* arc4random_buf() for Debian's archive of Expat, which takes it from glibc 2.36: without it the program of a package runs with glibc 2.35.
   Expat uses it for the seed of its hash tables. */
#include <stddef.h>
#include <sys/random.h>
#include <sys/types.h>

void arc4random_buf(void* bytes, size_t count);

void arc4random_buf(void* bytes, size_t count) {
  unsigned char* at = bytes;
  while (count > 0) {
    const ssize_t got = getrandom(at, count, 0);
    if (got <= 0) continue; /* a signal came */
    at += got;
    count -= (size_t)got;
  }
}
