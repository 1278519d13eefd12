package io.ariadne.io.gds;

import io.ariadne.backend.Backend;
import io.ariadne.backend.ProcessBackend;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves bytes of files into the memory of the process's device: by cuFile where storage writes to
 * GPU memory directly, else through page-locked pages of the host. Thread-safe; one for each {@link
 * ProcessBackend}, which closes it.
 *
 * <p>Source: NVIDIA, cuFile API Reference Guide.
 */
public final class DirectStorage implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectStorage.class);

  private final Backend backend;
  private final GdsOptions options;
  private final Mode mode;
  private final String reason;

  /** Null unless the mode is {@link Mode#DIRECT}. */
  private final CuFileDriver driver;

  /** Null unless the mode is {@link Mode#DIRECT}. */
  private final FileSystems fileSystems;

  /** Null unless the mode is {@link Mode#DIRECT}. */
  private final RegisteredFiles files;

  private final RegisteredBuffers buffers;
  private final StagingPages staging;
  private final UseCount uses = new UseCount();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final Set<Integer> reportedErrors = ConcurrentHashMap.newKeySet();

  private DirectStorage(
      Backend backend, GdsOptions options, CuFileDriver driver, Mode mode, String reason) {
    this.backend = backend;
    this.options = options;
    this.driver = driver;
    this.mode = mode;
    this.reason = reason;
    this.fileSystems =
        driver == null ? null : new FileSystems(driver.properties(), options.fileSystems());
    this.files =
        driver == null ? null : new RegisteredFiles(driver, fileSystems, options.registeredFiles());
    this.buffers = new RegisteredBuffers(backend, driver, options.patienceMillis());
    this.staging = new StagingPages(backend, options);
  }

  /** How bytes reach the device. Reported at start, never chosen silently. */
  public enum Mode {
    /** Storage writes to GPU memory, on file systems that cuFile has a direct path to. */
    DIRECT,
    /** cuFile could only copy through the host; Ariadne does that itself. */
    COMPATIBILITY,
    /** There is no cuFile, or it refuses: Ariadne copies through the host. */
    BOUNCE
  }

  /** A registered range of device memory, or a registered stream. */
  public interface Registration extends AutoCloseable {
    /** Returns why nothing is registered, empty when it is. Everything works without, slower. */
    String reason();

    /**
     * Ends the registration, before the memory is freed or the stream destroyed. Waits for reads
     * that have begun, unless the device is lost. Idempotent.
     *
     * @throws IllegalStateException when they do not end; the memory must not be freed then
     */
    @Override
    void close();
  }

  /**
   * Returns the storage of a process's back end, which the first call opens.
   *
   * @param process a back end with memory of its own
   */
  public static DirectStorage of(ProcessBackend process) {
    return of(process, GdsOptions.DEFAULT);
  }

  static DirectStorage of(ProcessBackend process, GdsOptions options) {
    return process.service(DirectStorage.class, backend -> open(backend, options));
  }

  private static DirectStorage open(Backend backend, GdsOptions options) {
    DirectStorage opened;
    if (!backend.name().equals("cuda")) {
      String why = "the back end is " + backend.name() + ", which cuFile does not know";
      opened = new DirectStorage(backend, options, null, Mode.BOUNCE, why);
    } else {
      opened = openCuFile(backend, options);
    }
    LOG.info("{}", opened.description());
    return opened;
  }

  private static DirectStorage openCuFile(Backend backend, GdsOptions options) {
    CuFileDriver driver;
    try {
      backend.prepareThread();
      driver = CuFileDriver.acquire();
    } catch (CuFileUnavailableException e) {
      return new DirectStorage(backend, options, null, e.mode(), e.getMessage());
    } catch (EngineException e) {
      return new DirectStorage(backend, options, null, Mode.BOUNCE, e.getMessage());
    }
    try {
      return new DirectStorage(backend, options, driver, Mode.DIRECT, "");
    } catch (RuntimeException | Error e) {
      driver.release();
      throw e;
    }
  }

  /** Returns how bytes reach the device, decided once. */
  public Mode mode() {
    return mode;
  }

  /** Returns why {@link #mode} is not {@link Mode#DIRECT}, empty when it is. */
  public String reason() {
    return reason;
  }

  /** Describes the mode and what it uses, in one line. */
  public String description() {
    String pages =
        staging.maxPages() + " page-locked pages of " + (options.pageBytes() >> 10) + " KiB";
    return mode == Mode.DIRECT
        ? "mode DIRECT: " + driver.description() + "; other files through " + pages
        : "mode " + mode + ": through " + pages + ", because " + reason;
  }

  /**
   * Registers a range of device memory, so that cuFile reads into it without buffers of its own.
   * Slow, and limited by the GPU: for memory that lives long.
   *
   * @param address first byte of an allocation or within it
   * @param lengthInBytes number of bytes
   * @return the registration, which the caller closes before the memory is freed
   */
  public Registration register(long address, long lengthInBytes) {
    return buffers.register(address, lengthInBytes);
  }

  /**
   * Registers a CUDA stream for {@link #readOnStream}.
   *
   * @param stream handle of the stream, 0 for the default one
   * @return the registration, which the caller closes before the stream is destroyed
   */
  public Registration registerStream(long stream) {
    return StreamRead.registerStream(backend, driver, stream);
  }

  /**
   * Queues a read on a CUDA stream; the bytes are there for work that is queued on it later.
   *
   * @param reader a reader that this package's provider has opened
   * @param range what to read, into DEVICE memory; the caller keeps the target until the read is
   *     closed
   * @param stream handle of the stream, 0 for the default one
   * @return the read, which the caller closes after the stream has executed it; empty when the file
   *     cannot be read so: then {@link ByteRangeReader#read} it
   * @throws IOException when the range is outside the file, or the file cannot be opened
   */
  public Optional<StreamRead> readOnStream(ByteRangeReader reader, ByteRange range, long stream)
      throws IOException {
    return reader instanceof GdsFileReader file && driver != null && driver.hasStreams()
        ? file.readOnStream(range, stream)
        : Optional.empty();
  }

  Backend backend() {
    return backend;
  }

  GdsOptions options() {
    return options;
  }

  CuFileDriver driver() {
    return driver;
  }

  FileSystems fileSystems() {
    return fileSystems;
  }

  RegisteredFiles files() {
    return files;
  }

  RegisteredBuffers buffers() {
    return buffers;
  }

  StagingPages staging() {
    return staging;
  }

  /**
   * Begins a use of the device, which {@link #endUse} ends.
   *
   * @param file what is read, for the message
   * @throws IOException after {@link #close}
   */
  void beginUse(Object file) throws IOException {
    if (!uses.begin()) {
      throw new IOException("the runtime for which " + file + " was opened has stopped");
    }
  }

  void endUse() {
    uses.end();
  }

  /** Reports an error of cuFile after which bytes pass through the host, once for each error. */
  void report(int error, String message) {
    if (reportedErrors.add(error)) {
      LOG.warn("{}; such bytes pass through the host", message);
    }
  }

  /**
   * Ends all registrations and the use of cuFile, and frees the pages. Idempotent.
   *
   * @throws IllegalStateException when reads are running that do not end; everything stays then
   */
  @Override
  public void close() {
    if (!uses.endAll("memory of " + backend.name(), options.patienceMillis())) {
      throw new IllegalStateException(
          "reads into device memory have not ended within " + options.patienceMillis() + " ms");
    }
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    Closer closer = new Closer();
    buffers.close(closer);
    if (driver != null) {
      files.close(closer);
      closer.close(driver::release);
    }
    staging.close(closer);
    closer.rethrow();
  }
}
