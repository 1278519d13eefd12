package io.ariadne.it.scan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Rows of arrays, structs and maps of every flat type and of one another, with nulls at every
 * level, empty and long lists, structs of nothing but nulls, and maps with null values.
 *
 * <p>The column {@code id} counts rows, {@code half} is true in every second and null in no row.
 */
final class NestedTable {
  private static final StructType ALL_TYPES = withoutFixed(TypeTable.SCHEMA);
  private static final StructType PAIR =
      new StructType().add("a", DataTypes.IntegerType).add("b", DataTypes.StringType);

  static final StructType SCHEMA =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("half", DataTypes.BooleanType, false)
          .add("s", ALL_TYPES)
          .add("ints", array(DataTypes.IntegerType))
          .add("words", array(DataTypes.StringType))
          .add("decimals", array(DataTypes.createDecimalType(38, 18)))
          .add("pairs", array(PAIR))
          .add("all", array(ALL_TYPES))
          .add("m", map(DataTypes.StringType, DataTypes.LongType))
          .add("dates", map(DataTypes.DateType, array(DataTypes.TimestampType)))
          .add("lists", array(array(array(DataTypes.createDecimalType(9, 0)))))
          .add("maps", array(map(DataTypes.IntegerType, PAIR)))
          .add(
              "deep",
              new StructType()
                  .add("x", new StructType().add("y", new StructType().add("z", array(PAIR))))
                  .add("m", map(DataTypes.StringType, map(DataTypes.IntegerType, PAIR)))
                  .add("flag", DataTypes.BooleanType))
          .add(
              "required",
              new StructType()
                  .add("n", DataTypes.IntegerType, false)
                  .add("l", DataTypes.createArrayType(DataTypes.LongType, false), false),
              false);

  private final Random random;
  private final TypeTable leaves;
  private final int nullsInSix;

  /**
   * Creates a table.
   *
   * @param random where its values come from
   * @param nullsInSix how many of six values are null, at every level
   */
  NestedTable(Random random, int nullsInSix) {
    this.random = random;
    this.leaves = new TypeTable(random, nullsInSix);
    this.nullsInSix = nullsInSix;
  }

  private static StructType withoutFixed(StructType schema) {
    StructType left = new StructType();
    for (StructField field : schema.fields()) {
      if (!field.name().equals("id")
          && !field.name().equals("required")
          && !field.name().equals("never")) {
        left = left.add(field);
      }
    }
    return left;
  }

  private static DataType array(DataType element) {
    return DataTypes.createArrayType(element, true);
  }

  private static DataType map(DataType key, DataType value) {
    return DataTypes.createMapType(key, value, true);
  }

  /** Returns so many rows. */
  List<Row> rows(int count) {
    List<Row> rows = new ArrayList<>(count);
    for (long id = 0; id < count; id++) {
      Object[] values = members(SCHEMA);
      values[0] = id;
      values[1] = id % 2 == 0;
      rows.add(RowFactory.create(values));
    }
    return rows;
  }

  private Object[] members(StructType struct) {
    StructField[] fields = struct.fields();
    Object[] values = new Object[fields.length];
    boolean isBlank = nullsInSix > 0 && random.nextInt(12) == 0;
    for (int i = 0; i < values.length; i++) {
      boolean isNull = fields[i].nullable() && (isBlank || isNull());
      values[i] = isNull ? null : value(fields[i].dataType());
    }
    return values;
  }

  private boolean isNull() {
    return random.nextInt(6) < nullsInSix;
  }

  private Object value(DataType type) {
    if (type instanceof StructType struct) {
      return RowFactory.create(members(struct));
    }
    if (type instanceof ArrayType array) {
      List<Object> elements = new ArrayList<>();
      for (int i = size(); i > 0; i--) {
        elements.add(array.containsNull() && isNull() ? null : value(array.elementType()));
      }
      return elements;
    }
    if (type instanceof MapType map) {
      Map<Object, Object> entries = new LinkedHashMap<>();
      for (int i = size(); i > 0; i--) {
        entries.put(value(map.keyType()), isNull() ? null : value(map.valueType()));
      }
      return entries;
    }
    return leaves.value(type);
  }

  private int size() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> 0;
      case 2 -> 1;
      case 3 -> random.nextInt(12);
      default -> random.nextInt(4);
    };
  }
}
