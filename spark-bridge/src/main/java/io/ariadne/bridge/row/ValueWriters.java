package io.ariadne.bridge.row;

import io.ariadne.columnar.builder.BooleanBuilder;
import io.ariadne.columnar.builder.ByteBuilder;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.DoubleBuilder;
import io.ariadne.columnar.builder.FloatBuilder;
import io.ariadne.columnar.builder.Int128Builder;
import io.ariadne.columnar.builder.IntBuilder;
import io.ariadne.columnar.builder.ListBuilder;
import io.ariadne.columnar.builder.LongBuilder;
import io.ariadne.columnar.builder.NullBuilder;
import io.ariadne.columnar.builder.ShortBuilder;
import io.ariadne.columnar.builder.StructBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** The implementations of {@link ValueWriter}, one per layout and, where needed, per type. */
final class ValueWriters {
  private ValueWriters() {}

  static ValueWriter create(ColumnBuilder builder, ByteCounter bytes) {
    if (builder.type() instanceof DecimalType decimal) {
      return new DecimalWriter(builder, decimal);
    }
    return switch (builder.physicalType()) {
      case BOOL -> new BooleanWriter((BooleanBuilder) builder);
      case I8 -> new ByteWriter((ByteBuilder) builder);
      case I16 -> new ShortWriter((ShortBuilder) builder);
      case I32 -> new IntWriter((IntBuilder) builder);
      case I64 -> new LongWriter((LongBuilder) builder);
      case F32 -> new FloatWriter((FloatBuilder) builder);
      case F64 -> new DoubleWriter((DoubleBuilder) builder);
      case VIEW16 ->
          builder.type() == PrimitiveType.STRING
              ? new StringWriter((ViewBuilder) builder, bytes)
              : new BinaryWriter((ViewBuilder) builder, bytes);
      case OFFSETS ->
          builder.type() instanceof MapType
              ? new MapWriter((ListBuilder) builder, bytes)
              : new ListWriter((ListBuilder) builder, bytes);
      case NONE ->
          builder instanceof StructBuilder struct
              ? new StructWriter(struct, bytes)
              : new NullWriter((NullBuilder) builder);
      case I128, DICTIONARY32 ->
          throw new IllegalArgumentException(
              builder.type() + " laid out as " + builder.physicalType());
    };
  }

  private static final class BooleanWriter extends ValueWriter {
    private final BooleanBuilder builder;

    BooleanWriter(BooleanBuilder builder) {
      super(builder);
      this.builder = builder;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      builder.append(values.getBoolean(ordinal));
    }
  }

  private static final class ByteWriter extends ValueWriter {
    private final ByteBuilder builder;

    ByteWriter(ByteBuilder builder) {
      super(builder);
      this.builder = builder;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      builder.append(values.getByte(ordinal));
    }
  }

  private static final class ShortWriter extends ValueWriter {
    private final ShortBuilder builder;

    ShortWriter(ShortBuilder builder) {
      super(builder);
      this.builder = builder;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      builder.append(values.getShort(ordinal));
    }
  }

  private static final class IntWriter extends ValueWriter {
    private final IntBuilder builder;

    IntWriter(IntBuilder builder) {
      super(builder);
      this.builder = builder;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      builder.append(values.getInt(ordinal));
    }
  }

  private static final class LongWriter extends ValueWriter {
    private final LongBuilder builder;

    LongWriter(LongBuilder builder) {
      super(builder);
      this.builder = builder;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      builder.append(values.getLong(ordinal));
    }
  }

  private static final class FloatWriter extends ValueWriter {
    private final FloatBuilder builder;

    FloatWriter(FloatBuilder builder) {
      super(builder);
      this.builder = builder;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      builder.append(values.getFloat(ordinal));
    }
  }

  private static final class DoubleWriter extends ValueWriter {
    private final DoubleBuilder builder;

    DoubleWriter(DoubleBuilder builder) {
      super(builder);
      this.builder = builder;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      builder.append(values.getDouble(ordinal));
    }
  }

  private static final class DecimalWriter extends ValueWriter {
    private final ColumnBuilder builder;
    private final DecimalType type;

