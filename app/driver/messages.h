// Messages between a program's libcuda.so.1 (driver/client, plain C) and `lanescope run`
// (driver/server/server.h): a request, then its reply, over a stream socket of one machine. Both sides are of
// one build, which kLanescopeProtocol checks. Numbers are in the machine's byte order. Method: the server
// owns devices, modules and memory; an allocation is a memfd that the reply carries (SCM_RIGHTS), mapped by
// both sides, so that copies need no message. Tests: tests/unit/driver/*
#pragma once

#include <stdint.h>

/* Environment variable of the program: path of the server's Unix socket. */
#define LANESCOPE_SOCKET_VARIABLE "LANESCOPE_DRIVER_SOCKET"
/* Environment variable, set if compilers should pass PTX, not machine code; app/python/hooks reads it. */
#define LANESCOPE_KEEPS_PTX_VARIABLE "LANESCOPE_KEEPS_PTX"
/* Environment variables of the library that forwards to a driver (driver/forward): path of the server's
   socket, and path of the driver. */
#define LANESCOPE_FORWARD_VARIABLE "LANESCOPE_FORWARD_SOCKET"
#define LANESCOPE_REAL_DRIVER_VARIABLE "LANESCOPE_REAL_DRIVER"
/* Environment variable: file that the report is printed to at the end of the run, "DEVICE:INODE" of stat();
   unset if there is no report. A client whose stderr is this file does not print what the report contains. */
#define LANESCOPE_REPORT_VARIABLE "LANESCOPE_REPORT_FILE"
enum { kLanescopeProtocol = 7 };

/* Longest payload in bytes. The client splits none; the server closes a connection that exceeds it. */
#define LANESCOPE_MOST_PAYLOAD (256u << 20)
/* A launch whose memory is larger is not captured. */
#define LANESCOPE_MOST_CAPTURED (UINT64_C(2) << 30)

/* Kinds of requests. `a` is LanescopeRequest.a, `r` is LanescopeReply.r; "->" is the reply. Every reply has a
   CUresult in `result`; if that is not CUDA_SUCCESS, the payload is one sentence for the person. */
enum LanescopeKind {
  /* a[0] kLanescopeProtocol, a[1] process id; payload: the command line, words ended by a zero byte.
     -> r[0] compute capability times 10 (90), r[1] bytes of memory of each device; payload: LanescopeDevice.
     The first request of a connection. */
  kLanescopeHello = 1,
  /* a[0] bytes, a[1] a LanescopeMemory, plus LANESCOPE_OWNER times the device, counted from 1, where others
     need access to its memory; 0: all have it. -> r[0] device address; a memfd of that size. */
  kLanescopeAllocate = 2,
  /* a[0] device address, as allocated. */
  kLanescopeFree = 3,
  /* payload: an image as a program passes it to cuModuleLoadData: PTX text, or a fat binary with its header.
     -> r[0] module (never 0). Fails where it has no PTX, or PTX that does not parse. */
  kLanescopeLoadModule = 4,
  /* a[0] module */
  kLanescopeUnloadModule = 5,
  /* a[0] module; payload: the kernel's name. -> r[0] function (never 0); payload: LanescopeFunction, then
     LanescopeParameter[parameters]. CUDA_ERROR_NOT_FOUND where it is not there. */
  kLanescopeGetFunction = 6,
  /* a[0] module; payload: a variable's name. -> r[0] device address, r[1] bytes; its memfd. */
  kLanescopeGetGlobal = 7,
  /* a[0] function; payload: LanescopeLaunch, then LanescopeFunction.parameter_bytes of parameters.
     -> r[0] microseconds that the run took, r[1] bytes of the kernel's output; payload: the output, then a
     sentence if the launch failed, else LanescopeWritten[] (empty if the launch was not checked). */
  kLanescopeLaunch = 8,
  /* a[0] calls since the last request of this kind; payload: name of a function that is not supported,
     "cuTexRefCreate". */
  kLanescopeUnsupported = 9,
  /* payload: name, a zero byte, text of a source that is in no file, as a notebook's cell. */
  kLanescopeSource = 10,
  /* -> payload: JSON of the launches since the last kLanescopeLaunches, as in run.json. For Python. */
  kLanescopeLaunches = 11,
  /* a[0] module -> payload: names of its kernels, ended by a zero byte each. */
  kLanescopeListFunctions = 12,
  /* payload: a sentence for the report, such as that the program needs another runtime library. */
  kLanescopeNote = 13,

  /* Requests of the library that forwards to a driver. */

  /* A launch is about to be made on the GPU. a[0] number of the module's contents, 0 if that is not known;
     payload: LanescopeLaunch, then the kernel's name. -> r[0] number of the launch, r[1] 1 if it is to be
     captured. */
  kLanescopeForwarded = 14,
  /* payload: LanescopeMeasured for each launch that has ended since the last request of this kind. */
  kLanescopeMeasured = 15,
  /* a[0] number of a launch that the driver did not make; payload: a sentence with the reason. */
  kLanescopeNotMade = 16,
  /* -> r[0] 1 if any launch is to be captured, so that modules must be kept. */
  kLanescopeWantsCaptures = 17,
  /* a[0] module -> payload: names of its variables in memory, ended by a zero byte each. */
  kLanescopeListVariables = 18,
  /* Repeats a captured launch in the emulator, in memory that was allocated for it, and compares the memory
     after it with the GPU's. a[0] function, a[1] number of the launch; payload: LanescopeLaunch, the
     parameters with addresses of the GPU, then LanescopeCaptured[]. Ends the capture: the process's modules
     and allocations are freed. The report has what became of the launch. */
  kLanescopeReplay = 19,
  /* a[0] number of a launch that was not captured; payload: a sentence with the reason. Ends the capture. */
  kLanescopeNotCaptured = 20,

