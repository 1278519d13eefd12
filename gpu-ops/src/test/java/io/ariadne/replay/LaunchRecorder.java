package io.ariadne.replay;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.backend.emulated.EmulatedBackend.Region;
import io.ariadne.backend.emulated.LaunchObserver;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.kernel.abi.KernelStatusLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes replay cases of launches that something else makes. Of each kernel it keeps two of
 * different sizes, the largest below a limit. A case has all memory that the arguments lead to,
 * directly or through other memory. An address must lie within its region: one behind the end,
 * which no kernel takes, would be kept as a number.
 */
final class LaunchRecorder implements LaunchObserver {
  private static final int MOST_PER_KERNEL = 2;
  private static final int MAX_CASE_BYTES = 64 << 10;

  private final Map<String, List<Recorded>> byKernel = new TreeMap<>();

  /** A case and the bytes of its memory. */
  private record Recorded(ReplayCase replayCase, long sizeInBytes) {}

  /** Returns the cases, in the order of their kernels' names. */
  synchronized List<ReplayCase> cases() {
    return byKernel.values().stream().flatMap(List::stream).map(Recorded::replayCase).toList();
  }

  @Override
  public synchronized void beforeLaunch(
      KernelFunction kernel,
      int gridSize,
      int blockSize,
      int sharedBytes,
      ArgumentBlock arguments) {
    List<Recorded> kept = byKernel.computeIfAbsent(kernel.name(), name -> new ArrayList<>());
    Reached reached = Reached.from(arguments);
    if (reached == null || kept.stream().anyMatch(each -> each.sizeInBytes() == reached.bytes())) {
      return;
    }
    boolean isFull = kept.size() == MOST_PER_KERNEL;
    if (isFull && kept.get(MOST_PER_KERNEL - 1).sizeInBytes() > reached.bytes()) {
      return;
    }
    if (isFull) {
      kept.remove(MOST_PER_KERNEL - 1);
    }
    String name = "recorded " + kernel.name() + ", " + reached.bytes() + " bytes";
    ReplayCase replayCase = reached.toCase(name, kernel.name());
    reached.toLaunch(replayCase.launch(gridSize, blockSize, sharedBytes, arguments.sizeInBytes()));
    kept.add(new Recorded(replayCase, reached.bytes()));
    kept.sort(Comparator.comparingLong(Recorded::sizeInBytes).reversed());
  }

  /** The memory that a launch can touch, as it is. The first region is the status block. */
  private static final class Reached {
    private final byte[] arguments;
    private final List<Region> regions = new ArrayList<>();
    private final Map<Long, Integer> numbers = new HashMap<>();
    private final List<byte[]> contents = new ArrayList<>();
    private long bytes;

    private Reached(byte[] arguments) {
      this.arguments = arguments;
    }

    /**
     * Returns what arguments lead to; null where it is too much, or the status block is none that
     * is fresh, which a case begins with.
     */
    static Reached from(ArgumentBlock block) {
      Reached reached = new Reached(bytesAt(block.address(), block.sizeInBytes()));
      boolean isSmall = reached.add(reached.arguments);
      for (int i = 0; i < reached.contents.size() && isSmall; i++) {
        isSmall = reached.add(reached.contents.get(i));
      }
      return isSmall && reached.hasFreshStatus() ? reached : null;
    }

    private boolean hasFreshStatus() {
      return !regions.isEmpty()
          && regions.get(0).base() == word(arguments, 0)
          && regions.get(0).lengthInBytes() == KernelStatusLayout.SIZE_IN_BYTES
          && isZero(contents.get(0));
    }

    /** Adds the regions that words lead to; returns whether all are still small enough. */
    private boolean add(byte[] image) {
      for (int at = 0; at + Long.BYTES <= image.length; at += Long.BYTES) {
        Optional<Region> region = EmulatedBackend.region(word(image, at));
        if (region.isPresent() && !numbers.containsKey(region.get().base())) {
          bytes += region.get().lengthInBytes();
          if (bytes > MAX_CASE_BYTES) {
            return false;
          }
          numbers.put(region.get().base(), regions.size());
          regions.add(region.get());
          contents.add(bytesAt(region.get().base(), Math.toIntExact(region.get().lengthInBytes())));
        }
      }
      return true;
    }

    long bytes() {
      return bytes;
    }

    ReplayCase toCase(String name, String kernel) {
      ReplayCase replayCase = new ReplayCase(name, kernel);
      for (int i = 1; i < regions.size(); i++) {
        byte[] content = contents.get(i);
        List<ReplayBuffer.Pointer> pointers = pointers(content);
        int number =
            isZero(content)
                ? replayCase.zeroed("buffer " + i, content.length)
                : replayCase.add("buffer " + i, withoutPointers(content, pointers));
        pointers.forEach(
            pointer ->
                replayCase
                    .buffer(number)
                    .pointer(pointer.at(), pointer.buffer(), pointer.offset()));
      }
      return replayCase;
    }

    void toLaunch(ReplayLaunch launch) {
      List<ReplayBuffer.Pointer> pointers = pointers(arguments);
      byte[] rest = withoutPointers(arguments, pointers);
      for (int at = 0; at < rest.length; at++) {
        launch.putByte(at, rest[at]);
      }
      pointers.stream()
          .filter(pointer -> pointer.at() > 0) // the status block's is there
          .forEach(each -> launch.pointer(each.at(), each.buffer(), each.offset()));
    }

    private List<ReplayBuffer.Pointer> pointers(byte[] image) {
      List<ReplayBuffer.Pointer> pointers = new ArrayList<>();
      for (int at = 0; at + Long.BYTES <= image.length; at += Long.BYTES) {
        long address = word(image, at);
        int position = at;
        EmulatedBackend.region(address)
            .ifPresent(
                region ->
                    pointers.add(
                        new ReplayBuffer.Pointer(
                            position, numbers.get(region.base()), address - region.base())));
      }
      return pointers;
    }

    /** Addresses of one process mean nothing in another. */
    private static byte[] withoutPointers(byte[] image, List<ReplayBuffer.Pointer> pointers) {
      byte[] copy = image.clone();
      pointers.forEach(each -> Arrays.fill(copy, each.at(), each.at() + Long.BYTES, (byte) 0));
      return copy;
    }

    private static byte[] bytesAt(long address, int length) {
      byte[] bytes = new byte[length];
      Memory.copy(address, bytes, 0, length);
      return bytes;
    }

    private static long word(byte[] image, int at) {
      return ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
    }

    private static boolean isZero(byte[] content) {
      for (byte each : content) {
        if (each != 0) {
          return false;
        }
      }
      return true;
    }
  }
}
