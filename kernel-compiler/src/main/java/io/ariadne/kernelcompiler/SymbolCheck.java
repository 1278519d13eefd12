package io.ariadne.kernelcompiler;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Holds a library to the symbols it may import and export. */
final class SymbolCheck {

  /** What the compiler may call on its own; every C library, and thus every JVM, has them. */
  static final Set<String> KERNEL_IMPORTS = Set.of("memcpy", "memmove", "memset", "memcmp");

  /** What the emulator, a part of the tests, may use besides. */
  static final Set<String> EMULATOR_IMPORTS =
      Set.of("memcpy", "memmove", "memset", "memcmp", "mmap", "munmap", "mprotect", "abort", "sched_yield");

  private static final String EXPORT_PREFIX = "Java_io_ariadne_";

  private SymbolCheck() {}

  /**
   * Returns the faults of a library; empty when it keeps to the lists.
   *
   * @param library name for messages
   * @param listing the dynamic symbols as {@code llvm-nm -D} prints them
   * @param allowedImports names that may be undefined
   */
  static List<String> check(String library, String listing, Set<String> allowedImports) {
    List<String> faults = new ArrayList<>();
    for (String line : listing.split("\n")) {
      String[] fields = line.strip().split("\\s+");
      if (fields.length < 2) {
        continue;
      }
      String kind = fields[fields.length - 2];
      String name = fields[fields.length - 1];
      boolean isImport = kind.equals("U") || kind.equals("w") || kind.equals("v");
      if (isImport && !allowedImports.contains(name)) {
        faults.add(library + " needs " + name + ", which no kernel may use");
      } else if (!isImport && !name.startsWith(EXPORT_PREFIX)) {
        faults.add(library + " exports " + name + "; only JNI functions may be visible");
      }
    }
    return faults;
  }
}
