package io.ariadne.replay;

import io.ariadne.kernel.abi.ParquetBinaryArgsLayout;
import io.ariadne.kernel.abi.ParquetBinaryResultLayout;
import io.ariadne.kernel.abi.ParquetBitsArgsLayout;
import io.ariadne.kernel.abi.ParquetCodesArgsLayout;
import io.ariadne.kernel.abi.ParquetCountsLayout;
import io.ariadne.kernel.abi.ParquetFixedBinaryArgsLayout;
import io.ariadne.kernel.abi.ParquetLevelsArgsLayout;
import io.ariadne.kernel.abi.ParquetSpreadArgsLayout;
import io.ariadne.kernel.abi.ParquetTaskLayout;
import io.ariadne.kernel.abi.ParquetValidityArgsLayout;
import io.ariadne.kernel.parquet.HybridStream;
import io.ariadne.kernel.parquet.HybridStream.Shape;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Parquet pages: levels, dictionary indices, booleans, binaries, and their spreading over rows. */
final class ParquetCases {
  private static final int PAGES = 16;
  private static final int PAGE_VALUES = 1 << 12;
  private static final int VALUES = PAGES * PAGE_VALUES;
  private static final int VIEW_BYTES = 16;
  private static final int ROWS_PER_THREAD = 32;
  private static final int VIEWS_PER_THREAD = 8;

  private ParquetCases() {}

  static List<ReplayCase> all(Random random) {
    List<ReplayCase> cases = new ArrayList<>();
    for (int width : new int[] {1, 3}) {
      for (Shape shape : new Shape[] {Shape.MIXED, Shape.SHORT}) {
        cases.add(validity(width, shape, random));
      }
    }
    cases.add(levels(random));
    for (Shape shape : Shape.values()) {
      cases.add(codes(10, shape, random));
    }
    cases.add(codes(17, Shape.PACKED, random));
    cases.add(bits(random));
    cases.add(binary(24, random));
    cases.add(fixedBinary(16, random));
    cases.add(fixedBinary(7, random));
    for (int width : new int[] {0, 1, 4, 8, 16}) {
      cases.add(spread(width, random));
    }
    return cases;
  }

  /** A case under construction: pages side by side in one buffer, a task each. */
  private static final class Pages {
    private final ReplayCase replayCase;
    private final ByteArrayOutputStream streams = new ByteArrayOutputStream();
    private final ByteBuffer tasks =
        ByteBuffer.allocate(PAGES * ParquetTaskLayout.SIZE_IN_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final List<Integer> offsets = new ArrayList<>();

    Pages(ReplayCase replayCase) {
      this.replayCase = replayCase;
    }

    /** Adds the next page, all of whose values are decoded. */
    void add(byte[] stream, long aux, int width, int limit) {
      int at = offsets.size() * ParquetTaskLayout.SIZE_IN_BYTES;
      offsets.add(streams.size());
      streams.writeBytes(stream);
      tasks.putLong(at + ParquetTaskLayout.DATA_BYTES_OFFSET, stream.length);
      tasks.putLong(at + ParquetTaskLayout.AUX_OFFSET, aux);
      tasks.putInt(at + ParquetTaskLayout.COUNT_OFFSET, PAGE_VALUES);
      tasks.putInt(at + ParquetTaskLayout.WIDTH_OFFSET, width);
      tasks.putInt(at + ParquetTaskLayout.LIMIT_OFFSET, limit);
    }

    /**
     * Adds the buffers; the first two are the tasks' and the output's.
     *
     * @param outBytes bytes of all outputs
     * @param outStep bytes from one page's output to the next
     */
    Pages finish(int outBytes, int outStep) {
      int list = replayCase.add("tasks", tasks.array());
      int out = replayCase.zeroed("out", outBytes);
      int data = replayCase.add("pages", streams.toByteArray());
      // Each copy of the tasks has pages and outputs of its own, as pages that are all the same
      // would come from a cache.
      replayCase.buffer(list).scaling();
      replayCase.buffer(data).scaling();
      replayCase.buffer(out).scaling().expectBytes(0, outBytes);
      for (int page = 0; page < PAGES; page++) {
        int at = page * ParquetTaskLayout.SIZE_IN_BYTES;
        replayCase
            .buffer(list)
            .pointer(at + ParquetTaskLayout.DATA_OFFSET, data, offsets.get(page))
            .pointer(at + ParquetTaskLayout.OUT_OFFSET, out, (long) page * outStep);
      }
      return this;
    }

    /** Adds a buffer of one struct per task and returns its number. */
    int results(int structBytes) {
      int results = replayCase.zeroed("results", PAGES * structBytes);
      replayCase.buffer(results).scaling().expectBytes(0, PAGES * structBytes);
      return results;
    }

    ReplayLaunch launch(int argumentBytes, int tasksField, int countField, int outBytes) {
      String kernel = replayCase.kernel();
      boolean tiles = kernel.equals("parquet_fixed_binary");
      int block = ReplayCase.blockSize(kernel);
      int grid = tiles ? VALUES / (block * VIEWS_PER_THREAD) : PAGES;
      replayCase.measured(VALUES, streams.size() + (long) outBytes, countField);
      return replayCase
          .launch(grid, block, 0, argumentBytes)
          .pointer(tasksField, 1)
          .putInt(countField, PAGES);
    }
  }

