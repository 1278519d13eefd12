package io.ariadne.io.gds;

import io.ariadne.backend.ProcessBackend;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaderProvider;
import io.ariadne.io.ByteRangeReaders;
import io.ariadne.io.OpenRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Opens local files for reads into the memory of the process's device. Other files, and those of a
 * process that computes in the host's memory, are for other providers.
 */
public final class GdsReaderProvider implements ByteRangeReaderProvider {
  private static final int PRIORITY = 100;

  /** How often a file that changes while it is opened is opened again. */
  private static final int OPENINGS = 3;

  private final GdsOptions options;
  private final List<ByteRangeReaderProvider> local;

  /** Creates the provider over the installed readers of local files. */
  public GdsReaderProvider() {
    this(GdsOptions.DEFAULT, null);
  }

  /**
   * Creates a provider.
   *
   * @param local readers of local files, the best first; null for the installed ones
   */
  GdsReaderProvider(GdsOptions options, List<ByteRangeReaderProvider> local) {
    this.options = options;
    this.local = local;
  }

  @Override
  public String name() {
    return "gds";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public Support support(OpenRequest request) {
    Optional<ProcessBackend> process = withDevice();
    if (request.localPath() == null || process.isEmpty()) {
      return Support.OTHER;
    }
    Optional<ByteRangeReaderProvider> reader = localProvider(request);
    return reader.isEmpty()
        ? Support.refused("there is no reader of local files")
        : Support.by(
            DirectStorage.of(process.get(), options).description()
                + "; into the host's memory by "
                + reader.get().name()
                + ", "
                + reader.get().support(request).detail());
  }

  /** Returns the process's back end if its kernels use memory of a device. */
  private static Optional<ProcessBackend> withDevice() {
    return ProcessBackend.current()
        .filter(process -> process.backend().tier() == MemoryTier.DEVICE);
  }

  private Optional<ByteRangeReaderProvider> localProvider(OpenRequest request) {
    return (local == null ? ByteRangeReaders.installed().providers() : local)
        .stream()
            .filter(reader -> reader.getClass() != GdsReaderProvider.class)
            .filter(reader -> reader.support(request).kind() == Support.Kind.SUPPORTED)
            .findFirst();
  }

  @Override
  public Set<MemoryTier> tiers() {
    return Set.of(MemoryTier.DEVICE, MemoryTier.PINNED, MemoryTier.HOST);
  }

  @Override
  public ByteRangeReader open(OpenRequest request) throws IOException {
    ByteRangeReaderProvider reader =
        localProvider(request)
            .orElseThrow(() -> new IOException("no reader of local files: " + request.file()));
    Optional<ProcessBackend> process = withDevice();
    if (process.isEmpty()) {
      // The runtime has stopped since the provider was chosen.
      return reader.open(request);
    }
    DirectStorage storage = DirectStorage.of(process.get(), options);
    Path path = request.localPath();
    for (int i = 0; i < OPENINGS; i++) {
      FileIdentity before = FileIdentity.of(path);
      ByteRangeReader file = reader.open(request);
      boolean isOpened = false;
      try {
        if (isStill(before, request, file)) {
          isOpened = true;
          return new GdsFileReader(storage, path, before, file, request.counters());
        }
      } finally {
        if (!isOpened) {
          file.close();
        }
      }
    }
    throw new IOException(path + " changes while it is opened");
  }

  /** Returns whether a path has led to the same file all the time, which a reader has opened. */
  private static boolean isStill(FileIdentity before, OpenRequest request, ByteRangeReader file)
      throws IOException {
    long length = file.lengthInBytes();
    long time = file.modificationTimeMillis();
    return FileIdentity.of(request.localPath()).equals(before)
        && (length == before.lengthInBytes() || length == request.lengthInBytes())
        && (time == ByteRangeReader.UNKNOWN_TIME
            || time == before.modificationTimeMillis()
            || time == request.modificationTimeMillis());
  }
}
