package io.ariadne.kernel.benchmark;

import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.kernel.parquet.BinaryDecoder;
import io.ariadne.kernel.parquet.DenseDecoder;
import io.ariadne.kernel.parquet.LevelDecoder;
import io.ariadne.kernel.parquet.RowSpread;
import io.ariadne.kernel.parquet.StreamWindows;
import java.io.ByteArrayOutputStream;
import java.util.Random;

/**
 * Decoding of Parquet pages on the host: nanoseconds per value and bytes written per nanosecond, by
 * kernel and kind of page.
 *
 * <p>Axes: kernel; bits or bytes of a value; what the page's runs are like. A page has 65536
 * values; page and values stay in the second-level cache, except in the rows marked "memory", which
 * decode 256 pages into 256 places.
 */
public final class BenchmarkParquetPages {
  private static final int VALUES = 1 << 16;
  private static final int PAGES_IN_MEMORY = 256;
  private static final int VIEW_BYTES = 16;

  private final Backend backend = HostBackend.open();
  private final BufferAllocator allocator = new TestingAllocator();
  private final Random random = new Random(42);

  private BenchmarkParquetPages() {}

  /** Prints one tab-separated line per point. */
  public static void main(String[] arguments) {
    System.out.println("isa\tkernel\twidth\tpage\tns_per_value\tbytes_written_per_ns");
    BenchmarkParquetPages benchmark = new BenchmarkParquetPages();
    benchmark.copyMemory();
    benchmark.validity();
    benchmark.codes();
    benchmark.binaries();
    benchmark.spread();
  }

  private void print(String kernel, int width, String page, double nanos, double bytes) {
    System.out.printf(
        "%s\t%s\t%d\t%s\t%.3f\t%.1f%n", backend.isa(), kernel, width, page, nanos, bytes / nanos);
  }

  /** What a copy reaches, to compare with. */
  private void copyMemory() {
    for (int pages : new int[] {1, PAGES_IN_MEMORY}) {
      long bytes = (long) pages * VALUES * Integer.BYTES;
      try (MemoryBuffer from = allocator.allocateZeroed(bytes);
          MemoryBuffer to = allocator.allocateZeroed(bytes)) {
        double nanos =
            KernelTimer.nanosPerItem(
                (long) pages * VALUES, () -> backend.copy(from, to, to.capacityInBytes()));
        print("copy", 32, pages == 1 ? "cache" : "memory", nanos, Integer.BYTES);
      }
    }
  }

  private void validity() {
    try (LevelDecoder decoder = new LevelDecoder(backend, allocator);
        StreamWindows windows = new StreamWindows();
        MemoryBuffer out = allocator.allocateZeroed(VALUES / Byte.SIZE)) {
      for (String page : new String[] {"present", "packed 504", "runs of 8 to 20"}) {
        for (int width : new int[] {1, 2}) {
          byte[] stream = page(page, width, (1 << width) - 1);
          try (MemoryBuffer data = copied(stream)) {
            windows.clear();
            int limit = LevelDecoder.limit((1 << width) - 1, 1);
            windows.add(data.address(), stream.length, out.address(), 0, 0, VALUES, width, limit);
            double nanos = KernelTimer.nanosPerItem(VALUES, () -> decoder.validity(windows));
            print("parquet_validity", width, page, nanos, 1.0 / Byte.SIZE);
          }
        }
      }
    }
  }

  private void codes() {
    for (int width : new int[] {1, 4, 7, 8, 10, 12, 16, 17, 20}) {
      codes(width, "packed 504", 1);
    }
    for (String page : new String[] {"present", "runs of 8 to 20", "runs of 200"}) {
      codes(10, page, 1);
    }
    codes(10, "packed 504", PAGES_IN_MEMORY);
    codes(10, "present", PAGES_IN_MEMORY);
  }

  private void codes(int width, String page, int pages) {
    byte[] stream = page(page, width, (1 << width) - 1);
    try (DenseDecoder decoder = new DenseDecoder(backend, allocator);
        StreamWindows windows = new StreamWindows();
        KernelStatus status = backend.newStatus();
        MemoryBuffer data = copied(stream);
        MemoryBuffer out = allocator.allocateZeroed((long) pages * VALUES * Integer.BYTES)) {
      for (int i = 0; i < pages; i++) {
        long to = out.address() + (long) i * VALUES * Integer.BYTES;
        int limit = (1 << width) - 1;
        windows.add(data.address(), stream.length, to, 0, 0, VALUES, width, limit);
      }
      double nanos =
          KernelTimer.nanosPerItem((long) pages * VALUES, () -> decoder.codes(windows, status));
      DenseDecoder.await(status);
      String where = pages == 1 ? page : page + ", memory";
      print("parquet_codes", width, where, nanos, Integer.BYTES);
    }
  }

