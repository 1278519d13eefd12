package io.ariadne.io.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The descriptors of the process that name a file below a folder, or a ring. */
final class OpenDescriptors {
  private OpenDescriptors() {}

  /** Returns the names of the open files below a folder, and of rings and their events. */
  static Set<String> of(Path folder) {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      for (Path each : all.toList()) {
        String name = nameOf(each);
        if (name.startsWith(folder.toString())
            || name.contains("io_uring")
            || name.contains("eventfd")) {
          names.add(each.getFileName() + " " + name);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private static String nameOf(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // Closed meanwhile, as the descriptor of this very listing.
      return "";
    }
  }
}