  private static ReplayCase validity(int width, Shape shape, Random random) {
    String name = "validity of " + width + "-bit levels, " + shape + " runs";
    ReplayCase replayCase = new ReplayCase(name, "parquet_validity");
    Pages pages = new Pages(replayCase);
    int maximum = (1 << width) - 1;
    for (int page = 0; page < PAGES; page++) {
      HybridStream stream = HybridStream.random(random, shape, width, maximum + 1L, PAGE_VALUES);
      int first = page * PAGE_VALUES;
      pages.add(stream.bytes(), first, width, maximum << 16 | maximum);
    }
    int outBytes = VALUES / Byte.SIZE;
    int counts = pages.finish(outBytes, 0).results(ParquetCountsLayout.SIZE_IN_BYTES);
    pages
        .launch(
            ParquetValidityArgsLayout.SIZE_IN_BYTES,
            ParquetValidityArgsLayout.TASKS_OFFSET,
            ParquetValidityArgsLayout.TASK_COUNT_OFFSET,
            outBytes)
        .pointer(ParquetValidityArgsLayout.COUNTS_OFFSET, counts);
    return replayCase;
  }

  private static ReplayCase levels(Random random) {
    ReplayCase replayCase = new ReplayCase("levels of 2 bits, MIXED runs", "parquet_levels");
    Pages pages = new Pages(replayCase);
    for (int page = 0; page < PAGES; page++) {
      HybridStream stream = HybridStream.random(random, Shape.MIXED, 2, 4, PAGE_VALUES);
      pages.add(stream.bytes(), 0, 2, 3);
    }
    int counts = pages.finish(VALUES, PAGE_VALUES).results(ParquetCountsLayout.SIZE_IN_BYTES);
    pages
        .launch(
            ParquetLevelsArgsLayout.SIZE_IN_BYTES,
            ParquetLevelsArgsLayout.TASKS_OFFSET,
            ParquetLevelsArgsLayout.TASK_COUNT_OFFSET,
            VALUES)
        .pointer(ParquetLevelsArgsLayout.COUNTS_OFFSET, counts);
    return replayCase;
  }

  private static ReplayCase codes(int width, Shape shape, Random random) {
    String name = "indices of " + width + " bits, " + shape + " runs";
    ReplayCase replayCase = new ReplayCase(name, "parquet_codes");
    Pages pages = new Pages(replayCase);
    int entries = (1 << width) - 1;
    for (int page = 0; page < PAGES; page++) {
      HybridStream stream = HybridStream.random(random, shape, width, entries, PAGE_VALUES);
      pages.add(stream.bytes(), 0, width, entries);
    }
    int outBytes = VALUES * Integer.BYTES;
    pages
        .finish(outBytes, PAGE_VALUES * Integer.BYTES)
        .launch(
            ParquetCodesArgsLayout.SIZE_IN_BYTES,
            ParquetCodesArgsLayout.TASKS_OFFSET,
            ParquetCodesArgsLayout.TASK_COUNT_OFFSET,
            outBytes);
    return replayCase;
  }

  private static ReplayCase bits(Random random) {
    ReplayCase replayCase = new ReplayCase("booleans, plain and in runs", "parquet_bits");
    Pages pages = new Pages(replayCase);
    for (int page = 0; page < PAGES; page++) {
      boolean isPlain = page % 2 == 0;
      byte[] plain = new byte[PAGE_VALUES / Byte.SIZE];
      random.nextBytes(plain);
      byte[] runs = HybridStream.random(random, Shape.MIXED, 1, 2, PAGE_VALUES).bytes();
      pages.add(isPlain ? plain : runs, (long) page * PAGE_VALUES, isPlain ? 0 : 1, 0);
    }
    int outBytes = VALUES / Byte.SIZE;
    pages
        .finish(outBytes, 0)
        .launch(
            ParquetBitsArgsLayout.SIZE_IN_BYTES,
            ParquetBitsArgsLayout.TASKS_OFFSET,
            ParquetBitsArgsLayout.TASK_COUNT_OFFSET,
            outBytes);
    return replayCase;
  }

