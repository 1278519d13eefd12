package io.ariadne.columnar.testing;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.columnar.type.StructType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random batches from a printed seed; one value in four is an edge value of its type.
 *
 * <p>Replay a failure with {@code -Dariadne.test.seed=SEED}.
 */
public final class RandomBatches {
  /** System property that fixes the seed. */
  public static final String SEED_PROPERTY = "ariadne.test.seed";

  /** Row counts around the sizes of bytes, words, vectors and tiles. */
  public static final List<Integer> ROW_COUNTS =
      List.of(0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 1023, 1025, 2048, 2049, 70_001);

  private static final int MAX_ELEMENTS = 4;

  private final long seed;
  private final Random random;
  private final RandomValues values;

  /**
   * Creates a generator of a fixed sequence.
   *
   * @param seed equal seeds give equal batches
   */
  public RandomBatches(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    this.values = new RandomValues(random);
  }

  /** Creates a generator with the seed of the property or a new one, and prints it. */
  public static RandomBatches create() {
    Long given = Long.getLong(SEED_PROPERTY);
    long seed = given == null ? System.nanoTime() : given;
    System.out.println("replay with -D" + SEED_PROPERTY + "=" + seed);
    return new RandomBatches(seed);
  }

  /** Returns the seed. */
  public long seed() {
    return seed;
  }

  /** Returns the source of randomness, for choices of the test itself. */
  public Random random() {
    return random;
  }

  /** Returns every type without children, decimals at the bounds of each width. */
  public static List<DataType> flatTypes() {
    List<DataType> types = new ArrayList<>(Arrays.asList(PrimitiveType.values()));
    types.remove(PrimitiveType.NULL);
    for (int[] decimal : new int[][] {{1, 0}, {9, 2}, {10, 0}, {18, 18}, {19, 4}, {38, 10}}) {
      types.add(new DecimalType(decimal[0], decimal[1]));
    }
    return List.copyOf(types);
  }

  /** Returns lists, structs and maps, also of one another. */
  public static List<DataType> nestedTypes() {
    DataType list = new ListType(PrimitiveType.INT32, true);
    DataType struct =
        new StructType(
            List.of(
                new Field("a", PrimitiveType.STRING, true),
                new Field("b", new DecimalType(38, 3), true),
                new Field("c", PrimitiveType.BOOLEAN, true)));
    DataType map = new MapType(PrimitiveType.STRING, PrimitiveType.FLOAT64, true);
    return List.of(
        list,
        struct,
        map,
        new ListType(PrimitiveType.BOOLEAN, true),
        new ListType(list, true),
        new ListType(struct, true),
        new ListType(map, true),
        new StructType(List.of(new Field("l", list, true), new Field("m", map, true))),
        new MapType(PrimitiveType.INT64, struct, true));
  }

