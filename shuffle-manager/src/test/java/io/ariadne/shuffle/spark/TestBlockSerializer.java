package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Blocks are read from streams as they were written, also from concatenated streams. */
class TestBlockSerializer {
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);
  private static final int[] LENGTHS = {1, 40, 65_536, 200_001};

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final SerializerInstance serializer = new BlockSerializer().newInstance();

  private static byte[] content(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static MapRows rows(BlockBytes block) {
    return new MapRows() {
      @Override
      public BlockBytes block() {
        return block;
      }

      @Override
      public PartitionedBatch takeBatch() {
        throw new IllegalStateException("the rows are a block");
      }
    };
  }

  private byte[] written(int... lengths) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (SerializationStream out = serializer.serializeStream(bytes)) {
      for (int length : lengths) {
        long address = Memory.allocate(length);
        try {
          Memory.copy(content(length), 0, address, length);
          out.writeKey(3, ANY);
          out.writeValue(rows(new BlockBytes(address, length)), ANY);
        } finally {
          Memory.free(address);
        }
      }
    }
    return bytes.toByteArray();
  }

  private Iterator<Tuple2<Object, Object>> records(byte[] bytes) {
    return serializer.deserializeStream(new ByteArrayInputStream(bytes)).asKeyValueIterator();
  }

  private byte[] read(BlockInput block) {
    try (MemoryBuffer taken = block.take(memory.allocator())) {
      byte[] bytes = new byte[(int) block.lengthInBytes()];
      taken.getBytes(0, bytes, 0, bytes.length);
      return bytes;
    }
  }

  @Test
  void readsBlocksOfConcatenatedStreams() {
    byte[] first = written(LENGTHS);
    byte[] both = Arrays.copyOf(first, 2 * first.length);
    System.arraycopy(first, 0, both, first.length, first.length);
    Iterator<Tuple2<Object, Object>> records = records(both);
    for (int i = 0; i < 2 * LENGTHS.length; i++) {
      assertTrue(records.hasNext());
      BlockInput block = (BlockInput) records.next()._2();
      assertArrayEquals(content(LENGTHS[i % LENGTHS.length]), read(block));
    }
    assertFalse(records.hasNext());
  }

  @Test
  void failsWhenAStreamEndsWithinABlock() {
    byte[] bytes = written(40);
    assertEquals(40 + 2 * Long.BYTES, bytes.length);
    for (int length = 1; length < bytes.length; length++) {
      Iterator<Tuple2<Object, Object>> records = records(Arrays.copyOf(bytes, length));
      if (length < 2 * Long.BYTES) {
        assertThrows(IOException.class, records::hasNext, "length " + length);
      } else {
        assertTrue(records.hasNext());
        BlockInput block = (BlockInput) records.next()._2();
        assertThrows(UncheckedIOException.class, () -> read(block), "length " + length);
      }
    }
    assertFalse(records(new byte[0]).hasNext());
  }
}
