package io.ariadne.kernelcompiler;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The symbols that a library may import and export.
 *
 * @param imports names that may be undefined
 * @param exportPrefixes prefixes of names that may be visible
 */
record SymbolCheck(Set<String> imports, List<String> exportPrefixes) {

  /**
   * Host libraries. They import the functions that the compiler may call implicitly and those that
   * bind cuFile, which every C library and thus every JVM has, and export JNI functions.
   */
  static final SymbolCheck HOST =
      new SymbolCheck(
          Set.of(
              "memcpy",
              "memmove",
              "memset",
              "memcmp",
              "dlopen",
              "dlsym",
              "dlerror",
              "open",
              "close",
              "__errno_location"),
          List.of("Java_io_ariadne_"));

  /** The emulated library, for tests, which also allocates memory and may abort. */
  static final SymbolCheck EMULATED =
      new SymbolCheck(
          Set.of(
              "memcpy",
              "memmove",
              "memset",
              "memcmp",
              "mmap",
              "munmap",
              "mprotect",
              "abort",
              "sched_yield"),
          List.of("Java_io_ariadne_", "ariadne_emulator_"));

  /** The fake CUDA driver, for tests. */
  static final SymbolCheck DRIVER =
      new SymbolCheck(
          Stream.concat(EMULATED.imports().stream(), Stream.of("pthread_self"))
              .collect(Collectors.toUnmodifiableSet()),
          List.of("Java_io_ariadne_backend_cuda_FakeDriver_", "ariadne_emulator_", "cu"));

  /** The fake libcufile, for tests; it uses the fake CUDA driver. */
  static final SymbolCheck STORAGE =
      new SymbolCheck(
          Set.of(
              "memcpy",
              "memset",
              "mmap",
              "munmap",
              "abort",
              "sched_yield",
              "pread",
              "fcntl",
              "__errno_location",
              "cuFakeDmaWrite",
              "cuFakeIsDeviceMemory",
              "cuFakeQueueDma"),
          List.of("Java_io_ariadne_io_gds_FakeCuFile_", "cuFile"));

  /**
   * Returns the violations of a library; empty when there are none.
   *
   * @param library name for messages
   * @param listing the dynamic symbols as {@code llvm-nm -D} prints them
   */
  List<String> faults(String library, String listing) {
    List<String> faults = new ArrayList<>();
    for (String line : listing.split("\n")) {
      String[] fields = line.strip().split("\\s+");
      if (fields.length < 2) {
        continue;
      }
      String kind = fields[fields.length - 2];
      String name = fields[fields.length - 1];
      boolean isImport = kind.equals("U") || kind.equals("w") || kind.equals("v");
      if (isImport && !imports.contains(name)) {
        faults.add(library + " needs " + name + ", which no kernel may use");
      } else if (!isImport && exportPrefixes.stream().noneMatch(name::startsWith)) {
        faults.add(library + " exports " + name + "; only JNI functions may be visible");
      }
    }
    return faults;
  }
}
