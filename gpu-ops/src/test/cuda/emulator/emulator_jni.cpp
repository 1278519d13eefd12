// JNI entry points of the emulated library, written without jni.h; the class is
// io.ariadne.backend.emulated.NativeEmulator.
#define JNI_CLASS io_ariadne_backend_emulated_NativeEmulator
#include "emulator/emulator.hpp"
#include "target/jni_function.cuh"
#include "target/kernel_record.cuh"
#include "target/types.cuh"

extern "C" __attribute__((weak, visibility("hidden")))
const kernel_record __start_ariadne_kernels[],
    __stop_ariadne_kernels[];

JNI_FUNCTION(i64, kernelTableAddress)(jni_environment, jni_class) {
  return __builtin_bit_cast(i64, &__start_ariadne_kernels[0]);
}

JNI_FUNCTION(i32, kernelTableCount)(jni_environment, jni_class) {
  return static_cast<i32>(__stop_ariadne_kernels - __start_ariadne_kernels);
}

// Runs a kernel under the options; 0 = clean, otherwise the report says what was found.
JNI_FUNCTION(i32, launch)
(jni_environment, jni_class, i64 function, i64 arguments, i64 options) {
  return ariadne_emulator_launch(__builtin_bit_cast(void (*)(const void*), function),
                                 __builtin_bit_cast(const void*, arguments),
                                 __builtin_bit_cast(const emulator_launch_options*, options));
}

// Address of the emulator_report of the last launch.
JNI_FUNCTION(i64, report)(jni_environment, jni_class) {
  return __builtin_bit_cast(i64, ariadne_emulator_report());
}

JNI_FUNCTION(void, addRegion)(jni_environment, jni_class, i64 base, i64 bytes) {
  ariadne_emulator_add_region(__builtin_bit_cast(void*, base), static_cast<u64>(bytes));
}

JNI_FUNCTION(void, removeRegion)(jni_environment, jni_class, i64 base) {
  ariadne_emulator_remove_region(__builtin_bit_cast(void*, base));
}
