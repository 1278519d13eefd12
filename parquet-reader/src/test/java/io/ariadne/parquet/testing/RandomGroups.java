package io.ariadne.parquet.testing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** Random rows of any schema: few distinct values, awkward ones among them. */
public final class RandomGroups {
  private static final int MAX_TEXT = 40;

  private final Random random;
  private final int distinct;
  private final double nulls;

  /**
   * Creates a generator.
   *
   * @param random source of randomness
   * @param distinct approximate number of distinct values per column
   * @param nulls fraction of nulls in optional fields
   */
  public RandomGroups(Random random, int distinct, double nulls) {
    this.random = random;
    this.distinct = distinct;
    this.nulls = nulls;
  }

  /** Returns rows. */
  public List<Group> rows(MessageType schema, int count) {
    List<Group> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      SimpleGroup row = new SimpleGroup(schema);
      fill(row, schema);
      rows.add(row);
    }
    return rows;
  }

  private void fill(Group group, GroupType type) {
    for (Type field : type.getFields()) {
      int times =
          switch (field.getRepetition()) {
            case REQUIRED -> 1;
            case OPTIONAL -> random.nextDouble() < nulls ? 0 : 1;
            case REPEATED -> random.nextInt(4);
          };
      for (int i = 0; i < times; i++) {
        if (field.isPrimitive()) {
          add(group, field.asPrimitiveType());
        } else {
          fill(group.addGroup(field.getName()), field.asGroupType());
        }
      }
    }
  }

  private void add(Group group, PrimitiveType type) {
    String name = type.getName();
    int choice = random.nextInt(distinct);
    Random values = new Random(choice * 31L + name.hashCode());
    switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> group.add(name, values.nextBoolean());
      case INT32 -> group.add(name, number32(values, type));
      case INT64 -> group.add(name, choice == 0 ? Long.MIN_VALUE : values.nextLong());
      case FLOAT -> group.add(name, (float) number(values, choice));
      case DOUBLE -> group.add(name, number(values, choice));
      case INT96 -> group.add(name, bytes(values, 12));
      case FIXED_LEN_BYTE_ARRAY -> group.add(name, bytes(values, type.getTypeLength()));
      case BINARY -> group.add(name, text(values, choice, type));
      default -> throw new IllegalArgumentException(type.toString());
    }
  }

  private static int number32(Random values, PrimitiveType type) {
    int value = values.nextInt();
    return type.getLogicalTypeAnnotation()
            instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation
        ? value % 100_000
        : value;
  }

  private static double number(Random values, int choice) {
    return switch (choice) {
      case 0 -> 0.0;
      case 1 -> -0.0;
      case 2 -> values.nextInt(8) == 0 ? Double.NaN : 1;
      default -> values.nextGaussian() * 1000;
    };
  }

  private static Binary bytes(Random values, int length) {
    byte[] bytes = new byte[length];
    values.nextBytes(bytes);
    return Binary.fromConstantByteArray(bytes);
  }

  private static Binary text(Random values, int choice, PrimitiveType type) {
    boolean isText =
        type.getLogicalTypeAnnotation()
            instanceof LogicalTypeAnnotation.StringLogicalTypeAnnotation;
    if (!isText) {
      return bytes(values, values.nextInt(MAX_TEXT));
    }
    StringBuilder text = new StringBuilder();
    int length = choice == 0 ? 0 : values.nextInt(MAX_TEXT);
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(values.nextInt(20) == 0 ? 0x1F600 + i : 'a' + values.nextInt(26));
    }
    return Binary.fromConstantByteArray(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
