package io.ariadne.shuffle.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes come back from each codec as they were; damaged ones are refused. */
class TestCodec {
  private final MemoryPool pool = MemoryPools.host("codec", 256 << 20, true);
  private final Random random = RandomBatches.create().random();

  @AfterEach
  void close() {
    assertEquals(0, pool.allocatedBytes());
    pool.close();
  }

  /** Returns words of few letters, which can be compressed. */
  private byte[] text(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(4));
    }
    return bytes;
  }

  private MemoryBuffer buffer(byte[] bytes) {
    MemoryBuffer buffer = pool.allocate(bytes.length);
    Memory.copy(bytes, 0, buffer.address(), bytes.length);
    return buffer;
  }

  private static byte[] bytes(MemoryBuffer buffer) {
    byte[] bytes = new byte[(int) buffer.lengthInBytes()];
    Memory.copy(buffer.address(), bytes, 0, bytes.length);
    return bytes;
  }

  private byte[] compressed(Codec codec, byte[] plain) {
    try (MemoryBuffer source = buffer(plain);
        MemoryBuffer result = codec.compress(source, pool)) {
      return bytes(result);
    }
  }

  private byte[] decompressed(Codec codec, byte[] compressed, long length) {
    CompressedBytes bytes = new CompressedBytes(buffer(compressed), codec, length);
    try (MemoryBuffer result = bytes.decompress(pool)) {
      return bytes(result);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void bytesComeBack(Codec codec) {
    for (int run = 0; run < 100; run++) {
      byte[] plain = text(1000 + random.nextInt(run % 10 == 0 ? 3_000_000 : 10_000));
      byte[] compressed = compressed(codec, plain);
      assertTrue(compressed.length < plain.length * 0.95);
      assertArrayEquals(compressed, compressed(codec, plain), "the same bytes each time");
      assertArrayEquals(plain, decompressed(codec, compressed, plain.length));
    }
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void bytesThatDoNotBecomeShorterStayAsTheyAre(Codec codec) {
    for (int length : new int[] {1, 2, 100, 1_000_000}) {
      byte[] noise = new byte[length];
      random.nextBytes(noise);
      try (MemoryBuffer source = buffer(noise)) {
        assertNull(codec.compress(source, pool));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void damagedBytesAreRefused(Codec codec) {
    byte[] plain = text(5000);
    byte[] compressed = compressed(codec, plain);
    for (long length : new long[] {1, plain.length - 1, plain.length + 1, Codec.MAX_BYTES}) {
      assertRefused(codec, compressed, length);
    }
    for (int run = 0; run < 10_000; run++) {
      byte[] damaged = compressed.clone();
      int count = 1 + random.nextInt(3);
      for (int i = 0; i < count; i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      // Other bytes may come out, but neither fewer nor more.
      try {
        assertEquals(plain.length, decompressed(codec, damaged, plain.length).length);
      } catch (EngineException e) {
        assertEquals(ErrorCode.CORRUPT_DATA, e.code());
      }
    }
  }

  private void assertRefused(Codec codec, byte[] compressed, long length) {
    EngineException refused =
        assertThrows(EngineException.class, () -> decompressed(codec, compressed, length));
    assertEquals(ErrorCode.CORRUPT_DATA, refused.code());
    assertTrue(refused.getMessage().contains(codec.toString()), refused.getMessage());
  }

  @Test
  void numbersAreFixed() {
    assertEquals(0, Codec.NONE.number());
    assertEquals(1, Codec.LZ4.number());
    assertEquals(2, Codec.ZSTD.number());
    for (Codec codec : Codec.values()) {
      assertEquals(codec, Codec.of(codec.number()));
    }
    assertThrows(IllegalArgumentException.class, () -> Codec.of((byte) 3));
    assertThrows(IllegalArgumentException.class, () -> Codec.of((byte) -1));
  }
}
