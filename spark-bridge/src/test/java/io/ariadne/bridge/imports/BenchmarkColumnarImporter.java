package io.ariadne.bridge.imports;

import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.util.Collections;
import java.util.Iterator;
import java.util.Locale;
import java.util.Random;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Measures nanoseconds per value of the columnar import, by type, source and nulls: batches of 4096
 * rows, as Spark's Parquet reader makes them, accumulated to 32768.
 */
public final class BenchmarkColumnarImporter {
  private static final int SOURCE_ROWS = 4096;
  private static final int SOURCE_BATCHES = 512;
  private static final int TARGET_ROWS = 32_768;
  private static final int ROUNDS = 12;

  private BenchmarkColumnarImporter() {}

  /** Prints one line per case: the median of the later rounds. */
  public static void main(String[] arguments) {
    DataType[] types = {
      PrimitiveType.INT32,
      PrimitiveType.INT64,
      PrimitiveType.FLOAT64,
      new DecimalType(9, 2),
      new DecimalType(12, 2),
      new DecimalType(25, 2),
      PrimitiveType.BOOLEAN,
      PrimitiveType.STRING
    };
    System.out.println("type, source, nulls, ns per value");
    for (DataType type : types) {
      for (String source : new String[] {"onheap", "offheap", "dictionary"}) {
        boolean unsupported = type == PrimitiveType.BOOLEAN && source.equals("dictionary");
        for (boolean nulls : new boolean[] {false, true}) {
          if (!unsupported) {
            double nanos = measure(type, source, nulls);
            System.out.printf(
                Locale.ROOT,
                "%s, %s, %s, %.3f%n",
                SparkTypes.toSpark(type).sql(),
                source,
                nulls,
                nanos);
          }
        }
      }
    }
  }

  private static double measure(DataType type, String source, boolean nulls) {
    Schema schema = Schema.of(new Field("c", type, true));
    WritableColumnVector vector = vector(type, source, nulls);
    ColumnarBatch batch = new ColumnarBatch(new ColumnVector[] {vector}, SOURCE_ROWS);
    double[] rounds = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      Iterator<ColumnarBatch> batches = Collections.nCopies(SOURCE_BATCHES, batch).iterator();
      long start = System.nanoTime();
      try (ColumnarImporter importer =
          new ColumnarImporter(batches, schema, new ReusingAllocator(), TARGET_ROWS)) {
        for (RecordBatch one = importer.next(); one != null; one = importer.next()) {
          one.close();
        }
      }
      rounds[round] = (System.nanoTime() - start) / (double) (SOURCE_BATCHES * SOURCE_ROWS);
    }
    batch.close();
    java.util.Arrays.sort(rounds, ROUNDS / 2, ROUNDS);
    return rounds[ROUNDS * 3 / 4];
  }

  private static WritableColumnVector vector(DataType type, String source, boolean nulls) {
    var sparkType = SparkTypes.toSpark(type);
    WritableColumnVector vector =
        source.equals("offheap")
            ? new OffHeapColumnVector(SOURCE_ROWS, sparkType)
            : new OnHeapColumnVector(SOURCE_ROWS, sparkType);
    Random random = new Random(1);
    boolean dictionary = source.equals("dictionary");
    WritableColumnVector ids = dictionary ? vector.reserveDictionaryIds(SOURCE_ROWS) : null;
    for (int row = 0; row < SOURCE_ROWS; row++) {
      if (nulls && random.nextInt(8) == 0) {
        vector.putNull(row);
      } else if (dictionary) {
        ids.putInt(row, random.nextInt(200));
      } else {
        put(vector, type, row, random);
      }
    }
    if (dictionary) {
      vector.setDictionary(new Entries());
    }
    return vector;
  }

  private static void put(WritableColumnVector vector, DataType type, int row, Random random) {
    if (type instanceof DecimalType decimal) {
      if (decimal.precision() <= 9) {
        vector.putInt(row, random.nextInt(1_000_000));
      } else if (decimal.precision() <= 18) {
        vector.putLong(row, random.nextInt(1_000_000));
      } else {
        vector.putByteArray(row, java.math.BigInteger.valueOf(random.nextLong()).toByteArray());
      }
      return;
    }
    switch ((PrimitiveType) type) {
      case INT32 -> vector.putInt(row, random.nextInt());
      case INT64 -> vector.putLong(row, random.nextLong());
      case FLOAT64 -> vector.putDouble(row, random.nextDouble());
      case BOOLEAN -> vector.putBoolean(row, random.nextBoolean());
      default -> vector.putByteArray(row, text(random.nextInt(40)));
    }
  }

  private static byte[] text(int length) {
    return "some text of up to forty characters, here"
        .substring(0, length)
        .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  /** A dictionary of any type. */
  private static final class Entries implements Dictionary {
    @Override
    public int decodeToInt(int id) {
      return id;
    }

    @Override
    public long decodeToLong(int id) {
      return id;
    }

    @Override
    public float decodeToFloat(int id) {
      return id;
    }

    @Override
    public double decodeToDouble(int id) {
      return id;
    }

    @Override
    public byte[] decodeToBinary(int id) {
      return text(1 + id % 40);
    }
  }

  /** Keeps freed memory for the next allocation of the same size, as an executor's pool does. */
  private static final class ReusingAllocator implements BufferAllocator {
    private static final java.util.Map<Long, java.util.ArrayDeque<Long>> FREE =
        new java.util.HashMap<>();

    @Override
    public MemoryBuffer allocate(long lengthInBytes) {
      long capacity = MemoryBuffer.padded(Math.max(1, lengthInBytes));
      var free = FREE.computeIfAbsent(capacity, size -> new java.util.ArrayDeque<>());
      Long address = free.poll();
      long memory = address == null ? Memory.allocateAligned(capacity) : address;
      return new MemoryBuffer(
          memory,
          lengthInBytes,
          capacity,
          MemoryTier.HOST,
          buffer -> free.push(buffer.addressForRelease()));
    }

    @Override
    public long allocatedBytes() {
      return 0;
    }

    @Override
    public MemoryTier tier() {
      return MemoryTier.HOST;
    }
  }
}
