package io.ariadne.parquet.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.parquet.metadata.CompressionCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.xerial.snappy.Snappy;

/** Compares the kernel with the library on blocks that the library made, intact and damaged. */
class TestSnappyKernelDecompressor {
  private static final int[] SIZES = {1, 15, 64, 300, 4000, 70_000, 300_000};
  private static final int MAX_DAMAGED_SIZE = 4000;
  private static final int DAMAGES = 300;
  private static final int KINDS = 5;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void agreesWithTheLibrary() throws IOException {
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    try (Backend backend = HostBackend.open();
        Decompressors kernels = new Decompressors(backend, memory.allocator());
        Decompressors libraries = new Decompressors()) {
      Decompressor kernel = kernels.get(CompressionCodec.SNAPPY);
      Decompressor library = libraries.get(CompressionCodec.SNAPPY);
      assertEquals(SnappyKernelDecompressor.class, kernel.getClass());
      for (int kind = 0; kind < KINDS; kind++) {
        for (int size : SIZES) {
          byte[] plain = plain(kind, size);
          byte[] compressed = Snappy.compress(plain);
          String what = "kind " + kind + " size " + size + " seed " + seed;
          assertEquals(
              library.maxDecompressedLength(compressed.length),
              kernel.maxDecompressedLength(compressed.length));
          assertArrayEquals(plain, decompress(kernel, compressed, size), what);
          for (int i = 0; i < DAMAGES && size <= MAX_DAMAGED_SIZE; i++) {
            byte[] damaged = damaged(compressed);
            assertArrayEquals(
                decompress(library, damaged, size), decompress(kernel, damaged, size), what);
          }
        }
      }
    }
  }

  /** Returns bytes as columns have them: numbers, codes, words, runs, noise. */
  private byte[] plain(int kind, int size) {
    ByteBuffer bytes = ByteBuffer.allocate(size + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    String[] words = {"packages ", "final ", "ironic ", "deposits, ", "carefully ", "a", "! "};
    while (bytes.position() < size) {
      switch (kind) {
        case 0 -> bytes.putLong(random.nextInt(10_000_000));
        case 1 -> bytes.putInt(random.nextInt(50));
        case 2 ->
            put(bytes, words[random.nextInt(words.length)].getBytes(StandardCharsets.US_ASCII));
        case 3 -> {
          byte[] run = new byte[random.nextInt(200)];
          Arrays.fill(run, (byte) random.nextInt(3));
          put(bytes, run);
        }
        default -> bytes.put((byte) random.nextInt());
      }
    }
    return Arrays.copyOf(bytes.array(), size);
  }

  private static void put(ByteBuffer bytes, byte[] more) {
    bytes.put(more, 0, Math.min(more.length, bytes.remaining()));
  }

  private byte[] damaged(byte[] compressed) {
    int length = random.nextInt(3) == 0 ? 1 + random.nextInt(compressed.length) : compressed.length;
    byte[] damaged = Arrays.copyOf(compressed, length);
    for (int i = random.nextInt(3); i >= 0; i--) {
      damaged[random.nextInt(length)] = (byte) random.nextInt();
    }
    return damaged;
  }

  /** Returns the bytes of a block, null when it is rejected. */
  private byte[] decompress(Decompressor decompressor, byte[] compressed, int length) {
    try (MemoryBuffer source = memory.allocator().allocate(compressed.length);
        MemoryBuffer target = memory.allocator().allocate(length)) {
      source.putBytes(0, compressed, 0, compressed.length);
      byte[] plain = new byte[length];
      decompressor.decompress(source.address(), compressed.length, target.address(), length);
      target.getBytes(0, plain, 0, length);
      return plain;
    } catch (IOException e) {
      return null;
    }
  }
}
