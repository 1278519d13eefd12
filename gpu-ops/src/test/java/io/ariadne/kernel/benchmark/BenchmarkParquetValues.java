package io.ariadne.kernel.benchmark;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.kernel.parquet.ByteStreamSplitDecoder;
import io.ariadne.kernel.parquet.DeltaByteArrayDecoder;
import io.ariadne.kernel.parquet.DeltaDecoder;
import io.ariadne.kernel.parquet.DeltaEncoder;
import io.ariadne.kernel.parquet.DeltaLengthDecoder;
import io.ariadne.kernel.parquet.DeltaStrings;
import io.ariadne.kernel.parquet.NestedLevels;
import io.ariadne.kernel.parquet.ParquetConvertKernel;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.kernel.parquet.ValueConversion;
import java.util.Random;

/**
 * Decoding of Parquet values on the host: nanoseconds per value by kernel and kind of value.
 *
 * <p>A page has 65536 values; page and values stay in the second-level cache.
 */
public final class BenchmarkParquetValues {
  private static final int VALUES = 1 << 16;
  private static final int VIEW_BYTES = 16;

  private final Backend backend = HostBackend.open();
  private final BufferAllocator allocator = new TestingAllocator();
  private final Random random = new Random(42);

  private BenchmarkParquetValues() {}

  /** Prints one tab-separated line per point. */
  public static void main(String[] arguments) {
    System.out.println("isa\tkernel\tvalues\tns_per_value");
    BenchmarkParquetValues benchmark = new BenchmarkParquetValues();
    benchmark.conversions();
    benchmark.deltas();
    benchmark.deltaStrings();
    benchmark.splits();
    benchmark.nested();
  }

  private void print(String kernel, String values, double nanos) {
    System.out.printf("%s\t%s\t%s\t%.3f%n", backend.isa(), kernel, values, nanos);
  }

  /** A stream in memory and the only window over it. */
  private interface Measured {
    void over(StreamWindows windows);
  }

  private void measure(
      String kernel, String values, byte[] stream, int width, int outBytes, Measured work) {
    try (MemoryBuffer data = allocator.allocate(stream.length);
        MemoryBuffer out = allocator.allocateZeroed((long) VALUES * outBytes);
        StreamWindows windows = new StreamWindows()) {
      data.putBytes(0, stream, 0, stream.length);
      windows.add(data.address(), stream.length, out.address(), 0, 0, VALUES, width, 0);
      print(kernel, values, KernelTimer.nanosPerItem(VALUES, () -> work.over(windows)));
    }
  }

  private void conversions() {
    try (ParquetConvertKernel kernel = new ParquetConvertKernel(backend, allocator)) {
      for (ValueConversion conversion : ValueConversion.values()) {
        int[] widths = conversion.storedBytes() == 0 ? new int[] {4, 7, 8, 12, 16} : new int[1];
        for (int width : widths) {
          int stored = width == 0 ? conversion.storedBytes() : width;
          byte[] stream = new byte[VALUES * stored];
          String name = conversion + (width == 0 ? "" : " of " + width);
          int outBytes = conversion.resultBytes();
          measure(
              "parquet_convert",
              name,
              stream,
              stored,
              outBytes,
              windows -> kernel.convert(windows, conversion));
        }
      }
    }
  }

  private void deltas() {
    try (DeltaDecoder decoder = new DeltaDecoder(backend, allocator)) {
      for (int width : new int[] {0, 1, 5, 8, 12, 20, 30, 45, 60}) {
        byte[] stream = DeltaEncoder.USUAL.encode(DeltaEncoder.values(random, VALUES, width));
        for (int bytes : new int[] {Integer.BYTES, Long.BYTES}) {
          String name = bytes * Byte.SIZE + " bits, deltas of " + width;
          measure("parquet_delta", name, stream, bytes, bytes, decoder::decode);
        }
      }
    }
  }

  private void deltaStrings() {
    try (DeltaLengthDecoder lengths = new DeltaLengthDecoder(backend, allocator);
        DeltaByteArrayDecoder prefixes = new DeltaByteArrayDecoder(backend, allocator)) {
      for (int longest : new int[] {12, 100}) {
        DeltaStrings made = DeltaStrings.random(random, VALUES, longest);
        DeltaStrings strings = new DeltaStrings(made.values(), DeltaEncoder.USUAL);
        String name = "lengths 0 to " + longest;
        byte[] stream = strings.encodeLengths();
        measure("parquet_delta_length", name, stream, 0, VIEW_BYTES, lengths::decode);
        measure(
            "parquet_delta_byte_array",
            name,
            strings.encodePrefixes(),
            0,
            VIEW_BYTES,
            windows -> prefixes.decode(windows, 0).heap().close());
      }
    }
  }

  private void splits() {
    try (ByteStreamSplitDecoder decoder = new ByteStreamSplitDecoder(backend, allocator)) {
      for (int width : new int[] {2, 4, 8, 12, 16}) {
        byte[] stream = new byte[VALUES * width];
        measure("parquet_byte_stream_split", "" + width, stream, width, width, decoder::decode);
      }
    }
  }

  /** Lists of four values on average, a tenth of the lists and values null. */
  private void nested() {
    try (NestedLevels levels = new NestedLevels(backend, allocator);
        MemoryBuffer repetition = allocator.allocateZeroed(VALUES);
        MemoryBuffer definition = allocator.allocateZeroed(VALUES);
        MemoryBuffer offsets = allocator.allocateZeroed((VALUES + 1L) * Integer.BYTES);
        MemoryBuffer validity = allocator.allocateZeroed(VALUES / Byte.SIZE)) {
      for (int i = 0; i < VALUES; i++) {
        boolean begins = i == 0 || definition.getByte(i - 1L) < 2 || random.nextInt(4) == 0;
        boolean isNull = random.nextInt(10) == 0;
        repetition.putByte(i, (byte) (begins ? 0 : 1));
        definition.putByte(i, (byte) (isNull ? begins ? 0 : 2 : 3));
      }
      NestedLevels.Node list = new NestedLevels.Node(0, 0, 1, 2, 1);
      NestedLevels.Node value = NestedLevels.Node.ofValue(1, 2, 3);
      long from = repetition.address();
      long over = definition.address();
      double nanos =
          KernelTimer.nanosPerItem(
              VALUES, () -> levels.decode(from, over, VALUES, list, offsets, validity));
      print("parquet_nested", "offsets and validity of lists", nanos);
      nanos =
          KernelTimer.nanosPerItem(
              VALUES, () -> levels.decode(from, over, VALUES, value, null, validity));
      print("parquet_nested", "validity of values", nanos);
    }
  }
}