  /* a[0] bytes of the heap of malloc in kernels; fixed once a kernel uses the heap. Sent by the program's
     libcuda.so.1. */
  kLanescopeHeapSize = 21,

  /* A call of a library in place of NVIDIA's (driver/libraries) has ended. a[0] nanoseconds that it took;
     payload: the function's name, and if it failed a zero byte and a sentence. */
  kLanescopeLibraryCall = 22,

  /* payload: LanescopeImage. -> r[0] handle of the texture or surface object, which kernels get. */
  kLanescopeMakeImage = 23,
  /* a[0] handle. An object also ends with the memory that it is over. */
  kLanescopeEndImage = 24,

  /* A copy or a fill by the program has used memory of the device. a[0] address of the first byte, a[1]
     bytes, times 4, plus LanescopeUse. Sent where LanescopeDevice.wants_uses. */
  kLanescopeUsed = 25,
};

#define LANESCOPE_OWNER UINT64_C(256)

/* Bits of a use: the memory was written, not read; the host's memory was the other side. */
enum LanescopeUse { kLanescopeWrites = 1, kLanescopeOfHost = 2 };

/* Uses of an allocation. */
enum LanescopeMemory {
  kLanescopeDeviceMemory = 0,
  kLanescopeSharedMemory = 1, /* managed, mapped and pinned: the client maps it at the device's address */
  kLanescopeArrayMemory = 3,  /* a CUDA array: begins as zeros */
  kLanescopeCapturedAfter = 2 /* contents of the GPU's memory after a captured launch */
};

struct LanescopeRequest {
  uint32_t kind;
  uint32_t payload_bytes; /* that follow */
  uint64_t a[2];
};

struct LanescopeReply {
  int32_t result; /* a CUresult */
  uint32_t payload_bytes;
  uint64_t r[2];
};

enum { kLanescopeAttributes = 160, kLanescopeMostDevices = 16 };

struct LanescopeDevice {
  char name[96];
  int32_t attribute[kLanescopeAttributes]; /* [CUdevice_attribute]; 0 where there is nothing to say */
  uint32_t count;                          /* of devices, which are alike */
  uint32_t wants_uses;                     /* the caches are modelled: kLanescopeUsed is to be sent */
};

struct LanescopeFunction {
  uint32_t parameters;
  uint32_t parameter_bytes;
  uint32_t static_shared_bytes;
  uint32_t constant_bytes;
  uint32_t local_bytes;
  uint32_t most_threads; /* of a block */
  uint32_t ptx_version;  /* 90 for .version 9.0 */
  uint32_t reserved;
};

struct LanescopeParameter {
  uint32_t offset; /* in the bytes that a launch passes */
  uint32_t size_bytes;
};

struct LanescopeLaunch {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t dynamic_shared_bytes;
  uint32_t cluster[3]; /* all 0: none asked for */
  uint32_t is_cooperative;
  uint32_t has_inputs; /* the program has written memory of the device, or may have */
  uint32_t reached;    /* bit n: it has access to the memory of device n; 0: to that of all devices */
  uint32_t reserved;
  uint64_t stream; /* 0: the default one */
  uint64_t writes; /* by calls of the program to memory of the device, so far */
};

/* A texture or surface object. Format, filter and address modes have the numbers of cuda.h. */
struct LanescopeImage {
  uint64_t address;     /* of the first texel */
  uint64_t width;       /* texels */
  uint64_t height;      /* 0: it has one dimension */
  uint64_t depth;       /* 0: it has not three */
  uint64_t layers;      /* 0: it is no layered one */
  uint64_t pitch_bytes; /* from row to row */
  uint32_t is_surface;
  uint32_t is_linear; /* over memory, for tex1Dfetch() */
  uint32_t format;    /* a CUarray_format */
  uint32_t channels;
  uint32_t filter;          /* a CUfilter_mode; this and the following are a texture's */
  uint32_t address_mode[3]; /* a CUaddress_mode each: x, y, z */
  uint32_t is_normalized;
  uint32_t reads_float;
  uint32_t is_cube; /* its layers are the faces of cubes */
};

struct LanescopeMeasured {
  uint64_t launch; /* its number */
  uint64_t nanoseconds;
};

/* Device addresses of the first and the last byte that a kernel changed in an allocation. */
struct LanescopeWritten {
  uint64_t first;
  uint64_t last;
};

/* An allocation of the GPU that a captured launch may use. */
struct LanescopeCaptured {
  uint64_t gpu_address;
  uint64_t size_bytes;
  uint64_t address; /* in the emulator, filled with what it held before the launch; also a variable's */
  uint64_t after;   /* as kLanescopeCapturedAfter replied */
};