  private static ReplayCase binary(int longest, Random random) {
    ReplayCase replayCase = new ReplayCase("binaries of up to " + longest, "parquet_binary");
    Pages pages = new Pages(replayCase);
    for (int page = 0; page < PAGES; page++) {
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      for (int i = 0; i < PAGE_VALUES; i++) {
        byte[] value = new byte[random.nextInt(longest + 1)];
        random.nextBytes(value);
        stream.writeBytes(new byte[] {(byte) value.length, 0, 0, 0});
        stream.writeBytes(value);
      }
      pages.add(stream.toByteArray(), (long) page << 32, 0, 0);
    }
    int outBytes = VALUES * VIEW_BYTES;
    int results =
        pages
            .finish(outBytes, PAGE_VALUES * VIEW_BYTES)
            .results(ParquetBinaryResultLayout.SIZE_IN_BYTES);
    pages
        .launch(
            ParquetBinaryArgsLayout.SIZE_IN_BYTES,
            ParquetBinaryArgsLayout.TASKS_OFFSET,
            ParquetBinaryArgsLayout.TASK_COUNT_OFFSET,
            outBytes)
        .pointer(ParquetBinaryArgsLayout.RESULTS_OFFSET, results);
    return replayCase;
  }

  private static ReplayCase fixedBinary(int width, Random random) {
    String name = "binaries of " + width + " bytes";
    ReplayCase replayCase = new ReplayCase(name, "parquet_fixed_binary");
    Pages pages = new Pages(replayCase);
    for (int page = 0; page < PAGES; page++) {
      byte[] stream = new byte[PAGE_VALUES * width];
      random.nextBytes(stream);
      pages.add(stream, (long) page << 32, width, 0);
    }
    int outBytes = VALUES * VIEW_BYTES;
    pages
        .finish(outBytes, PAGE_VALUES * VIEW_BYTES)
        .launch(
            ParquetFixedBinaryArgsLayout.SIZE_IN_BYTES,
            ParquetFixedBinaryArgsLayout.TASKS_OFFSET,
            ParquetFixedBinaryArgsLayout.TASK_COUNT_OFFSET,
            outBytes);
    return replayCase;
  }

  /** Nine rows of ten are present. */
  private static ReplayCase spread(int width, Random random) {
    String name = "spread " + (width == 0 ? "bits" : width + " bytes") + " over rows";
    ReplayCase replayCase = new ReplayCase(name, "parquet_spread");
    byte[] validity = new byte[VALUES / Byte.SIZE];
    int present = 0;
    for (int row = 0; row < VALUES; row++) {
      int bit = random.nextInt(10) == 0 ? 0 : 1;
      validity[row / Byte.SIZE] |= (byte) (bit << (row % Byte.SIZE));
      present += bit;
    }
    int outBytes = width == 0 ? VALUES / Byte.SIZE : VALUES * width;
    byte[] values = new byte[width == 0 ? outBytes : present * width];
    random.nextBytes(values);
    int block = ReplayCase.blockSize("parquet_spread");
    int tiles = VALUES / (block * ROWS_PER_THREAD);
    int dense = replayCase.add("dense", values);
    int valid = replayCase.add("validity", validity);
    int out = replayCase.zeroed("out", outBytes);
    int workspace = replayCase.zeroed("workspace", (1 + tiles) * Long.BYTES);
    replayCase.buffer(out).expectBytes(0, outBytes);
    replayCase
        .launch(tiles, block, 0, ParquetSpreadArgsLayout.SIZE_IN_BYTES)
        .pointer(ParquetSpreadArgsLayout.DENSE_OFFSET, dense)
        .pointer(ParquetSpreadArgsLayout.VALIDITY_OFFSET, valid)
        .pointer(ParquetSpreadArgsLayout.OUT_OFFSET, out)
        .pointer(ParquetSpreadArgsLayout.WORKSPACE_OFFSET, workspace)
        .putInt(ParquetSpreadArgsLayout.ROWS_OFFSET, VALUES)
        .putInt(ParquetSpreadArgsLayout.DENSE_COUNT_OFFSET, present)
        .putInt(ParquetSpreadArgsLayout.WIDTH_OFFSET, width);
    if (width == 0) {
      return replayCase;
    }
    for (int buffer : new int[] {dense, valid, out, workspace}) {
      replayCase.buffer(buffer).scaling();
    }
    return replayCase
        .onlyOnce()
        .measured(
            VALUES,
            values.length + validity.length + (long) outBytes,
            ParquetSpreadArgsLayout.ROWS_OFFSET,
            ParquetSpreadArgsLayout.DENSE_COUNT_OFFSET);
  }
}
