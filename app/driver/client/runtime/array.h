// The channels of texels in the forms of the runtime and of the driver.
#pragma once

#include "driver/client/runtime/runtime.h"

/// cudaErrorInvalidChannelDescriptor if the channels differ in bits, or the driver has no such format.
CUresult convert_channels(const struct cudaChannelFormatDesc* channels, CUarray_format* format,
                          unsigned int* count);
struct cudaChannelFormatDesc channels_of(CUarray_format format, unsigned int count);
