package io.ariadne.watch;

import io.ariadne.event.ChromeTrace;
import io.ariadne.event.ThreadRecords;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the recent events of all threads of the process to a file in Chrome's trace format. */
public final class TraceFile {
  private TraceFile() {}

  /**
   * Writes {@code ariadne-PID.json}, replacing an existing file.
   *
   * @param directory created if it does not exist
   * @return the file
   * @throws IOException if the file cannot be written
   */
  public static Path write(Path directory) throws IOException {
    long process = ProcessHandle.current().pid();
    Path file = Files.createDirectories(directory).resolve("ariadne-" + process + ".json");
    try (Writer out = Files.newBufferedWriter(file)) {
      ChromeTrace.write(ThreadRecords.events(), process, out);
    }
    return file;
  }
}
