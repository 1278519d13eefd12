package io.ariadne.parquet.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.metadata.CompressionCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.xerial.snappy.Snappy;

class TestDecompressors {
  private static final int[] SIZES = {1, 15, 64, 1000, 70_000, 300_000};
  private static final int GUARD = 64;
  private static final byte GUARD_BYTE = 0x5A;
  private static final List<CompressionCodec> CODECS =
      List.of(
          CompressionCodec.SNAPPY,
          CompressionCodec.GZIP,
          CompressionCodec.ZSTD,
          CompressionCodec.LZ4,
          CompressionCodec.LZ4_RAW);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void decompressesWhatTheLibrariesCompress() throws IOException {
    try (Decompressors decompressors = new Decompressors()) {
      for (CompressionCodec codec : CODECS) {
        for (int size : SIZES) {
          byte[] plain = plain(size);
          byte[] compressed = compress(codec, plain);
          Decompressor decompressor = decompressors.get(codec);
          String what = codec + " " + size + " seed " + seed;
          assertTrue(size <= decompressor.maxDecompressedLength(compressed.length), what);
          assertArrayEquals(plain, decompress(decompressor, compressed, size), what);
        }
      }
    }
  }

  @Test
  void decompressesConcatenatedMembersAndFrames() throws IOException {
    byte[] first = plain(5000);
    byte[] second = plain(7000);
    byte[] both = concatenated(first, second);
    try (Decompressors decompressors = new Decompressors()) {
      for (CompressionCodec codec :
          List.of(CompressionCodec.GZIP, CompressionCodec.ZSTD, CompressionCodec.LZ4)) {
        byte[] compressed = concatenated(compress(codec, first), compress(codec, second));
        assertArrayEquals(both, decompress(decompressors.get(codec), compressed, both.length));
      }
    }
  }

  @Test
  void decompressesBareBlocksAndManyChunksOfTheOldLz4Codec() throws IOException {
    byte[] plain = plain(9000);
    try (Decompressors decompressors = new Decompressors()) {
      Decompressor decompressor = decompressors.get(CompressionCodec.LZ4);
      byte[] bare = compress(CompressionCodec.LZ4_RAW, plain);
      assertArrayEquals(plain, decompress(decompressor, bare, plain.length));
      byte[] head = compress(CompressionCodec.LZ4_RAW, Arrays.copyOf(plain, 4000));
      byte[] tail = compress(CompressionCodec.LZ4_RAW, Arrays.copyOfRange(plain, 4000, 9000));
      ByteBuffer chunks = ByteBuffer.allocate(12 + head.length + tail.length);
      chunks.putInt(9000).putInt(head.length).put(head).putInt(tail.length).put(tail);
      assertArrayEquals(plain, decompress(decompressor, chunks.array(), plain.length));
    }
  }

  @Test
  void rejectsWrongLengthsAndDamage() throws IOException {
    byte[] plain = plain(3000);
    try (Decompressors decompressors = new Decompressors()) {
      for (CompressionCodec codec : CODECS) {
        Decompressor decompressor = decompressors.get(codec);
        byte[] compressed = compress(codec, plain);
        for (int length : new int[] {1, 2999, 3001, 10_000}) {
          assertThrows(IOException.class, () -> decompress(decompressor, compressed, length));
        }
        for (int i = 0; i < 500; i++) {
          damage(decompressor, compressed, plain.length);
        }
        assertArrayEquals(plain, decompress(decompressor, compressed, plain.length));
      }
    }
  }

  private void damage(Decompressor decompressor, byte[] compressed, int length) {
    byte[] damaged = Arrays.copyOf(compressed, 1 + random.nextInt(compressed.length));
    for (int i = random.nextInt(4); i >= 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    try {
      decompress(decompressor, damaged, length);
    } catch (IOException e) {
      assertTrue(e.getMessage() != null, () -> "seed " + seed);
    }
  }

  @Test
  void rejectsCodecsWithoutALibrary() {
    try (Decompressors decompressors = new Decompressors()) {
      EngineException e =
          assertThrows(EngineException.class, () -> decompressors.get(CompressionCodec.LZO));
      assertEquals(ErrorCode.UNSUPPORTED, e.code());
    }
  }

  /** Returns bytes that compress in parts. */
  private byte[] plain(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      boolean repeats = i > 100 && random.nextInt(20) != 0;
      bytes[i] = repeats ? bytes[i - 1 - random.nextInt(3)] : (byte) random.nextInt();
    }
    return bytes;
  }

  private static byte[] compress(CompressionCodec codec, byte[] plain) throws IOException {
    return switch (codec) {
      case SNAPPY -> Snappy.compress(plain);
      case ZSTD -> Zstd.compress(plain);
      case LZ4_RAW -> LZ4Factory.safeInstance().fastCompressor().compress(plain);
      case LZ4 -> {
        byte[] block = LZ4Factory.safeInstance().fastCompressor().compress(plain);
        yield ByteBuffer.allocate(8 + block.length)
            .putInt(plain.length)
            .putInt(block.length)
            .put(block)
            .array();
      }
      case GZIP -> {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
          out.write(plain);
        }
        yield bytes.toByteArray();
      }
      default -> throw new IllegalArgumentException(codec.toString());
    };
  }

  private static byte[] concatenated(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  /** Decompresses into memory with a guard behind it. */
  private byte[] decompress(Decompressor decompressor, byte[] compressed, int length)
      throws IOException {
    try (MemoryBuffer source = memory.allocator().allocate(compressed.length);
        MemoryBuffer target = memory.allocator().allocate(length + (long) GUARD)) {
      source.putBytes(0, compressed, 0, compressed.length);
      for (int i = 0; i < GUARD; i++) {
        target.putByte(length + (long) i, GUARD_BYTE);
      }
      byte[] plain = new byte[length];
      try {
        decompressor.decompress(source.address(), compressed.length, target.address(), length);
        target.getBytes(0, plain, 0, length);
      } finally {
        for (int i = 0; i < GUARD; i++) {
          assertEquals(GUARD_BYTE, target.getByte(length + (long) i), "written behind the end");
        }
      }
      return plain;
    }
  }
}
