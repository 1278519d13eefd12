package io.ariadne.parquet.testing;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Nested columns of test files: the types as which they are read, and their expected values. */
public final class NestedRows {
  /** Structs in structs. */
  public static final MessageType STRUCTS =
      MessageTypeParser.parseMessageType(
          """
          message structs {
            optional group s {
              optional group t {
                optional int32 x;
                required binary y (STRING);
                repeated group r {
                  required int64 v;
                }
              }
              required group u {
                required boolean flag;
              }
            }
          }
          """);

  private static final DataType STRING = PrimitiveType.STRING;

  private static final StructType TAGGED =
      struct("weight", PrimitiveType.FLOAT64, "tags", new ListType(STRING, false));

  /** Columns of {@code TestSchemas.NESTED}. */
  public static final List<Field> NESTED_FIELDS =
      List.of(
          new Field("numbers", new ListType(PrimitiveType.INT32, true), true),
          new Field("names", new MapType(STRING, TAGGED, true), true),
          new Field("old", new ListType(PrimitiveType.INT64, false), true),
          new Field(
              "bag",
              new ListType(struct("a", PrimitiveType.INT32, "inner", struct("b", STRING)), true),
              true),
          new Field("words", new ListType(STRING, false), true),
          new Field("deep", new ListType(new ListType(PrimitiveType.INT64, true), true), true));

  private static final StructType MEMBERS =
      struct(
          "x",
          PrimitiveType.INT32,
          "gone",
          new ListType(STRING, true),
          "y",
          STRING,
          "r",
          new ListType(struct("v", PrimitiveType.INT64), true));

  /** Columns of {@link #STRUCTS}; {@code gone} is not in the file. */
  public static final List<Field> STRUCTS_FIELDS =
      List.of(
          new Field("s", struct("t", MEMBERS, "u", struct("flag", PrimitiveType.BOOLEAN)), true));

  private NestedRows() {}

  private static StructType struct(Object... namesAndTypes) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      fields.add(new Field((String) namesAndTypes[i], (DataType) namesAndTypes[i + 1], true));
    }
    return new StructType(fields);
  }

  /** Returns the value of a column in a row. */
  public static Object value(Group row, String column) {
    return switch (column) {
      case "bag" ->
          list(
              row,
              "bag",
              i -> {
                Group entry = row.getGroup("bag", i);
                return tuple(integer(entry, "a"), tuple(text(entry.getGroup("inner", 0), "b")));
              });
      case "words" -> list(row, "words", i -> row.getString("words", i));
      default -> row.getFieldRepetitionCount(column) == 0 ? null : group(row, column);
    };
  }

  private static Object group(Group row, String column) {
    Group group = row.getGroup(column, 0);
    return switch (column) {
      case "numbers" -> list(group, "list", i -> integer(group.getGroup("list", i), "element"));
      case "names" -> list(group, "key_value", i -> entry(group.getGroup("key_value", i)));
      case "old" -> list(group, "array", i -> group.getLong("array", i));
      case "deep" ->
          list(
              group,
              "list",
              i -> {
                Group outer = group.getGroup("list", i);
                if (outer.getFieldRepetitionCount("element") == 0) {
                  return null;
                }
                Group inner = outer.getGroup("element", 0);
                return list(inner, "list", k -> number(inner.getGroup("list", k)));
              });
      case "s" ->
          tuple(
              group.getFieldRepetitionCount("t") == 0 ? null : members(group.getGroup("t", 0)),
              tuple(group.getGroup("u", 0).getBoolean("flag", 0)));
      default -> throw new IllegalArgumentException(column);
    };
  }

  private static Object members(Group group) {
    return tuple(
        integer(group, "x"),
        null,
        text(group, "y"),
        list(group, "r", i -> tuple(group.getGroup("r", i).getLong("v", 0))));
  }

  private static Object entry(Group entry) {
    Object value = null;
    if (entry.getFieldRepetitionCount("value") > 0) {
      Group group = entry.getGroup("value", 0);
      Group tags = group.getGroup("tags", 0);
      Object weight =
          group.getFieldRepetitionCount("weight") == 0 ? null : group.getDouble("weight", 0);
      value = tuple(weight, list(tags, "list", i -> text(tags.getGroup("list", i), "element")));
    }
    return tuple(text(entry, "key"), value);
  }

  private static Object number(Group entry) {
    return entry.getFieldRepetitionCount("element") == 0 ? null : entry.getLong("element", 0);
  }

  private static Object integer(Group group, String name) {
    return group.getFieldRepetitionCount(name) == 0 ? null : group.getInteger(name, 0);
  }

  private static Object text(Group group, String name) {
    return group.getFieldRepetitionCount(name) == 0 ? null : group.getString(name, 0);
  }

  private static List<Object> list(Group group, String name, IntFunction<Object> entry) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < group.getFieldRepetitionCount(name); i++) {
      values.add(entry.apply(i));
    }
    return values;
  }

  private static List<Object> tuple(Object... values) {
    List<Object> list = new ArrayList<>();
    for (Object value : values) {
      list.add(value);
    }
    return list;
  }
}
