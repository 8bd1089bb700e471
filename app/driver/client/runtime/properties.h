// Device properties that the structs of all CUDA versions have, from the driver's attributes.
#pragma once

#include <cuda.h>
#include <string.h>

/// Fills the struct that `p` points to for `device`, a variable there. Each row has a member's name and the
/// end of its attribute's name.
#define FILL_PROPERTIES(p)                                                     \
  do {                                                                         \
    memset(p, 0, sizeof *(p));                                                 \
    cuDeviceGetName((p)->name, sizeof(p)->name, 0);                            \
    cuDeviceGetUuid((CUuuid*)&(p)->uuid, device);                              \
    cuDeviceTotalMem(&(p)->totalGlobalMem, device);                            \
    FILL(p, sharedMemPerBlock, MAX_SHARED_MEMORY_PER_BLOCK);                   \
    FILL(p, regsPerBlock, MAX_REGISTERS_PER_BLOCK);                            \
    FILL(p, warpSize, WARP_SIZE);                                              \
    FILL(p, memPitch, MAX_PITCH);                                              \
    FILL(p, maxThreadsPerBlock, MAX_THREADS_PER_BLOCK);                        \
    FILL(p, maxThreadsDim[0], MAX_BLOCK_DIM_X);                                \
    FILL(p, maxThreadsDim[1], MAX_BLOCK_DIM_Y);                                \
    FILL(p, maxThreadsDim[2], MAX_BLOCK_DIM_Z);                                \
    FILL(p, maxGridSize[0], MAX_GRID_DIM_X);                                   \
    FILL(p, maxGridSize[1], MAX_GRID_DIM_Y);                                   \
    FILL(p, maxGridSize[2], MAX_GRID_DIM_Z);                                   \
    FILL(p, totalConstMem, TOTAL_CONSTANT_MEMORY);                             \
    FILL(p, major, COMPUTE_CAPABILITY_MAJOR);                                  \
    FILL(p, minor, COMPUTE_CAPABILITY_MINOR);                                  \
    FILL(p, textureAlignment, TEXTURE_ALIGNMENT);                              \
    FILL(p, texturePitchAlignment, TEXTURE_PITCH_ALIGNMENT);                   \
    FILL(p, multiProcessorCount, MULTIPROCESSOR_COUNT);                        \
    FILL(p, integrated, INTEGRATED);                                           \
    FILL(p, canMapHostMemory, CAN_MAP_HOST_MEMORY);                            \
    FILL(p, surfaceAlignment, SURFACE_ALIGNMENT);                              \
    FILL(p, concurrentKernels, CONCURRENT_KERNELS);                            \
    FILL(p, ECCEnabled, ECC_ENABLED);                                          \
    FILL(p, pciBusID, PCI_BUS_ID);                                             \
    FILL(p, pciDeviceID, PCI_DEVICE_ID);                                       \
    FILL(p, pciDomainID, PCI_DOMAIN_ID);                                       \
    FILL(p, asyncEngineCount, ASYNC_ENGINE_COUNT);                             \
    FILL(p, unifiedAddressing, UNIFIED_ADDRESSING);                            \
    FILL(p, memoryBusWidth, GLOBAL_MEMORY_BUS_WIDTH);                          \
    FILL(p, l2CacheSize, L2_CACHE_SIZE);                                       \
    FILL(p, persistingL2CacheMaxSize, MAX_PERSISTING_L2_CACHE_SIZE);           \
    FILL(p, maxThreadsPerMultiProcessor, MAX_THREADS_PER_MULTIPROCESSOR);      \
    FILL(p, streamPrioritiesSupported, STREAM_PRIORITIES_SUPPORTED);           \
    FILL(p, globalL1CacheSupported, GLOBAL_L1_CACHE_SUPPORTED);                \
    FILL(p, localL1CacheSupported, LOCAL_L1_CACHE_SUPPORTED);                  \
    FILL(p, sharedMemPerMultiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR); \
    FILL(p, regsPerMultiprocessor, MAX_REGISTERS_PER_MULTIPROCESSOR);          \
    FILL(p, managedMemory, MANAGED_MEMORY);                                    \
    FILL(p, pageableMemoryAccess, PAGEABLE_MEMORY_ACCESS);                     \
    FILL(p, concurrentManagedAccess, CONCURRENT_MANAGED_ACCESS);               \
    FILL(p, computePreemptionSupported, COMPUTE_PREEMPTION_SUPPORTED);         \
    FILL(p, cooperativeLaunch, COOPERATIVE_LAUNCH);                            \
    FILL(p, sharedMemPerBlockOptin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);        \
    FILL(p, maxBlocksPerMultiProcessor, MAX_BLOCKS_PER_MULTIPROCESSOR);        \
    FILL(p, accessPolicyMaxWindowSize, MAX_ACCESS_POLICY_WINDOW_SIZE);         \
    FILL(p, reservedSharedMemPerBlock, RESERVED_SHARED_MEMORY_PER_BLOCK);      \
  } while (0)

#define FILL(p, member, attribute)                                                      \
  do {                                                                                  \
    int value_of_attribute = 0;                                                         \
    cuDeviceGetAttribute(&value_of_attribute, CU_DEVICE_ATTRIBUTE_##attribute, device); \
    (p)->member = (__typeof__((p)->member))value_of_attribute;                          \
  } while (0)
