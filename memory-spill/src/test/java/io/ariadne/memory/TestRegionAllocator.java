package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Only addresses are divided here: there is no memory behind them. */
class TestRegionAllocator {
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());
  private static final long START = 1L << 40;
  private static final long GIB = 1L << 30;

  /** Of a region with many blocks. */
  private static final long SIZE = 80 * GIB;

  private static final int GRANULE = RegionAllocator.GRANULE_BYTES;

  @Test
  void reusesTheWholeRegion() {
    RegionAllocator region = new RegionAllocator(START, 4L * GRANULE);
    assertEquals(START, region.allocate(1));
    assertEquals(START + GRANULE, region.allocate(2 * GRANULE));
    assertEquals(0, region.allocate(GRANULE + 1));
    assertEquals(START + 3L * GRANULE, region.allocate(GRANULE));
    assertEquals(0, region.allocate(1));
    assertEquals(2 * GRANULE, region.free(START + GRANULE));
    assertEquals(2 * GRANULE, region.largestFreeBytes());
    region.free(START + 3L * GRANULE);
    region.free(START);
    assertEquals(0, region.usedBytes());
    assertEquals(START, region.allocate(4L * GRANULE));
  }

  @Test
  void refusesAddressesThatAreNotInUse() {
    RegionAllocator region = new RegionAllocator(START, 4L * GRANULE);
    long address = region.allocate(GRANULE);
    assertThrows(IllegalArgumentException.class, () -> region.free(address + 1));
    region.free(address);
    assertThrows(IllegalArgumentException.class, () -> region.free(address));
    assertThrows(IllegalArgumentException.class, () -> new RegionAllocator(START, 100));
    assertThrows(IllegalArgumentException.class, () -> new RegionAllocator(START, 0));
  }

  /** A block of the very length is found, though its class may have shorter blocks first. */
  @Test
  void findsTheOnlyBlockThatIsLongEnough() {
    for (int granules = 1; granules < 2000; granules += 1 + granules / 7) {
      long bytes = (long) granules * GRANULE;
      RegionAllocator region = new RegionAllocator(START, bytes);
      assertEquals(START, region.allocate(bytes), "all of " + bytes + " bytes");
      region.free(START);
      assertEquals(0, region.allocate(bytes + 1), "more than " + bytes + " bytes");
    }
  }

  @Test
  void blocksNeverOverlapAndFreeNeighboursAreMerged() {
    Random random = new Random(SEED);
    long size = 64 * GIB;
    RegionAllocator region = new RegionAllocator(START, size);
    TreeMap<Long, Long> blocks = new TreeMap<>();
    for (int step = 0; step < 50_000; step++) {
      if (random.nextInt(5) < 3) {
        long length = length(random, GIB);
        long address = region.allocate(length);
        if (address != 0) {
          addChecked(blocks, address, length, size);
        }
      } else if (!blocks.isEmpty()) {
        Long address = anyOf(blocks, random);
        assertEquals(RegionAllocator.rounded(blocks.remove(address)), region.free(address));
      }
    }
    long used = blocks.values().stream().mapToLong(RegionAllocator::rounded).sum();
    assertEquals(used, region.usedBytes(), "seed " + SEED);
    assertEquals(
        new ArrayList<>(blocks.keySet()), Arrays.stream(region.usedAddresses()).boxed().toList());
    blocks.keySet().forEach(region::free);
    assertEquals(size, region.largestFreeBytes(), "seed " + SEED);
  }

  private static void addChecked(TreeMap<Long, Long> blocks, long address, long length, long size) {
    String what = "seed " + SEED + ", " + length + " bytes at " + address;
    assertEquals(0, address % GRANULE, what);
    assertTrue(address >= START && address + length <= START + size, what);
    Map.Entry<Long, Long> before = blocks.floorEntry(address);
    assertTrue(before == null || before.getKey() + before.getValue() <= address, what);
    Long after = blocks.ceilingKey(address);
    assertTrue(after == null || address + length <= after, what);
    blocks.put(address, length);
  }

  private static Long anyOf(TreeMap<Long, Long> blocks, Random random) {
    Long key = blocks.ceilingKey(START + (long) (random.nextDouble() * 64 * GIB));
    return key == null ? blocks.firstKey() : key;
  }

  /** Lengths whose logarithms are equally frequent, from 256 bytes on. */
  private static long length(Random random, long most) {
    return (long) Math.exp(Math.log(GRANULE) + random.nextDouble() * Math.log(most / GRANULE));
  }

  /**
   * A region is kept as full as it can be, while blocks of all lengths and ages come and go. A
   * search for the best block of all does not do better; the random order in which single blocks
   * are freed is the worst case.
   */
  @Test
  void fragmentsLittle() {
    assertMedian(0.75, SIZE / 320, random -> 1);
  }

  /**
   * The columns of a batch are freed together. The pool's limit, 15/16 of an arena, then comes
   * before most refusals; with the longest buffers, a sixteenth of it, refusals come first.
   */
  @Test
  void fragmentsLessWhenBatchesAreFreed() {
    assertMedian(15 / 16.0, SIZE / 320, random -> 2 + random.nextInt(12));
    assertMedian(0.8, SIZE / 16, random -> 2 + random.nextInt(12));
  }

  private static void assertMedian(double least, long most, ToIntFunction<Random> columns) {
    double[] fills =
        IntStream.range(0, 10)
            .mapToObj(round -> fills(round, most, columns))
            .flatMapToDouble(Arrays::stream)
            .sorted()
            .toArray();
    assertTrue(fills.length > 200, fills.length + " refusals, seed " + SEED);
    double median = fills[fills.length / 2];
    assertTrue(median > least, "seed " + SEED + ": mostly refused at " + median);
  }

  /**
   * Returns which parts of a region were in use or asked for at refusals, the least one first.
   *
   * @param most bytes of a batch
   * @param columns how many blocks the next batch has
   */
  private static double[] fills(int round, long most, ToIntFunction<Random> columns) {
    Random random = new Random(SEED + round);
    RegionAllocator region = new RegionAllocator(START, SIZE);
    List<long[]> batches = new ArrayList<>();
    DoubleStream.Builder fills = DoubleStream.builder();
    for (int step = 0; step < 10_000; step++) {
      long[] lengths = batch(random, length(random, most), columns.applyAsInt(random));
      long[] addresses = new long[lengths.length];
      for (int i = 0; i < lengths.length; i++) {
        addresses[i] = region.allocate(lengths[i]);
        while (addresses[i] == 0) {
          fills.add((region.usedBytes() + lengths[i]) / (double) SIZE);
          spill(region, batches, 2 * lengths[i] + SIZE / 64, random);
          addresses[i] = region.allocate(lengths[i]);
        }
      }
      batches.add(addresses);
    }
    return fills.build().sorted().toArray();
  }

  /** Divides bytes by the widths of columns. */
  private static long[] batch(Random random, long bytes, int columns) {
    int[] widths = random.ints(columns, 1, 41).toArray();
    int sum = Arrays.stream(widths).sum();
    return Arrays.stream(widths).mapToLong(width -> 1 + bytes * width / sum).toArray();
  }

  /** Frees batches until some more bytes are free. */
  private static void spill(
      RegionAllocator region, List<long[]> batches, long bytes, Random random) {
    long wanted = region.usedBytes() - bytes;
    while (region.usedBytes() > wanted && !batches.isEmpty()) {
      Arrays.stream(batches.remove(random.nextInt(batches.size()))).forEach(region::free);
    }
  }
}
