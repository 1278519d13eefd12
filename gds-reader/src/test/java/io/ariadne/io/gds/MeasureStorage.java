package io.ariadne.io.gds;

import io.ariadne.backend.Backend;
import io.ariadne.backend.ProcessBackend;
import io.ariadne.backend.cuda.CudaBackend;
import io.ariadne.backend.cuda.GpuRequest;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaders;
import io.ariadne.io.OpenRequest;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32C;

/**
 * Reads a file into the memory of a device, as {@code dev/gpu/on-device.sh storage} has it done:
 * {@code MeasureStorage BACKEND FILE THREADS REGISTERED REPORT}. The caller has dropped the file
 * from the page cache; {@code REGISTERED} is {@code true} to register the memory with cuFile. The
 * report, in JSON, says how bytes reach the device, why, and how many of them in a second. What the
 * device has is then compared with the file. Ends with status 1 when it is not the same.
 */
public final class MeasureStorage {
  private static final long WINDOW_BYTES = 256 << 20;
  private static final long DEVICE_BYTES = 2 * WINDOW_BYTES;
  private static final int COMPARED_BYTES = 4 << 20;
  private static final long TIMEOUT_SECONDS = 300;

  private final Backend backend;
  private final ByteRangeReader reader;
  private final Path file;
  private final MemoryBuffer target;

  private MeasureStorage(Backend backend, ByteRangeReader reader, Path file, MemoryBuffer target) {
    this.backend = backend;
    this.reader = reader;
    this.file = file;
    this.target = target;
  }

  /** Measures and exits. */
  public static void main(String[] arguments) throws Exception {
    Backend backend =
        arguments[0].equals("cuda")
            ? CudaBackend.open(GpuRequest.ANY)
            : SimulatedBackend.open(new SimulatedDevice(2 * DEVICE_BYTES, 0, 0, 1));
    Path file = Path.of(arguments[1]);
    int threads = Integer.parseInt(arguments[2]);
    boolean isEqual;
    try (ProcessBackend process = ProcessBackend.register(backend);
        MemoryPool pool =
            MemoryPools.over(
                "device", DEVICE_BYTES, backend.memory(MemoryTier.DEVICE).orElseThrow());
        ByteRangeReader reader = ByteRangeReaders.installed().open(OpenRequest.ofLocal(file));
        MemoryBuffer target = pool.allocate(Math.min(WINDOW_BYTES, Files.size(file)))) {
      DirectStorage storage = DirectStorage.of(process);
      MeasureStorage measure = new MeasureStorage(backend, reader, file, target);
      String reason = "not asked for";
      DirectStorage.Registration memory = null;
      if (Boolean.parseBoolean(arguments[3])) {
        memory = storage.register(target.address(), target.capacityInBytes());
        reason = memory.reason();
      }
      double rate = measure.rate(threads);
      isEqual = measure.isEqual();
      if (memory != null) {
        memory.close();
      }
      Files.writeString(
          Path.of(arguments[4]),
          String.format(
              Locale.ROOT,
              "{\"mode\": \"%s\", \"description\": \"%s\", \"threads\": %d, \"bytes\": %d,"
                  + " \"bytesPerSecond\": %.0f, \"notRegistered\": \"%s\", \"isEqual\": %b}%n",
              storage.mode(),
              quoted(storage.description()),
              threads,
              reader.lengthInBytes(),
              rate,
              quoted(reason),
              isEqual));
      System.out.println(storage.description());
    }
    backend.close();
    System.exit(isEqual ? 0 : 1);
  }

  private static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  /** Reads the whole file, window after window into the same memory; returns bytes per second. */
  private double rate(int threads)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      long start = System.nanoTime();
      for (long position = 0; position < reader.lengthInBytes(); position += length(position)) {
        List<ByteRange> ranges = List.of(new ByteRange(position, target, 0, length(position)));
        reader.start(ranges, executor).completion().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
      return reader.lengthInBytes() / ((System.nanoTime() - start) / 1e9);
    } finally {
      executor.shutdownNow();
    }
  }

  private long length(long position) {
    return Math.min(target.lengthInBytes(), reader.lengthInBytes() - position);
  }

  private boolean isEqual() throws IOException {
    List<Long> different = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long copy = Memory.allocate(2L * COMPARED_BYTES);
      for (long position = 0; position < length(0); position += COMPARED_BYTES) {
        int bytes = (int) Math.min(COMPARED_BYTES, length(0) - position);
        reader.read(position, target, position, bytes);
        backend.read(target, position, copy, bytes);
        for (int done = 0; done < bytes; ) {
          done +=
              channel.read(
                  Memory.byteBuffer(copy + COMPARED_BYTES + done, bytes - done), position + done);
        }
        if (checksum(copy, bytes) != checksum(copy + COMPARED_BYTES, bytes)) {
          different.add(position);
        }
      }
      Memory.free(copy);
    }
    different.forEach(position -> System.out.println("different from byte " + position));
    return different.isEmpty();
  }

  private static long checksum(long address, int bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(Memory.byteBuffer(address, bytes));
    return checksum.getValue();
  }
}
