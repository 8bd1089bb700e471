#include "support/fake_driver.h"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <cuda.h>

namespace {

struct Loaded {
  bool has_counter = false;
  uint32_t counter = 0;
};
struct Entry {
  Loaded* module = nullptr;
  std::string name;
};
struct State {
  uint64_t memory_bytes = uint64_t{1} << 30;
  uint64_t used = 0;
  std::map<CUdeviceptr, std::vector<std::byte>> buffers;
  std::map<CUmodule, std::unique_ptr<Loaded>> modules;
  std::map<CUarray, std::unique_ptr<std::vector<std::byte>>> arrays;
  uint64_t objects = 0;  // textures and surfaces that were made
  std::string notes;
  bool is_busy = false;  // with a kernel that never ends
};

State& state() {
  static State the_state;
  return the_state;
}
void note(const std::string& line) { state().notes += line + "\n"; }
void* host(CUdeviceptr address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

extern "C" {

void fake_driver_begin(uint64_t memory_bytes) {
  state() = State();
  state().memory_bytes = memory_bytes;
}
const char* fake_driver_notes() { return state().notes.c_str(); }

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult status, const char** name) {
  *name = status == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_UNKNOWN";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** words) {
  *words = "in the fake driver's words";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int size, CUdevice) {
  std::strncpy(name, "Fake", static_cast<size_t>(size));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE ? 1 << 20 : 9;
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice) {
  *bytes = state().memory_bytes;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(&state());
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }
CUresult cuStreamQuery(CUstream) { return state().is_busy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS; }

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  if (bytes > state().memory_bytes - state().used) return CUDA_ERROR_OUT_OF_MEMORY;
  std::vector<std::byte> buffer(bytes);
  *address = reinterpret_cast<CUdeviceptr>(buffer.data());
  state().used += bytes;
  state().buffers.emplace(*address, std::move(buffer));
  return CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr address) {
  if (state().is_busy) note("a wait that never ends");
  state().used -= state().buffers[address].size();
  state().buffers.erase(address);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8(CUdeviceptr address, unsigned char value, size_t bytes) {
  std::memset(host(address), value, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  note("upload " + std::to_string(bytes));
  std::memcpy(host(to), from, bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  std::memcpy(to, host(from), bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  note("copy " + std::to_string(bytes));
  std::memmove(host(to), host(from), bytes);
  return CUDA_SUCCESS;
}

// An array is memory in rows, so that what a test finds there is what was copied.
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* wanted) {
  note("array " + std::to_string(wanted->Width) + "x" + std::to_string(wanted->Height) + "x" +
       std::to_string(wanted->Depth) + " of " + std::to_string(wanted->NumChannels) + " format " +
       std::to_string(wanted->Format) + " flags " + std::to_string(wanted->Flags));
  auto texels = std::make_unique<std::vector<std::byte>>(1 << 16);
  *array = reinterpret_cast<CUarray>(texels.get());
  state().arrays.emplace(*array, std::move(texels));
  return CUDA_SUCCESS;
}
CUresult cuArrayDestroy(CUarray array) {
  note("array destroyed");
  state().arrays.erase(array);
  return CUDA_SUCCESS;
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream) {
  const bool to_array = copy->dstMemoryType == CU_MEMORYTYPE_ARRAY;
  auto& texels = *state().arrays.at(to_array ? copy->dstArray : copy->srcArray);
  const size_t bytes = copy->WidthInBytes * copy->Height * copy->Depth;
  note((to_array ? "to array " : "from array ") + std::to_string(copy->WidthInBytes) + "x" +
       std::to_string(copy->Height) + "x" + std::to_string(copy->Depth));
  if (to_array) {
    std::memcpy(texels.data(), host(copy->srcDevice), bytes);
  } else {
    std::memcpy(host(copy->dstDevice), texels.data(), bytes);
  }
  return CUDA_SUCCESS;
}
CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC*) {
  const bool is_linear = resource->resType == CU_RESOURCE_TYPE_LINEAR;
  note((is_linear ? "texture over " + std::to_string(resource->res.linear.sizeInBytes)
                  : std::string("texture")) +
       " modes " + std::to_string(texture->addressMode[0]) + std::to_string(texture->addressMode[1]) +
       std::to_string(texture->addressMode[2]) + " filter " + std::to_string(texture->filterMode) +
       " flags " + std::to_string(texture->flags));
  *object = 0x7e0000 + state().objects++;
  return CUDA_SUCCESS;
}
CUresult cuTexObjectDestroy(CUtexObject) {
  note("texture destroyed");
  return CUDA_SUCCESS;
}
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC*) {
  note("surface");
  *object = 0x7e0000 + state().objects++;
  return CUDA_SUCCESS;
}
CUresult cuSurfObjectDestroy(CUsurfObject) {
  note("surface destroyed");
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* text, unsigned count, CUjit_option* options,
                            void** values) {
  for (unsigned n = 0; n < count; ++n)
    if (options[n] == CU_JIT_MAX_REGISTERS)
      note("registers " + std::to_string(reinterpret_cast<uintptr_t>(values[n])));
  auto loaded = std::make_unique<Loaded>();
  loaded->has_counter =
      std::string_view(static_cast<const char*>(text)).find(" counter;") != std::string::npos;
  *module = reinterpret_cast<CUmodule>(loaded.get());
  state().modules.emplace(*module, std::move(loaded));
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  state().modules.erase(module);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  auto* loaded = reinterpret_cast<Loaded*>(module);
  if (!loaded->has_counter || std::string_view(name) != "counter") return CUDA_ERROR_NOT_FOUND;
  *address = reinterpret_cast<CUdeviceptr>(&loaded->counter);
  *bytes = sizeof loaded->counter;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  static std::map<std::string, Entry> entries;
  Entry& entry = entries[name];
  entry = {reinterpret_cast<Loaded*>(module), name};
  *function = reinterpret_cast<CUfunction>(&entry);
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int value) {
  note("shared " + std::to_string(value));
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void** arguments, void**) {
  const Entry& entry = *reinterpret_cast<Entry*>(function);
  if (!entry.name.starts_with("append")) {
    uint64_t bytes = 0;
    if (entry.name == "reading") std::memcpy(&bytes, arguments[1], sizeof bytes);
    note("launch " + entry.name + (bytes == 0 ? "" : " " + std::to_string(bytes)));
    state().is_busy |= entry.name.starts_with("endless");
    if (entry.name.starts_with("print")) {
      std::puts("a thread says hello");
      std::fflush(stdout);
    }
    return CUDA_SUCCESS;
  }
  CUdeviceptr address = 0;
  std::memcpy(&address, arguments[0], sizeof address);
  auto& word = *static_cast<uint32_t*>(host(address));
  note("launch " + entry.name + " " + std::to_string(word++) + " " + std::to_string(entry.module->counter++));
  return CUDA_SUCCESS;
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   unsigned, unsigned, CUstream, void**) {
  note("launch " + reinterpret_cast<Entry*>(function)->name + " together");
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(&state());
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent, CUstream) {
  note("event");
  return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
// A millisecond, always. By its first name: cuda.h gives the second to the macro.
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  *milliseconds = 1;
  return CUDA_SUCCESS;
}

}  // extern "C"
