package io.ariadne.backend.cpu;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Loads the host library of kernels: picks the best library that the processor can run, unpacks it
 * to a folder that allows execution, and removes the file once it is mapped.
 *
 * <p>Folders tried: only the folder of {@value #DIRECTORY_PROPERTY} when that is set; otherwise
 * {@code java.io.tmpdir}, the working folder and the home folder, because many hardened machines
 * mount the first without execution.
 *
 * <p>Thread-safe; the library is loaded once per class loader and stays loaded.
 */
public final class NativeLibrary {

  /** System property: the only folder in which native libraries may be unpacked. */
  public static final String DIRECTORY_PROPERTY = "ariadne.native.directory";

  /** System property: {@code v3}, {@code v4} or {@code armv8}, instead of the best level. */
  public static final String INSTRUCTION_SET_PROPERTY = "ariadne.native.isa";

  private static final String RESOURCE_ROOT = "/io/ariadne/native/";
  private static final Path PROCESSOR_INFORMATION = Path.of("/proc/cpuinfo");

  private static HostInstructionSet loaded;
  private static Path directory;

  private NativeLibrary() {}

  /**
   * Loads the library unless it is loaded, and returns its level.
   *
   * @throws EngineException UNSUPPORTED when no library fits the machine, CONFIGURATION when no
   *     folder allows execution or a property is wrong; the message is one line
   */
  public static synchronized HostInstructionSet load() {
    if (loaded == null) {
      HostInstructionSet level =
          HostInstructionSet.select(
              System.getProperty("os.name"),
              System.getProperty("os.arch"),
              processorInformation(),
              property(INSTRUCTION_SET_PROPERTY));
      directory = loadResource(RESOURCE_ROOT + level.resource(), folders());
      loaded = level;
    }
    return loaded;
  }

  /**
   * Returns the folder from which the library was loaded; it allows execution.
   *
   * @throws IllegalStateException when the library is not loaded
   */
  public static synchronized Path directory() {
    if (directory == null) {
      throw new IllegalStateException("the native library is not loaded");
    }
    return directory;
  }

  /**
   * Unpacks a library from the class path into the first folder that works, and loads it.
   *
   * @param resource absolute name on the class path
   * @param folders where to unpack, in order of preference
   * @return the folder that worked
   * @throws EngineException CONFIGURATION when every folder failed, with the reason for each;
   *     INTERNAL when the jar lacks the library
   */
  static Path loadResource(String resource, List<Path> folders) {
    byte[] content = read(resource);
    List<String> reasons = new ArrayList<>();
    for (Path folder : folders) {
      Optional<String> reason = tryLoad(content, resource, folder);
      if (reason.isEmpty()) {
        return folder;
      }
      reasons.add(folder + " (" + reason.get() + ")");
    }
    throw new EngineException(
        ErrorCode.CONFIGURATION,
        "cannot load the native kernels from "
            + String.join(" nor from ", reasons)
            + "; set "
            + DIRECTORY_PROPERTY
            + " to a writable folder that allows execution");
  }

  /** Returns the folders in which a library may be unpacked, in order of preference. */
  static List<Path> folders() {
    Optional<String> configured = property(DIRECTORY_PROPERTY);
    if (configured.isPresent()) {
      return List.of(Path.of(configured.get()));
    }
    Set<Path> folders = new LinkedHashSet<>();
    for (String name : List.of("java.io.tmpdir", "user.dir", "user.home")) {
      property(name).ifPresent(value -> folders.add(Path.of(value).toAbsolutePath()));
    }
    return List.copyOf(folders);
  }

  /**
   * Tries to load from one folder; returns why that failed, or empty when the library is loaded.
   */
  private static Optional<String> tryLoad(byte[] content, String resource, Path folder) {
    Path file = null;
    try {
      String name = resource.substring(resource.lastIndexOf('/') + 1);
      file = Files.createTempFile(folder, name.replace(".so", "-"), ".so");
      Files.write(file, content);
      System.load(file.toAbsolutePath().toString());
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("cannot write there: " + e.getMessage());
    } catch (UnsatisfiedLinkError e) {
      return Optional.of(linkFailure(e.getMessage()));
    } finally {
      delete(file);
    }
  }

  /** Returns the message of the dynamic loader in readable form. */
  static String linkFailure(String message) {
    boolean isForbidden =
        message != null
            && (message.contains("failed to map segment")
                || message.contains("Operation not permitted")
                || message.contains("Permission denied"));
    return isForbidden ? "does not allow execution, mounted noexec?" : String.valueOf(message);
  }

  private static void delete(Path file) {
    if (file == null) {
      return;
    }
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      file.toFile().deleteOnExit();
    }
  }

  private static byte[] read(String resource) {
    try (InputStream stream = NativeLibrary.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new EngineException(
            ErrorCode.INTERNAL, "the jar lacks " + resource + ": it was built without kernels");
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new EngineException(ErrorCode.INTERNAL, "cannot read " + resource, e);
    }
  }

  private static String processorInformation() {
    try {
      return Files.isReadable(PROCESSOR_INFORMATION) ? Files.readString(PROCESSOR_INFORMATION) : "";
    } catch (IOException e) {
      throw new EngineException(ErrorCode.UNSUPPORTED, "cannot read " + PROCESSOR_INFORMATION, e);
    }
  }

  private static Optional<String> property(String name) {
    return Optional.ofNullable(System.getProperty(name)).filter(value -> !value.isBlank());
  }
}