  /** Returns a schema with one nullable column per type, named c0, c1, .... */
  public static Schema schemaOf(List<DataType> types) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      fields.add(new Field("c" + i, types.get(i), true));
    }
    return new Schema(fields);
  }

  /**
   * Makes a batch in default layouts.
   *
   * @param schema the columns; those that are not nullable get no nulls
   * @param rowCount rows
   * @param nulls where nulls are
   * @param allocator where buffers come from
   * @return a batch owned by the caller, sequence 0
   */
  public RecordBatch batch(
      Schema schema, int rowCount, NullPattern nulls, BufferAllocator allocator) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (Field field : schema.fields()) {
        NullPattern pattern = field.nullable() ? nulls : NullPattern.NONE;
        PhysicalType layout = field.type().defaultPhysicalType();
        columns.add(column(field.type(), layout, rowCount, pattern, allocator));
      }
      return new RecordBatch(schema, rowCount, columns, 0);
    } catch (RuntimeException | Error e) {
      columns.forEach(ColumnVector::close);
      throw e;
    }
  }

  /**
   * Makes a batch whose columns are encoded.
   *
   * @param schema the columns
   * @param rowCount rows
   * @param nulls where nulls are
   * @param encoding which columns get dictionaries
   * @param allocator where buffers come from
   * @return a batch owned by the caller, sequence 0
   */
  public RecordBatch batch(
      Schema schema,
      int rowCount,
      NullPattern nulls,
      ColumnEncoding encoding,
      BufferAllocator allocator) {
    RecordBatch batch = batch(schema, rowCount, nulls, allocator);
    return new DictionaryEncoder(random, allocator).encode(batch, encoding);
  }

  /**
   * Makes a dictionary column whose entries all have the same chance.
   *
   * @param type a type without children
   * @param layout a layout that holds it
   * @param rowCount rows
   * @param entryCount entries, at least 1
   * @param nulls where nulls are
   * @param allocator where buffers come from
   * @return a column owned by the caller
   */
  public ColumnVector dictionaryColumn(
      DataType type,
      PhysicalType layout,
      int rowCount,
      int entryCount,
      NullPattern nulls,
      BufferAllocator allocator) {
    ColumnVector entries = column(type, layout, entryCount, NullPattern.NONE, allocator);
    Dictionary dictionary = new Dictionary(entries);
    try {
      return codes(dictionary, rowCount, nulls, allocator);
    } finally {
      dictionary.release();
    }
  }

  /**
   * Makes a dictionary column whose entries all have the same chance.
   *
   * @param dictionary the values; the column gets a hold of its own
   * @param rowCount rows
   * @param nulls where nulls are
   * @param allocator where buffers come from
   * @return a column owned by the caller
   */
  public ColumnVector codes(
      Dictionary dictionary, int rowCount, NullPattern nulls, BufferAllocator allocator) {
    long columnSeed = random.nextLong();
    try (ColumnBuilder codes = ColumnBuilder.create(PrimitiveType.INT32, allocator)) {
      for (int row = 0; row < rowCount; row++) {
        boolean isNull = nulls.isNull(row, columnSeed, random);
        codes.appendValue(isNull ? null : random.nextInt(dictionary.entryCount()));
      }
      ColumnVector column = codes.build();
      return ColumnVector.ofDictionary(
          dictionary.retain(), rowCount, column.data(), column.validity(), column.nullCount());
    }
  }

  /**
   * Makes a column.
   *
   * @param type the type
   * @param layout a layout that holds it
   * @param rowCount rows
   * @param nulls where nulls are, on every level of nesting that allows them
   * @param allocator where buffers come from
   * @return a column owned by the caller
   */
  public ColumnVector column(
      DataType type,
      PhysicalType layout,
      int rowCount,
      NullPattern nulls,
      BufferAllocator allocator) {
    long columnSeed = random.nextLong();
    try (ColumnBuilder builder = ColumnBuilder.create(type, layout, allocator)) {
      for (int row = 0; row < rowCount; row++) {
        boolean isNull = type == PrimitiveType.NULL || nulls.isNull(row, columnSeed, random);
        builder.appendValue(isNull ? null : value(type, nulls));
      }
      return builder.build();
    }
  }

  /** Returns a value as {@link ColumnBuilder#appendValue} takes it; nulls only inside. */
  public Object value(DataType type, NullPattern nulls) {
    if (type instanceof ListType list) {
      return elements(list.element(), list.containsNull(), nulls);
    }
    if (type instanceof StructType struct) {
      List<Object> members = new ArrayList<>();
      for (Field field : struct.fields()) {
        members.add(inner(field.type(), field.nullable(), nulls));
      }
      return members;
    }
    if (type instanceof MapType map) {
      List<Object> entries = new ArrayList<>();
      int count = random.nextInt(MAX_ELEMENTS);
      for (int i = 0; i < count; i++) {
        Object value = inner(map.value(), map.valueContainsNull(), nulls);
        entries.add(Arrays.asList(value(map.key(), NullPattern.NONE), value));
      }
      return entries;
    }
    return values.flat(type);
  }

  private List<Object> elements(DataType type, boolean nullable, NullPattern nulls) {
    List<Object> elements = new ArrayList<>();
    int count = random.nextInt(MAX_ELEMENTS);
    for (int i = 0; i < count; i++) {
      elements.add(inner(type, nullable, nulls));
    }
    return elements;
  }

  private Object inner(DataType type, boolean nullable, NullPattern nulls) {
    return nullable && nulls.isNull(0, random.nextLong(), random) ? null : value(type, nulls);
  }
}
