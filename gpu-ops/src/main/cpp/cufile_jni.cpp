// Binds NVIDIA's libcufile at run time, without its header and without a CUDA toolkit; the class is
// io.ariadne.io.gds.CuFileNative. Each function takes the address of the library's function, which
// `symbol` has found. Nothing here allocates, throws, or calls back into the JVM.
//
// CUfileError_t, two 32-bit integers, is returned by value: in one general register, both by the
// System V ABI of x86-64 and by the AArch64 procedure call standard, which the compiler sees to.
// Source: NVIDIA, cuFile API Reference Guide.
#define JNI_CLASS io_ariadne_io_gds_CuFileNative
#include "target/jni_function.cuh"
#include "target/types.cuh"

extern "C" {
// Weak: where the process has no dynamic loader to call, binding fails with a reason, not the load
// of this library.
__attribute__((weak)) void* dlopen(const char* file, int mode);
__attribute__((weak)) void* dlsym(void* library, const char* name);
__attribute__((weak)) char* dlerror();
int open(const char* file, int flags, ...);
int close(int descriptor);
int* __errno_location();
}

namespace {

constexpr int kResolveNow = 2;  // RTLD_NOW, and RTLD_LOCAL
constexpr i32 kOpaqueDescriptor = 1;  // CU_FILE_HANDLE_TYPE_OPAQUE_FD
constexpr i64 kUnknownFailure = -1LL << 62;
constexpr i64 kNanosPerSecond = 1000000000;

struct status {  // CUfileError_t
  i32 error;
  i32 cuda_error;
};

struct descriptor {  // CUfileDescr_t
  i32 type;
  union {
    i32 file;
    void* handle;
  };
  const void* operations;
};
static_assert(sizeof(descriptor) == 24);

struct timespan {  // struct timespec
  i64 seconds;
  i64 nanos;
};

template <typename T>
T at(i64 address) {
  return __builtin_bit_cast(T, address);
}

i64 packed(status s) {
  return static_cast<i64>(static_cast<u64>(static_cast<u32>(s.cuda_error)) << 32 |
                          static_cast<u32>(s.error));
}

void copy_text(const char* text, i64 target, i32 capacity) {
  char* to = at<char*>(target);
  i32 i = 0;
  for (; text != nullptr && text[i] != 0 && i + 1 < capacity; i++) {
    to[i] = text[i];
  }
  to[i] = 0;
}

}  // namespace

// Loads a library by its name or path; returns 0 with the loader's words in the reason.
JNI_FUNCTION(i64, load)(jni_environment, jni_class, i64 name, i64 reason, i32 capacity) {
  if (dlopen == nullptr || dlsym == nullptr || dlerror == nullptr) {
    copy_text("this process has no dlopen", reason, capacity);
    return 0;
  }
  void* library = dlopen(at<const char*>(name), kResolveNow);
  if (library == nullptr) {
    copy_text(dlerror(), reason, capacity);
  }
  return __builtin_bit_cast(i64, library);
}

// Returns the address of a function of a library, or 0.
JNI_FUNCTION(i64, symbol)(jni_environment, jni_class, i64 library, i64 name) {
  return __builtin_bit_cast(i64, dlsym(at<void*>(library), at<const char*>(name)));
}

// Opens a file; returns its descriptor, or minus an error number.
JNI_FUNCTION(i64, openFile)(jni_environment, jni_class, i64 path, i32 flags) {
  const int file = open(at<const char*>(path), flags, 0);
  return file < 0 ? -static_cast<i64>(*__errno_location()) : file;
}

JNI_FUNCTION(void, closeFile)(jni_environment, jni_class, i32 file) { close(file); }

// cuFileDriverOpen, cuFileDriverClose.
JNI_FUNCTION(i64, callPlain)(jni_environment, jni_class, i64 function) {
  return packed(at<status (*)()>(function)());
}

// cuFileGetVersion, cuFileDriverGetProperties: functions that fill in a struct.
JNI_FUNCTION(i64, callWithAddress)(jni_environment, jni_class, i64 function, i64 address) {
  return packed(at<status (*)(void*)>(function)(at<void*>(address)));
}

// cuFileSetParameterBool.
JNI_FUNCTION(i64, setBoolean)
(jni_environment, jni_class, i64 function, i32 parameter, u8 value) {
  return packed(at<status (*)(i32, bool)>(function)(parameter, value != 0));
}

