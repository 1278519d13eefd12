package io.ariadne.replay;

import io.ariadne.backend.emulated.EmulatedBackend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.kernel.abi.KernelStatusLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Finds out which bytes a recorded launch determines: those that many runs, in other orders of
 * threads, with other grids and at other addresses, leave alike. What depends on which thread comes
 * first is not compared.
 */
final class StableBytes {
  /** Runs of each case: enough that each of two threads is the first in some runs. */
  private static final int RUNS = 10;

  /** Most blocks of a run, alternating: what kernels write may depend on the grid. */
  private static final int[] GRIDS = {Integer.MAX_VALUE, 3, 2, 1};

  private static final int MOST_RANGES = 64;

  private StableBytes() {}

  /**
   * Notes what to expect of a case.
   *
   * @return whether the launch ends without an error and determines bytes that it also changes
   */
  static boolean expect(ReplayCase replayCase, BufferAllocator allocator, long seed) {
    List<LoadedCase> runs = new ArrayList<>();
    try {
      for (int run = 0; run < RUNS; run++) {
        EmulatedBackend backend = EmulatedBackend.open(seed + 1000L * run);
        LoadedCase loaded = new LoadedCase(backend, allocator, replayCase);
        runs.add(loaded);
        loaded.run(GRIDS[run % GRIDS.length]);
      }
      boolean isSound = runs.stream().allMatch(StableBytes::hasNoError);
      boolean hasAny = false;
      for (int i = 1; i < replayCase.buffers().size() && isSound; i++) {
        hasAny |= expect(replayCase.buffer(i), i, runs);
      }
      return isSound && hasAny;
    } finally {
      runs.forEach(LoadedCase::close);
    }
  }

  private static boolean hasNoError(LoadedCase run) {
    byte[] status = run.content(ReplayCase.STATUS);
    return ByteBuffer.wrap(status).getLong(KernelStatusLayout.ERROR_OFFSET) == 0;
  }

  private static boolean expect(ReplayBuffer buffer, int number, List<LoadedCase> runs) {
    List<byte[]> contents = runs.stream().map(run -> run.content(number)).toList();
    boolean[] isStable = new boolean[buffer.sizeInBytes()];
    boolean isChanged = false;
    for (int at = 0; at < isStable.length; at++) {
      byte first = contents.get(0)[at];
      int position = at;
      isStable[at] = contents.stream().allMatch(content -> content[position] == first);
      byte before = buffer.content().length == 0 ? 0 : buffer.content()[at];
      isChanged |= isStable[at] && first != before && !isPointer(buffer, at);
    }
    if (!isChanged) {
      return false;
    }
    buffer
        .pointers()
        .forEach(each -> Arrays.fill(isStable, each.at(), each.at() + Long.BYTES, false));
    ranges(isStable).forEach(range -> buffer.expectBytes(range[0], range[1]));
    return true;
  }

  private static boolean isPointer(ReplayBuffer buffer, int at) {
    return buffer.pointers().stream()
        .anyMatch(each -> at >= each.at() && at < each.at() + Long.BYTES);
  }

  /** Returns offsets and lengths of the longest ranges of stable bytes, by offset. */
  private static List<int[]> ranges(boolean[] isStable) {
    List<int[]> ranges = new ArrayList<>();
    int start = 0;
    for (int at = 0; at <= isStable.length; at++) {
      if (at == isStable.length || !isStable[at]) {
        if (at > start) {
          ranges.add(new int[] {start, at - start});
        }
        start = at + 1;
      }
    }
    return ranges.stream()
        .sorted(Comparator.comparingInt(range -> -range[1]))
        .limit(MOST_RANGES)
        .sorted(Comparator.comparingInt(range -> range[0]))
        .toList();
  }
}
