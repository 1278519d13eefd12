package io.ariadne.kernelcompiler;

import java.nio.file.Path;

/**
 * Where the kernel build reads and writes.
 *
 * @param module folder of the module that owns the kernels
 * @param classes its compiled classes; libraries and GPU code are written below
 * @param testClasses its compiled test classes; the emulated library is written below
 * @param generatedSources root of generated Java
 * @param generatedTestSources root of generated Java for structs that only tests have
 * @param work folder of intermediate files, kept between builds
 * @param llvmCache folder of unpacked compilers, shared between checkouts
 */
record BuildFolders(
    Path module,
    Path classes,
    Path testClasses,
    Path generatedSources,
    Path generatedTestSources,
    Path work,
    Path llvmCache) {

  private static final String NATIVE_FOLDER = "io/ariadne/native";

  /** Returns the root of the kernel sources and their first include folder. */
  Path kernels() {
    return module.resolve("src/main/cuda");
  }

  /** Returns the root of the sources that only the emulated library has. */
  Path testKernels() {
    return module.resolve("src/test/cuda");
  }

  /** Returns the root of the sources of the fake CUDA driver, which only tests have. */
  Path driverSources() {
    return module.resolve("src/test/driver");
  }

  /** Returns the root of the sources of the fake libcufile, which only tests have. */
  Path storageSources() {
    return module.resolve("src/test/storage");
  }

  /** Returns the folder of the JNI source. */
  Path hostSources() {
    return module.resolve("src/main/cpp");
  }

  /** Returns the file of recorded machine-code budgets. */
  Path budgets() {
    return kernels().resolve("sass-budgets.tsv");
  }

  /** Returns the folder of native outputs that the jar carries. */
  Path nativeOutput() {
    return classes.resolve(NATIVE_FOLDER);
  }

  /** Returns the folder of native outputs that only tests see. */
  Path nativeTestOutput() {
    return testClasses.resolve(NATIVE_FOLDER);
  }
}