  private void binaries() {
    for (int longest : new int[] {4, 12, 24, 100}) {
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      for (int i = 0; i < VALUES; i++) {
        byte[] value = new byte[random.nextInt(longest + 1)];
        stream.writeBytes(new byte[] {(byte) value.length, 0, 0, 0});
        stream.writeBytes(value);
      }
      try (BinaryDecoder decoder = new BinaryDecoder(backend, allocator);
          StreamWindows windows = new StreamWindows();
          MemoryBuffer data = copied(stream.toByteArray());
          MemoryBuffer out = allocator.allocateZeroed((long) VALUES * VIEW_BYTES)) {
        windows.add(data.address(), stream.size(), out.address(), 0, 0, VALUES, 0, 0);
        double nanos = KernelTimer.nanosPerItem(VALUES, () -> decoder.decode(windows));
        print("parquet_binary", longest, "lengths 0 to width", nanos, VIEW_BYTES);
      }
    }
  }

  private void spread() {
    for (int width : new int[] {RowSpread.BITS, 1, 2, 4, 8, 16}) {
      for (double share : new double[] {0.5, 0.9, 0.99, 1}) {
        spread(width, share);
      }
    }
  }

  private void spread(int width, double share) {
    try (RowSpread kernel = new RowSpread(backend, allocator);
        MemoryBuffer validity = allocator.allocateZeroed(VALUES / Byte.SIZE);
        MemoryBuffer dense = allocator.allocateZeroed((long) VALUES * Math.max(1, width));
        MemoryBuffer out = allocator.allocateZeroed((long) VALUES * Math.max(1, width))) {
      for (int row = 0; row < VALUES; row++) {
        int bit = random.nextDouble() < share ? 1 << (row % Byte.SIZE) : 0;
        long at = row / Byte.SIZE;
        validity.putByte(at, (byte) (validity.getByte(at) | bit));
      }
      double nanos =
          KernelTimer.nanosPerItem(
              VALUES, () -> kernel.spread(dense, VALUES, width, validity, out, VALUES));
      double bytes = width == RowSpread.BITS ? 1.0 / Byte.SIZE : width;
      print("parquet_spread", width, Math.round(share * 100) + " % present", nanos, bytes);
    }
  }

  private MemoryBuffer copied(byte[] bytes) {
    MemoryBuffer buffer = allocator.allocate(bytes.length);
    buffer.putBytes(0, bytes, 0, bytes.length);
    return buffer;
  }

  /** A hybrid stream of VALUES values below a bound, in runs as the page's name says. */
  private byte[] page(String name, int width, int bound) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean packs = name.startsWith("packed");
    for (int at = 0; at < VALUES; ) {
      int length =
          switch (name) {
            case "present" -> VALUES;
            case "packed 504" -> 504;
            case "runs of 200" -> 200;
            default -> 8 + random.nextInt(13);
          };
      if (name.equals("runs of 8 to 20")) {
        packs = !packs;
        length = packs ? (length + 7) / 8 * 8 : length;
      }
      writeHeader(out, packs ? 2 * (length / 8) + 1 : 2 * length);
      if (packs) {
        writePacked(out, width, bound, length);
      } else {
        int value = name.equals("present") ? Math.max(1, bound - 1) : random.nextInt(bound);
        for (int i = 0; i < (width + 7) / 8; i++) {
          out.write(value >>> (i * Byte.SIZE));
        }
      }
      at += length;
    }
    return out.toByteArray();
  }

  private void writePacked(ByteArrayOutputStream out, int width, int bound, int length) {
    byte[] packed = new byte[length / 8 * width];
    for (int i = 0; i < length; i++) {
      int value = random.nextInt(bound);
      for (int bit = 0; bit < width; bit++) {
        int at = i * width + bit;
        packed[at / Byte.SIZE] |= (byte) ((value >>> bit & 1) << (at % Byte.SIZE));
      }
    }
    out.writeBytes(packed);
  }

  private static void writeHeader(ByteArrayOutputStream out, int value) {
    int rest = value;
    for (; rest >= 0x80; rest >>>= 7) {
      out.write(rest | 0x80);
    }
    out.write(rest);
  }
}
