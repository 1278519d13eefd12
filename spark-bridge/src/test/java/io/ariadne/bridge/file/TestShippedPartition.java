package io.ariadne.bridge.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.ScalaCollections;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.apache.spark.paths.SparkPath;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;

/**
 * Tests that partitions of many files are unchanged after serialization, except hosts, and take few
 * bytes.
 */
class TestShippedPartition {
  @Test
  void filesSurviveSerialization() throws IOException, ClassNotFoundException {
    InternalRow first = new GenericInternalRow(new Object[] {1, UTF8String.fromString("a")});
    InternalRow second = new GenericInternalRow(new Object[] {2, null});
    Map<String, Object> facts = ScalaCollections.map(java.util.Map.of("size", (Object) 5L));
    List<PartitionedFile> files =
        List.of(
            file("file:///t/p=1/a%20b.parquet", 0, 10, first, Map$.MODULE$.empty()),
            file("file:///t/p=1/a%20b.parquet", 10, 7, first, Map$.MODULE$.empty()),
            file("file:///t/p=2/a%25.parquet", 0, Long.MAX_VALUE, second, facts),
            file("s3a://b/%E6%97%A5", 3, 4, InternalRow.empty(), Map$.MODULE$.empty()),
            file("file:///t/p=1/a", 0, 1, first, Map$.MODULE$.empty()));
    FilePartition partition = new FilePartition(4, files.toArray(PartitionedFile[]::new));
    FilePartition arrived = shipped(partition, 2000);
    assertEquals(4, arrived.index());
    assertEquals(facts(files), facts(List.of(arrived.files())));
    assertEquals(0, arrived.preferredLocations().length);
    assertEquals(0, shipped(new FilePartition(0, new PartitionedFile[0]), 1000).files().length);
  }

  @Test
  void thousandsOfFilesTakeFewBytes() throws IOException, ClassNotFoundException {
    PartitionedFile[] files = new PartitionedFile[2000];
    for (int i = 0; i < files.length; i++) {
      String name = "part-%05d-73b3ddd8-41a1-4c32-8b4c-b94c4e7d4a8f-c000.snappy.parquet";
      files[i] =
          file("file:///t/" + name.formatted(i), 0, i, InternalRow.empty(), Map$.MODULE$.empty());
    }
    FilePartition arrived = shipped(new FilePartition(0, files), 240_000);
    assertEquals(facts(List.of(files)), facts(List.of(arrived.files())));
  }

  private static List<List<Object>> facts(List<PartitionedFile> files) {
    return files.stream()
        .map(
            file ->
                List.<Object>of(
                    file.filePath(),
                    file.start(),
                    file.length(),
                    file.modificationTime(),
                    file.fileSize(),
                    file.partitionValues(),
                    file.otherConstantMetadataColumnValues()))
        .toList();
  }

  private static PartitionedFile file(
      String path, long start, long length, InternalRow values, Map<String, Object> facts) {
    return new PartitionedFile(
        values,
        SparkPath.fromUrlString(path),
        start,
        length,
        new String[] {"host"},
        77,
        start + 5,
        facts);
  }

  private static FilePartition shipped(FilePartition partition, int maxBytes)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new ShippedPartition(partition));
    }
    assertTrue(bytes.size() <= maxBytes, () -> bytes.size() + " bytes");
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return ((ShippedPartition) in.readObject()).files();
    }
  }
}