    DecimalWriter(ColumnBuilder builder, DecimalType type) {
      super(builder);
      this.builder = builder;
      this.type = type;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      Decimal value = scaled(values.getDecimal(ordinal, type.precision(), type.scale()));
      if (value == null) {
        // Rows that were written before overflow was checked may contain decimals that do not fit.
        builder.appendNull();
      } else if (builder instanceof LongBuilder longs) {
        longs.append(value.toUnscaledLong());
      } else if (builder instanceof IntBuilder ints) {
        ints.append((int) value.toUnscaledLong());
      } else {
        ((Int128Builder) builder).append(value.toJavaBigDecimal().unscaledValue());
      }
    }

    /**
     * Returns a value in the column's type, null when it is too large. Rows of objects, such as
     * those of some sources and of sums' buffers, contain decimals of any precision and scale.
     * Source: {@code UnsafeRowWriter.write(int, Decimal, int, int)}.
     */
    private Decimal scaled(Decimal value) {
      if (value == null
          || (value.scale() == type.scale() && value.precision() <= type.precision())) {
        return value;
      }
      Decimal changed = value.clone();
      return changed.changePrecision(type.precision(), type.scale()) ? changed : null;
    }
  }

  private static final class StringWriter extends ValueWriter {
    private final ViewBuilder builder;
    private final ByteCounter bytes;

    StringWriter(ViewBuilder builder, ByteCounter bytes) {
      super(builder);
      this.builder = builder;
      this.bytes = bytes;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      UTF8String value = values.getUTF8String(ordinal);
      int length = value.numBytes();
      Object base = value.getBaseObject();
      if (base instanceof byte[] array) {
        int offset = (int) (value.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
        builder.append(array, offset, length);
      } else if (base == null) {
        builder.append(value.getBaseOffset(), length);
      } else {
        builder.append(value.getBytes());
      }
      bytes.add(length);
    }
  }

  private static final class BinaryWriter extends ValueWriter {
    private final ViewBuilder builder;
    private final ByteCounter bytes;

    BinaryWriter(ViewBuilder builder, ByteCounter bytes) {
      super(builder);
      this.builder = builder;
      this.bytes = bytes;
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      byte[] value = values.getBinary(ordinal);
      builder.append(value);
      bytes.add(value.length);
    }
  }

  private static final class ListWriter extends ValueWriter {
    private final ListBuilder builder;
    private final ByteCounter bytes;
    private final ValueWriter element;

    ListWriter(ListBuilder builder, ByteCounter bytes) {
      super(builder);
      this.builder = builder;
      this.bytes = bytes;
      this.element = ValueWriters.create(builder.element(), bytes);
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      ArrayData array = values.getArray(ordinal);
      int count = array.numElements();
      for (int i = 0; i < count; i++) {
        element.write(array, i);
      }
      builder.append();
      bytes.add((long) count * Long.BYTES);
    }
  }

  private static final class MapWriter extends ValueWriter {
    private final ListBuilder builder;
    private final ByteCounter bytes;
    private final StructBuilder entry;
    private final ValueWriter key;
    private final ValueWriter value;

    MapWriter(ListBuilder builder, ByteCounter bytes) {
      super(builder);
      this.builder = builder;
      this.bytes = bytes;
      this.entry = (StructBuilder) builder.element();
      this.key = ValueWriters.create(entry.field(0), bytes);
      this.value = ValueWriters.create(entry.field(1), bytes);
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      MapData map = values.getMap(ordinal);
      int count = map.numElements();
      ArrayData keys = map.keyArray();
      ArrayData mapped = map.valueArray();
      for (int i = 0; i < count; i++) {
        key.write(keys, i);
        value.write(mapped, i);
        entry.append();
      }
      builder.append();
      bytes.add(2L * count * Long.BYTES);
    }
  }

  private static final class StructWriter extends ValueWriter {
    private final StructBuilder builder;
    private final ValueWriter[] members;

    StructWriter(StructBuilder builder, ByteCounter bytes) {
      super(builder);
      this.builder = builder;
      int count = ((io.ariadne.columnar.type.StructType) builder.type()).fields().size();
      this.members = new ValueWriter[count];
      for (int i = 0; i < count; i++) {
        members[i] = ValueWriters.create(builder.field(i), bytes);
      }
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      InternalRow struct = values.getStruct(ordinal, members.length);
      for (int i = 0; i < members.length; i++) {
        members[i].write(struct, i);
      }
      builder.append();
    }
  }

  private static final class NullWriter extends ValueWriter {
    NullWriter(NullBuilder builder) {
      super(builder);
    }

    @Override
    void writeValue(SpecializedGetters values, int ordinal) {
      throw new IllegalStateException("a value in a column of nulls");
    }
  }
}
