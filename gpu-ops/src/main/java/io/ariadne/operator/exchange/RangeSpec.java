package io.ariadne.operator.exchange;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.sort.SortKey;
import io.ariadne.operator.sort.SortColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * How rows are divided by ranges of keys. Immutable.
 *
 * @param input columns of the batches
 * @param width how many of them, from the first on, are in the output; the other ones are only keys
 * @param columns the keys, the most significant first; at least one
 * @param bounds the distinct bounds between the ranges, in the order of the keys; keys as {@link
 *     io.ariadne.operator.sort.RowKeys#at} returns them
 */
record RangeSpec(Schema input, int width, List<SortColumn> columns, List<Object[]> bounds) {
  RangeSpec {
    columns = List.copyOf(columns);
    bounds = List.copyOf(bounds);
    if (columns.isEmpty() || width > input.columnCount()) {
      throw new IllegalArgumentException(columns + ", " + width + " columns of " + input);
    }
    for (SortColumn column : columns) {
      if (!SortKey.supports(input.field(column.column()).type())) {
        throw new IllegalArgumentException("no order of " + input.field(column.column()));
      }
    }
  }

  /** Returns the keys of {@link #boundsBatch}. */
  List<SortColumn> boundColumns() {
    List<SortColumn> keys = new ArrayList<>();
    for (SortColumn column : columns) {
      keys.add(new SortColumn(keys.size(), column.direction()));
    }
    return keys;
  }

  /** Returns the bounds as rows with a column per key, in host memory, owned by the caller. */
  RecordBatch boundsBatch(BufferAllocator allocator) {
    Schema schema =
        new Schema(columns.stream().map(column -> input.field(column.column())).toList());
    return RecordBatch.of(
        schema,
        bounds.size(),
        0,
        key -> {
          DataType type = schema.field(key).type();
          try (ColumnBuilder builder = ColumnBuilder.create(type, allocator)) {
            bounds.forEach(bound -> builder.appendValue(value(bound[key], type)));
            return builder.build();
          }
        });
  }

  /** Converts a key's value to the type that the builder of its column takes. */
  private static Object value(Object value, DataType type) {
    if (value == null) {
      return null;
    }
    return switch (type.defaultPhysicalType()) {
      case BOOL -> (Long) value != 0;
      case I8 -> ((Long) value).byteValue();
      case I16 -> ((Long) value).shortValue();
      case F32 -> ((Double) value).floatValue();
      default -> value;
    };
  }
}
