// JNI entry points of the host library, written without jni.h: an exported function whose name and
// argument types are what the JVM expects of a static native method. The class is
// io.ariadne.backend.cpu.NativeHost. Nothing here allocates, throws, or calls back into the JVM.
#define JNI_CLASS io_ariadne_backend_cpu_NativeHost
#include "target/jni_function.cuh"
#include "target/kernel_record.cuh"
#include "target/layout_record.cuh"
#include "target/types.cuh"

// The linker defines both ends of the sections when any kernel is linked.
extern "C" __attribute__((weak, visibility("hidden"))) const kernel_record
    __start_ariadne_kernels[], __stop_ariadne_kernels[];
extern "C" __attribute__((weak, visibility("hidden"))) const layout_record
    __start_ariadne_layouts[], __stop_ariadne_layouts[];

// Address of the first kernel_record; they lie one after the other.
JNI_FUNCTION(i64, kernelTableAddress)(jni_environment, jni_class) {
  return __builtin_bit_cast(i64, &__start_ariadne_kernels[0]);
}

JNI_FUNCTION(i32, kernelTableCount)(jni_environment, jni_class) {
  return static_cast<i32>(__stop_ariadne_kernels - __start_ariadne_kernels);
}

// Address of the first layout_record; they lie one after the other.
JNI_FUNCTION(i64, layoutTableAddress)(jni_environment, jni_class) {
  return __builtin_bit_cast(i64, &__start_ariadne_layouts[0]);
}

JNI_FUNCTION(i32, layoutTableCount)(jni_environment, jni_class) {
  return static_cast<i32>(__stop_ariadne_layouts - __start_ariadne_layouts);
}

// Calls a kernel of the table with the address of its argument struct; returns when it is done.
JNI_FUNCTION(void, launch)(jni_environment, jni_class, i64 function, i64 arguments) {
  auto entry = __builtin_bit_cast(void (*)(const void*), function);
  entry(__builtin_bit_cast(const void*, arguments));
}
