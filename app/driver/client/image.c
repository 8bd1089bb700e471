#include "driver/client/image.h"

#include "driver/messages.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const unsigned char kWrapperMagic[4] = {0xb1, 0x43, 0x62, 0x46};
static const unsigned char kFatBinaryMagic[4] = {0x50, 0xed, 0x55, 0xba};
static const unsigned char kElfMagic[4] = {0x7f, 'E', 'L', 'F'};

enum { kLinkedWrapper = 2 };  // the version of the wrapper of several fat binaries, to be linked

/// Struct that nvcc's host code registers; points to the fat binary.
struct Wrapper {
  unsigned char magic[4];
  uint32_t version;
  const void* data;
  const void* const* fat_binaries;  // of a linked wrapper: one of each source file, then null
};

/// Begins a fat binary; its parts follow.
struct FatBinary {
  unsigned char magic[4];
  uint16_t version;
  uint16_t header_size;
  uint64_t parts_size;
};

/// Compares byte by byte up to the first difference: a text may be shorter than a magic number.
static int begins_with(const unsigned char* data, const unsigned char magic[4]) {
  for (int n = 0; n < 4; ++n)
    if (data[n] != magic[n]) return 0;
  return 1;
}

static CUresult measure_fat_binary(const void* data, struct Image* image, char* sentence, size_t room) {
  struct FatBinary header;
  memcpy(&header, data, sizeof header);
  if (header.header_size < sizeof header || header.parts_size > LANESCOPE_MOST_PAYLOAD - header.header_size) {
    snprintf(sentence, room,
             "the fat binary says that its header has %u bytes and its parts %llu; no such one is known",
             header.header_size, (unsigned long long)header.parts_size);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *image = (struct Image){.data = data, .size = header.header_size + header.parts_size};
  return CUDA_SUCCESS;
}

static CUresult join_fat_binaries(const void* const* each, struct Image* image, char* sentence, size_t room) {
  struct Image one, all = {0};
  for (; *each; ++each) {
    if (!begins_with(*each, kFatBinaryMagic)) {
      snprintf(sentence, room, "a part of the linked device code is no fat binary");
      free(all.joined);
      return CUDA_ERROR_INVALID_IMAGE;
    }
    const CUresult result = measure_fat_binary(*each, &one, sentence, room);
    char* longer = result == CUDA_SUCCESS && one.size <= LANESCOPE_MOST_PAYLOAD - all.size
                       ? realloc(all.joined, all.size + one.size)
                       : NULL;
    if (!longer) {
      if (result == CUDA_SUCCESS)
        snprintf(sentence, room, "the linked device code has more than %u bytes", LANESCOPE_MOST_PAYLOAD);
      free(all.joined);
      return result == CUDA_SUCCESS ? CUDA_ERROR_OUT_OF_MEMORY : result;
    }
    memcpy(longer + all.size, one.data, one.size);
    all = (struct Image){.data = longer, .size = all.size + one.size, .joined = longer};
  }
  *image = all;
  return CUDA_SUCCESS;
}

void free_image(struct Image* image) {
  free(image->joined);
  image->joined = NULL;
}

CUresult measure_image(const void* data, struct Image* image, char* sentence, size_t room) {
  const unsigned char* bytes = data;
  *image = (struct Image){0};
  if (begins_with(bytes, kWrapperMagic)) {
    struct Wrapper wrapper;
    memcpy(&wrapper, data, sizeof wrapper);
    bytes = wrapper.data;
    if (!bytes || !begins_with(bytes, kFatBinaryMagic)) {
      snprintf(sentence, room, "what nvcc's wrapper points to is no fat binary");
      return CUDA_ERROR_INVALID_IMAGE;
    }
    if (wrapper.version == kLinkedWrapper && wrapper.fat_binaries && *wrapper.fat_binaries)
      return join_fat_binaries(wrapper.fat_binaries, image, sentence, room);
  }
  if (begins_with(bytes, kFatBinaryMagic)) return measure_fat_binary(bytes, image, sentence, room);
  if (begins_with(bytes, kElfMagic)) {
    snprintf(
        sentence, room,
        "the module is machine code of one GPU (a cubin), which is not emulated; build it to PTX, with nvcc "
        "-gencode arch=compute_80,code=compute_80");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  const size_t size = strnlen((const char*)bytes, (size_t)LANESCOPE_MOST_PAYLOAD + 1);
  if (size == 0 || size > LANESCOPE_MOST_PAYLOAD) {
    snprintf(sentence, room,
             size == 0 ? "the module is an empty text" : "the module's text has more than %u bytes",
             LANESCOPE_MOST_PAYLOAD);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *image = (struct Image){.data = bytes, .size = size};
  return CUDA_SUCCESS;
}

void* read_image(const char* path, size_t* size, char* sentence, size_t room) {
  struct stat about;
  char* data = NULL;
  FILE* file = fopen(path, "rbe");
  if (!file || fstat(fileno(file), &about) != 0) {
    snprintf(sentence, room, "%s: %s", path, strerror(errno));
  } else if (!S_ISREG(about.st_mode) || about.st_size > (off_t)LANESCOPE_MOST_PAYLOAD) {
    snprintf(sentence, room, "%s is no file of at most %u bytes", path, LANESCOPE_MOST_PAYLOAD);
  } else if ((data = calloc(1, (size_t)about.st_size + sizeof(struct FatBinary)))) {
    *size = fread(data, 1, (size_t)about.st_size, file);
    if (begins_with((const unsigned char*)data, kWrapperMagic)) {  // its pointer would be followed
      snprintf(sentence, room, "%s begins as a part of a program, not as a module", path);
      free(data);
      data = NULL;
    }
  } else {
    snprintf(sentence, room, "%s: no memory for its %lld bytes", path, (long long)about.st_size);
  }
  if (file) fclose(file);
  return data;
}
