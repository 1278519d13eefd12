package io.ariadne.rules.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.paths.SparkPath;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Map$;

/** Merged partitions keep files and their order, and are of about equal size. */
class TestCoarsePartitions {
  private static final long MEGABYTE = 1 << 20;

  @Test
  void keepsOrderAndLosesNoFile() {
    long seed = Long.getLong("ariadne.test.seed", new Random().nextLong());
    System.out.println("TestCoarsePartitions: -Dariadne.test.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      List<FilePartition> planned = partitions(random);
      int count = 1 + random.nextInt(12);
      List<FilePartition> merged = CoarsePartitions.merge(planned, count);
      assertEquals(files(planned), files(merged));
      assertTrue(merged.size() <= Math.max(count, 1), () -> count + " " + merged);
      for (int k = 0; k < merged.size(); k++) {
        assertEquals(k, merged.get(k).index());
        assertTrue(merged.get(k).files().length > 0 || planned.isEmpty() || count == 1);
      }
    }
  }

  @Test
  void partitionsHaveAboutEqualSize() {
    List<FilePartition> planned = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      planned.add(partition(i, 26 * MEGABYTE, 26 * MEGABYTE, i < 2 ? 26 * MEGABYTE : 0));
    }
    List<FilePartition> merged = CoarsePartitions.merge(planned, 2);
    assertEquals(List.of(4, 5), merged.stream().map(part -> part.files().length).toList());
    List<FilePartition> many = new ArrayList<>();
    for (int i = 0; i < 68; i++) {
      long[] lengths = new long[29];
      Arrays.fill(lengths, 300_000 - i);
      many.add(partition(i, lengths));
    }
    List<FilePartition> slots = CoarsePartitions.merge(many, 4);
    assertEquals(4, slots.size());
    slots.forEach(part -> assertEquals(493, part.files().length, 3));
  }

  @Test
  void largeFileFillsItsOwnPartition() {
    List<FilePartition> planned =
        List.of(
            partition(0, 900 * MEGABYTE), partition(1, MEGABYTE), partition(2, MEGABYTE, MEGABYTE));
    List<FilePartition> merged = CoarsePartitions.merge(planned, 2);
    assertEquals(List.of(1, 3), merged.stream().map(part -> part.files().length).toList());
  }

  @Test
  void keepsFewPartitions() {
    List<FilePartition> planned = List.of(partition(0, 5), partition(1, 5));
    assertSame(planned, CoarsePartitions.merge(planned, 2));
    assertSame(planned, CoarsePartitions.merge(planned, 7));
    assertEquals(List.of(), CoarsePartitions.merge(List.of(), 2));
  }

  @Test
  void onePartitionExistsWithoutFiles() {
    List<FilePartition> merged = CoarsePartitions.merge(List.of(), 1);
    assertEquals(1, merged.size());
    assertEquals(0, merged.get(0).files().length);
  }

  @Test
  void countIsAMultipleOfTheTaskSlots() {
    assertEquals(2, CoarsePartitions.count(0, 2));
    assertEquals(2, CoarsePartitions.count(1024 * MEGABYTE, 2));
    assertEquals(4, CoarsePartitions.count(1024 * MEGABYTE + 1, 2));
    assertEquals(100, CoarsePartitions.count(1024 * MEGABYTE, 100));
    assertEquals(2100, CoarsePartitions.count(1024 * 1024 * MEGABYTE, 100));
  }

  private static List<FilePartition> partitions(Random random) {
    List<FilePartition> partitions = new ArrayList<>();
    int count = random.nextInt(20);
    for (int i = 0; i < count; i++) {
      long[] lengths = new long[1 + random.nextInt(5)];
      for (int k = 0; k < lengths.length; k++) {
        lengths[k] = random.nextBoolean() ? random.nextInt(100) : random.nextInt(1 << 30);
      }
      partitions.add(partition(i, lengths));
    }
    return partitions;
  }

  private static FilePartition partition(int index, long... lengths) {
    PartitionedFile[] files = new PartitionedFile[lengths.length];
    for (int i = 0; i < files.length; i++) {
      files[i] =
          new PartitionedFile(
              InternalRow.empty(),
              SparkPath.fromPathString("/f" + index + "-" + i),
              0,
              lengths[i],
              new String[0],
              0,
              lengths[i],
              Map$.MODULE$.empty());
    }
    return new FilePartition(index, files);
  }

  private static List<PartitionedFile> files(List<FilePartition> partitions) {
    return partitions.stream().flatMap(part -> Arrays.stream(part.files())).toList();
  }
}
