package io.ariadne.shuffle.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bytes that are no block are refused or read as something, without a step outside. */
class TestDamagedBlocks {
  private static final int BODY_CHECKSUM_OFFSET = 24;
  private static final int HEADER_CHECKSUM_OFFSET = 28;

  /** Memory is limited, as no length of damaged bytes is a reason to allocate that much. */
  private static final long LIMIT = 64L << 20;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private byte[] block(RandomBatches batches, Schema schema) {
    try (BlockBuffer buffer = new BlockBuffer(1, 1 << 20, memory.allocator())) {
      RandomBlocks rows = new RandomBlocks(batches, 1);
      while (rows.rows.get(0).isEmpty()) {
        rows.add(schema, buffer, memory.allocator());
      }
      try (EncodedBlock block = buffer.next()) {
        byte[] bytes = new byte[(int) block.lengthInBytes()];
        Memory.copy(block.address(), bytes, 0, bytes.length);
        return bytes;
      }
    }
  }

  /** Returns whether the bytes were refused. */
  private static boolean isRefused(byte[] bytes, Schema schema) {
    TestingAllocator allocator = new TestingAllocator(LIMIT);
    try (BlockConcatenator concatenator = new BlockConcatenator(schema, allocator)) {
      MemoryBuffer buffer = allocator.allocate(bytes.length);
      Memory.copy(bytes, 0, buffer.address(), bytes.length);
      concatenator.add(EncodedBlock.check(buffer));
      try (RecordBatch batch = concatenator.concat(0)) {
        BatchAssertions.rows(batch);
      }
      return false;
    } catch (EngineException e) {
      assertTrue(
          e.code() == ErrorCode.CORRUPT_DATA || e.code() == ErrorCode.OUT_OF_MEMORY, e.toString());
      return true;
    } finally {
      allocator.assertNothingOpen();
    }
  }

  @Test
  void findsEveryFlippedBit() {
    RandomBatches batches = RandomBatches.create();
    Random random = batches.random();
    for (int run = 0; run < 200; run++) {
      Schema schema = RandomBlocks.schema(random);
      byte[] bytes = block(batches, schema);
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      assertTrue(isRefused(bytes, schema), "run " + run);
    }
  }

  @Test
  void refusesShorterAndLongerBytes() {
    RandomBatches batches = RandomBatches.create();
    Schema schema = RandomBlocks.schema(batches.random());
    byte[] bytes = block(batches, schema);
    for (int length = 0; length < bytes.length; length += 1 + length / 7) {
      assertTrue(isRefused(java.util.Arrays.copyOf(bytes, length), schema), "length " + length);
    }
    assertTrue(isRefused(java.util.Arrays.copyOf(bytes, bytes.length + 1), schema));
  }

  /** What somebody means to be read: the checksums are right. */
  @Test
  void refusesHostileBytesWithRightChecksums() {
    RandomBatches batches = RandomBatches.create();
    Random random = batches.random();
    int refused = 0;
    for (int run = 0; run < 600; run++) {
      Schema schema = RandomBlocks.schema(random);
      byte[] bytes = block(batches, schema);
      int layoutBytes = Integer.reverseBytes(java.nio.ByteBuffer.wrap(bytes).getInt(12));
      int changes = 1 + random.nextInt(3);
      for (int i = 0; i < changes; i++) {
        int range = random.nextBoolean() ? EncodedBlock.HEADER_BYTES + layoutBytes : bytes.length;
        int at = Math.min(bytes.length - 1, 8 + random.nextInt(range));
        bytes[at] =
            random.nextBoolean() ? (byte) random.nextInt() : (byte) (random.nextBoolean() ? 0 : -1);
      }
      seal(bytes);
      refused += isRefused(bytes, schema) ? 1 : 0;
    }
    assertTrue(refused > 100, refused + " were refused");
  }

  private static void seal(byte[] bytes) {
    put(bytes, BODY_CHECKSUM_OFFSET, checksum(bytes, EncodedBlock.HEADER_BYTES, bytes.length));
    put(bytes, HEADER_CHECKSUM_OFFSET, checksum(bytes, 0, HEADER_CHECKSUM_OFFSET));
  }

  private static int checksum(byte[] bytes, int from, int to) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, from, to - from);
    return (int) checksum.getValue();
  }

  private static void put(byte[] bytes, int at, int value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[at + i] = (byte) (value >>> (i * Byte.SIZE));
    }
  }

  @Test
  void checksumsAreThoseOfTheWriter() {
    RandomBatches batches = RandomBatches.create();
    byte[] bytes = block(batches, RandomBlocks.schema(batches.random()));
    byte[] sealed = bytes.clone();
    seal(sealed);
    assertEquals(
        java.nio.ByteBuffer.wrap(bytes).getLong(BODY_CHECKSUM_OFFSET),
        java.nio.ByteBuffer.wrap(sealed).getLong(BODY_CHECKSUM_OFFSET));
  }
}
