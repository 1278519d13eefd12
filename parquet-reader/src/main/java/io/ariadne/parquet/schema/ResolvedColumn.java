package io.ariadne.parquet.schema;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.metadata.SchemaNode;
import java.util.List;

/**
 * Where a requested column, or a part of one, comes from in one file. Immutable.
 *
 * <p>The definition levels of the leaves below tell whether a value is null, a list empty or an
 * entry present: a node is present where the level is at least its {@link
 * SchemaNode#maxDefinitionLevel()}.
 */
public sealed interface ResolvedColumn {
  /** Returns the requested type. */
  DataType type();

  /**
   * A column, or a member of a struct, that the file does not have. It is null in every row, unless
   * the caller knows a default.
   *
   * @param type the requested type
   */
  record Missing(DataType type) implements ResolvedColumn {}

  /**
   * A leaf.
   *
   * @param leaf the file's column
   * @param type the requested type
   * @param layout layout of the column's values
   * @param conversion from stored fixed-width values to the column's; null for booleans, and for
   *     {@code BYTE_ARRAY} and fixed-length values that become views
   * @param scale digits to append to decimals
   * @param calendar rebases old dates and timestamps
   */
  record Leaf(
      SchemaNode leaf,
      DataType type,
      PhysicalType layout,
      ValueConversion conversion,
      int scale,
      CalendarRebase calendar)
      implements ResolvedColumn {}

  /**
   * A struct.
   *
   * @param group the file's group
   * @param type the requested type
   * @param members the requested members, in the requested order; some may be {@link Missing}
   * @param witness a leaf that tells where the struct is null when all members are missing, else
   *     null
   */
  record Struct(SchemaNode group, StructType type, List<ResolvedColumn> members, SchemaNode witness)
      implements ResolvedColumn {
    /** Copies the list. */
    public Struct {
      members = List.copyOf(members);
    }
  }

  /**
   * A list.
   *
   * @param group the group annotated as a list; null for a repeated field without one, which is a
   *     list that is never null
   * @param repeated the repeated field: an entry is present at its definition level or above
   * @param type the requested type
   * @param element the entries, which may be the repeated field itself
   */
  record Repeated(SchemaNode group, SchemaNode repeated, ListType type, ResolvedColumn element)
      implements ResolvedColumn {
    /** Returns the lowest definition level at which the list is not null. */
    public int presentLevel() {
      return group == null ? repeated.maxDefinitionLevel() - 1 : group.maxDefinitionLevel();
    }
  }

  /**
   * A map.
   *
   * @param group the group annotated as a map
   * @param repeated the repeated group of key and value
   * @param type the requested type
   * @param key the keys
   * @param value the values
   */
  record KeyValue(
      SchemaNode group, SchemaNode repeated, MapType type, ResolvedColumn key, ResolvedColumn value)
      implements ResolvedColumn {}
}
