package io.ariadne.kernel.parquet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.testing.LongTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Snappy blocks, sound and damaged, against what they were made of and against plain Java. Blocks
 * and results lie in memory that ends where they do.
 */
abstract class AbstractTestParquetSnappyKernels extends ParquetSuite {
  private static final int DAMAGED = Integer.getInteger("ariadne.test.cases", 300);
  private static final int PAGES = 64;

  AbstractTestParquetSnappyKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void decompressesEveryStyleAndSize() {
    for (SnappyBlock.Style style : SnappyBlock.Style.values()) {
      List<SnappyBlock> blocks = new ArrayList<>();
      for (int bytes : COUNTS) {
        blocks.add(SnappyBlock.of(style, bytes, random));
      }
      check(blocks);
    }
  }

  @Test
  void decompressesManySizes() {
    SnappyBlock.Style[] styles = SnappyBlock.Style.values();
    List<SnappyBlock> blocks = new ArrayList<>();
    for (int bytes = 0; bytes < 400; bytes++) {
      blocks.add(SnappyBlock.of(styles[bytes % styles.length], bytes, random));
    }
    check(blocks);
  }

  @Test
  @LongTest
  void refusesEveryTruncation() {
    for (SnappyBlock.Style style : SnappyBlock.Style.values()) {
      byte[] stream = SnappyBlock.of(style, 250, random).stream();
      int step = style == SnappyBlock.Style.NUMBERS ? 1 : 1 + random.nextInt(7);
      for (int length = 0; length < stream.length; length += step) {
        checkDamaged(Arrays.copyOf(stream, length), 250);
      }
    }
  }

  @Test
  @LongTest
  void equalsTheReferenceOnDamagedBlocks() {
    SnappyBlock.Style[] styles = SnappyBlock.Style.values();
    for (int i = 0; i < DAMAGED; i++) {
      int bytes = 1 + random.nextInt(1 << random.nextInt(12));
      byte[] stream = SnappyBlock.of(styles[i % styles.length], bytes, random).stream();
      checkDamaged(SnappyBlock.damaged(stream, random), bytes);
    }
  }

  @Test
  void refusesAnotherLength() {
    byte[] stream = SnappyBlock.of(SnappyBlock.Style.ANY, 300, random).stream();
    checkDamaged(stream, 299);
    checkDamaged(stream, 301);
    checkDamaged(new byte[0], 0);
    checkDamaged(new byte[] {0}, 0);
    checkDamaged(new byte[] {0, 0, 1}, 0);
    checkDamaged(new byte[] {-1, -1, -1, -1, 31, 0}, 1);
    checkDamaged(new byte[] {-1, -1, -1, -1, -1, 0}, 1);
  }

  @Test
  void namesTheDamagedWindow() {
    SnappyBlock sound = SnappyBlock.of(SnappyBlock.Style.TEXT, 500, random);
    try (StreamMemory memory = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        SnappyDecoder decoder = new SnappyDecoder(backend(), allocator())) {
      add(memory, windows, sound.stream(), 500);
      add(memory, windows, Arrays.copyOf(sound.stream(), 20), 500);
      assertEquals(1, failure(decoder, windows).window());
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    List<SnappyBlock> numbers = new ArrayList<>();
    List<SnappyBlock> literals = new ArrayList<>();
    for (int i = 0; i < PAGES; i++) {
      numbers.add(SnappyBlock.of(SnappyBlock.Style.NUMBERS, MANY / PAGES + 1, random));
      literals.add(SnappyBlock.of(SnappyBlock.Style.LITERALS, MANY / PAGES + 1, random));
    }
    check(numbers);
    checkWork("parquet_snappy numbers");
    check(literals);
    checkWork("parquet_snappy literals");
  }

  /** Decompresses sound blocks in one launch. */
  private void check(List<SnappyBlock> blocks) {
    try (StreamMemory memory = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        SnappyDecoder decoder = new SnappyDecoder(backend(), allocator())) {
      List<Long> places = new ArrayList<>();
      for (SnappyBlock block : blocks) {
        places.add(add(memory, windows, block.stream(), block.result().length));
      }
      decoder.decompress(windows);
      for (int i = 0; i < blocks.size(); i++) {
        byte[] expected = blocks.get(i).result();
        assertArrayEquals(
            expected, read(places.get(i), expected.length), "block " + i + " seed " + seed());
      }
    }
  }

  /**
   * Decompresses a block that may be damaged, alone and between sound ones: the kernel says of it
   * what plain Java says.
   */
  private void checkDamaged(byte[] stream, int bytes) {
    checkDamaged(stream, bytes, List.of());
    SnappyBlock.Style[] styles = SnappyBlock.Style.values();
    int size = random.nextInt(2 * bytes + 200);
    checkDamaged(
        stream,
        bytes,
        List.of(
            SnappyBlock.of(styles[random.nextInt(styles.length)], size, random),
            SnappyBlock.of(styles[random.nextInt(styles.length)], 300, random)));
  }

  private void checkDamaged(byte[] stream, int bytes, List<SnappyBlock> around) {
    ReferenceSnappy reference = ReferenceSnappy.decode(stream, bytes);
    try (StreamMemory memory = new StreamMemory(backend(), allocator());
        StreamWindows windows = new StreamWindows();
        SnappyDecoder decoder = new SnappyDecoder(backend(), allocator())) {
      int number = around.isEmpty() ? 0 : 1;
      for (SnappyBlock before : around.subList(0, number)) {
        add(memory, windows, before.stream(), before.result().length);
      }
      long place = add(memory, windows, stream, bytes);
      for (SnappyBlock behind : around.subList(number, around.size())) {
        add(memory, windows, behind.stream(), behind.result().length);
      }
      ParquetPageException failure = failure(decoder, windows);
      String where = "seed " + seed() + ", " + failure + ", block " + Arrays.toString(stream);
      assertEquals(reference.code(), failure == null ? 0 : failure.code(), where);
      if (failure != null) {
        assertEquals(number, failure.window(), where);
        assertEquals(reference.offset(), failure.byteOffset(), where);
      } else {
        assertArrayEquals(reference.result(), read(place, bytes), where);
      }
    }
  }

  private static ParquetPageException failure(SnappyDecoder decoder, StreamWindows windows) {
    try {
      decoder.decompress(windows);
      return null;
    } catch (ParquetPageException e) {
      return e;
    }
  }

  /** Adds a block; returns where its result goes. */
  private static long add(StreamMemory memory, StreamWindows windows, byte[] stream, int bytes) {
    long place = memory.put(new byte[bytes]);
    windows.add(memory.put(stream), stream.length, place, 0, 0, bytes, 0, 0);
    return place;
  }

  private static byte[] read(long place, int bytes) {
    byte[] result = new byte[bytes];
    Memory.copy(place, result, 0, bytes);
    return result;
  }
}
