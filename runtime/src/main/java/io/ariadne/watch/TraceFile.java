package io.ariadne.watch;

import io.ariadne.event.ChromeTrace;
import io.ariadne.event.ThreadRecords;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes what the threads of the process did lately to a file that trace viewers open. */
public final class TraceFile {
  private TraceFile() {}

  /**
   * Writes {@code ariadne-PID.json}; one that is there is replaced.
   *
   * @param directory made if it is not there
   * @return the file
   * @throws IOException when it cannot be written
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