JNI_FUNCTION(i64, handleRegister)
(jni_environment, jni_class, i64 function, i32 file, i64 handle) {
  descriptor d = {};
  d.type = kOpaqueDescriptor;
  d.file = file;
  return packed(at<status (*)(void**, descriptor*)>(function)(at<void**>(handle), &d));
}

JNI_FUNCTION(void, handleDeregister)(jni_environment, jni_class, i64 function, i64 handle) {
  at<void (*)(void*)>(function)(at<void*>(handle));
}

JNI_FUNCTION(i64, bufferRegister)
(jni_environment, jni_class, i64 function, i64 address, i64 bytes) {
  return packed(at<status (*)(const void*, usize, int)>(function)(at<const void*>(address),
                                                                  static_cast<usize>(bytes), 0));
}

JNI_FUNCTION(i64, bufferDeregister)(jni_environment, jni_class, i64 function, i64 address) {
  return packed(at<status (*)(const void*)>(function)(at<const void*>(address)));
}

// Returns the bytes read, minus an error number of the system, or minus an error of cuFile, which
// are above 5000.
JNI_FUNCTION(i64, read)
(jni_environment, jni_class, i64 function, i64 handle, i64 base, i64 bytes, i64 position,
 i64 offset) {
  *__errno_location() = 0;
  const i64 result = at<i64 (*)(void*, void*, usize, i64, i64)>(function)(
      at<void*>(handle), at<void*>(base), static_cast<usize>(bytes), position, offset);
  if (result != -1) {
    return result;
  }
  const int number = *__errno_location();
  return number == 0 ? kUnknownFailure : -static_cast<i64>(number);
}

JNI_FUNCTION(i64, batchSetUp)(jni_environment, jni_class, i64 function, i64 batch, i32 entries) {
  return packed(
      at<status (*)(void**, u32)>(function)(at<void**>(batch), static_cast<u32>(entries)));
}

JNI_FUNCTION(i64, batchSubmit)
(jni_environment, jni_class, i64 function, i64 batch, i32 entries, i64 parameters) {
  return packed(at<status (*)(void*, u32, void*, u32)>(function)(
      at<void*>(batch), static_cast<u32>(entries), at<void*>(parameters), 0));
}

// `count` holds how many events there is memory for, then how many have arrived.
JNI_FUNCTION(i64, batchStatus)
(jni_environment, jni_class, i64 function, i64 batch, i32 least, i64 count, i64 events, i64 nanos) {
  timespan wait = {nanos / kNanosPerSecond, nanos % kNanosPerSecond};
  return packed(at<status (*)(void*, u32, u32*, void*, timespan*)>(function)(
      at<void*>(batch), static_cast<u32>(least), at<u32*>(count), at<void*>(events), &wait));
}

JNI_FUNCTION(i64, batchCancel)(jni_environment, jni_class, i64 function, i64 batch) {
  return packed(at<status (*)(void*)>(function)(at<void*>(batch)));
}

JNI_FUNCTION(void, batchDestroy)(jni_environment, jni_class, i64 function, i64 batch) {
  at<void (*)(void*)>(function)(at<void*>(batch));
}

JNI_FUNCTION(i64, streamRegister)
(jni_environment, jni_class, i64 function, i64 stream, i32 flags) {
  return packed(
      at<status (*)(void*, u32)>(function)(at<void*>(stream), static_cast<u32>(flags)));
}

JNI_FUNCTION(i64, streamDeregister)(jni_environment, jni_class, i64 function, i64 stream) {
  return packed(at<status (*)(void*)>(function)(at<void*>(stream)));
}

// `request` holds bytes to read, position in the file, offset to the base and the result, 8 bytes
// each; it lives until the stream has executed the read.
JNI_FUNCTION(i64, readAsync)
(jni_environment, jni_class, i64 function, i64 handle, i64 base, i64 request, i64 stream) {
  i64* r = at<i64*>(request);
  return packed(at<status (*)(void*, void*, usize*, i64*, i64*, i64*, void*)>(function)(
      at<void*>(handle), at<void*>(base), reinterpret_cast<usize*>(&r[0]), &r[1], &r[2], &r[3],
      at<void*>(stream)));
}
