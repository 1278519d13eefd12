package io.ariadne.kernelcompiler;

import java.util.ArrayList;
import java.util.List;

/** A target of the kernel sources, with the flags that make it. */
enum KernelTarget {
  /** x86-64-v3: AVX2, FMA, BMI. Without LZCNT, which some hypervisors hide from their guests. */
  HOST_V3(
      "v3", List.of("--target=x86_64-unknown-linux-gnu", "-march=x86-64-v3", "-mno-lzcnt"), "HOST"),
  /** x86-64-v4: v3 and AVX-512 F, BW, CD, DQ, VL. */
  HOST_V4(
      "v4", List.of("--target=x86_64-unknown-linux-gnu", "-march=x86-64-v4", "-mno-lzcnt"), "HOST"),
  /** 64-bit Arm with the 8.2 atomics; cross-compiled, never run by this build. */
  HOST_ARM(
      "armv8",
      List.of("--target=aarch64-unknown-linux-gnu", "-march=armv8.2-a", "-mno-outline-atomics"),
      "HOST"),
  /** The GPU code path on the CPU, every memory access reported to the emulator. */
  EMULATED(
      "emulated",
      List.of("--target=x86_64-unknown-linux-gnu", "-march=x86-64-v3", "-mno-lzcnt"),
      "EMULATED"),
  /** PTX for the oldest supported architecture; newer ones are assembled from the same text. */
  CUDA(
      "ptx",
      List.of(
          "--cuda-device-only",
          "--cuda-gpu-arch=sm_80",
          "--cuda-feature=+ptx80",
          "-nocudainc",
          "-nocudalib",
          "--cuda-path=/nonexistent"),
      "CUDA");

  private static final List<String> ALL_TARGETS =
      List.of(
          "-O3",
          "-std=c++20",
          "-ffreestanding",
          "-nostdlibinc",
          "-nostdinc++",
          "-fno-exceptions",
          "-fno-rtti",
          "-ffp-contract=off",
          "-fwrapv",
          "-fno-strict-aliasing",
          "-fno-threadsafe-statics",
          "-fvisibility=hidden",
          "-fno-ident",
          "-Wall",
          "-Wextra",
          "-Werror",
          "-Werror=global-constructors",
          "-Wno-pass-failed");

  private static final List<String> PROCESSOR_TARGETS =
      List.of("-fPIC", "-fno-stack-protector", "-fno-asynchronous-unwind-tables");

  private final String label;
  private final List<String> flags;
  private final String macro;

  KernelTarget(String label, List<String> flags, String macro) {
    this.label = label;
    this.flags = flags;
    this.macro = macro;
  }

  /** Returns the name used for folders, libraries and messages. */
  String label() {
    return label;
  }

  /** Returns all flags for a kernel source, without include folders, input and output. */
  List<String> kernelFlags() {
    List<String> all = runtimeFlags();
    if (this == EMULATED) {
      all.addAll(
          List.of(
              "-fsanitize=thread",
              "-mllvm",
              "-tsan-instrument-func-entry-exit=0",
              // Code generation, unlike the optimizer, would give one barrier two call sites.
              "-mllvm",
              "-disable-tail-duplicate",
              "-mllvm",
              "-disable-early-taildup",
              "-mllvm",
              "-tail-dup-placement=false",
              // Merged accesses would blur the coalescing meter.
              "-fno-vectorize",
              "-fno-slp-vectorize"));
    }
    return all;
  }

  /** Returns all flags for a source that is not a kernel: JNI, the emulator. */
  List<String> runtimeFlags() {
    List<String> all = new ArrayList<>();
    all.add("-x");
    all.add(this == CUDA ? "cuda" : "c++");
    all.addAll(flags);
    all.addAll(ALL_TARGETS);
    if (this != CUDA) {
      all.addAll(PROCESSOR_TARGETS);
    }
    all.add("-DARIADNE_TARGET_" + macro + "=1");
    return all;
  }
}
