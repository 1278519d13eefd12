package io.ariadne.backend.cuda;

import io.ariadne.backend.cpu.NativeLibrary;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jcuda.driver.JCudaDriver;

/**
 * Loads JCuda's native library, which needs the driver's {@code libcuda.so.1}.
 *
 * <p>JCuda unpacks the library under a fixed name in {@code java.io.tmpdir}, and loads an existing
 * file of that name without checking who wrote it. So, while it loads, {@code java.io.tmpdir} is a
 * new folder of this process, on a file system that allows execution. The folder is removed
 * afterwards.
 */
final class CudaLibrary {
  private static final String TEMPORARY_FOLDER = "java.io.tmpdir";
  private static final Pattern DRIVER_FAILURE = Pattern.compile("libcuda\\.so\\.1: [^\\n]*");

  private static Optional<String> reason;

  private CudaLibrary() {}

  /** Loads the library unless that was tried before; returns why it cannot be loaded, or empty. */
  static synchronized Optional<String> reasonAgainst() {
    if (reason == null) {
      reason = load();
    }
    return reason;
  }

  private static Optional<String> load() {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!system.equals("Linux amd64")) {
      return Optional.of("there is no JCuda for " + system);
    }
    NativeLibrary.load();
    try {
      Path folder =
          Files.createTempDirectory(NativeLibrary.directory().toAbsolutePath(), "ariadne-jcuda-");
      try {
        return load(folder);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new EngineException(
          ErrorCode.CONFIGURATION, "cannot write to " + NativeLibrary.directory(), e);
    }
  }

  private static Optional<String> load(Path folder) throws IOException {
    // Makes the JDK, which reads the property once, read it before it changes.
    Files.delete(File.createTempFile("ariadne-", ".tmp").toPath());
    String before = System.setProperty(TEMPORARY_FOLDER, folder.toString());
    try {
      JCudaDriver.setExceptionsEnabled(false);
      return Optional.empty();
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      return Optional.of(describe(e));
    } finally {
      System.setProperty(TEMPORARY_FOLDER, before);
    }
  }

  /** Returns one line of JCuda's long message. */
  private static String describe(LinkageError error) {
    String message = String.valueOf(error.getMessage());
    Matcher driver = DRIVER_FAILURE.matcher(message);
    return driver.find()
        ? "the NVIDIA driver is not installed: " + driver.group()
        : "JCuda cannot be loaded: " + message.lines().findFirst().orElse("");
  }

  private static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> content = Files.list(folder)) {
      files = content.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(folder);
  }
}
