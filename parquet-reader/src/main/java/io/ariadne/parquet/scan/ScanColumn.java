package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.Field;
import io.ariadne.expression.Literal;
import io.ariadne.parquet.schema.FieldIds;
import java.io.Serializable;
import java.util.Objects;

/**
 * One output column of a scan.
 *
 * @param field name and type; the name is looked up in the file's schema
 * @param ids Parquet field ids to look up instead of the name, and instead of members' names
 * @param constantIndex index in {@link FileSlice#constants()} of the value of every row, {@link
 *     #FROM_FILE} for a column of the file, {@link #ROW_INDEX} for the number of the row
 * @param missingValue value of every row in a file without this column; a null value for nulls
 */
public record ScanColumn(Field field, FieldIds ids, int constantIndex, Literal missingValue)
    implements Serializable {
  /** {@link #constantIndex()} of a column that is read from the file. */
  public static final int FROM_FILE = -1;

  /** {@link #constantIndex()} of the row's number in its file, from 0, a 64-bit integer. */
  public static final int ROW_INDEX = -2;

  /** Checks for nulls. */
  public ScanColumn {
    Objects.requireNonNull(field, "field is null");
    Objects.requireNonNull(ids, "ids is null");
    Objects.requireNonNull(missingValue, "missingValue is null");
  }

  /** Returns a column of the file that is looked up by name and is null in files without it. */
  public static ScanColumn ofFile(Field field) {
    return new ScanColumn(field, FieldIds.BY_NAME, FROM_FILE, new Literal(null, field.type()));
  }

  /** Returns a column that has one of the slice's constants in every row. */
  public static ScanColumn ofConstant(Field field, int constantIndex) {
    return new ScanColumn(field, FieldIds.BY_NAME, constantIndex, new Literal(null, field.type()));
  }

  /** Returns a column of the row's number in its file, from 0, of a 64-bit type. */
  public static ScanColumn ofRowIndex(Field field) {
    return new ScanColumn(field, FieldIds.BY_NAME, ROW_INDEX, new Literal(null, field.type()));
  }

  /** Returns whether the values are read from the file. */
  public boolean isStored() {
    return constantIndex == FROM_FILE;
  }

  /** Returns whether the value comes with the slice rather than from the file. */
  public boolean isConstant() {
    return constantIndex >= 0;
  }
}
