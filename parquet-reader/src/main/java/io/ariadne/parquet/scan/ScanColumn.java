package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.Field;
import io.ariadne.expression.Literal;
import java.io.Serializable;
import java.util.Objects;

/**
 * One column a scan puts out.
 *
 * @param field name and type; the name is looked up in the file's schema
 * @param fieldId the Parquet field id to look up instead of the name, {@link #NO_FIELD_ID} for none
 * @param constantIndex which of {@link FileSlice#constants()} is the value of every row, {@link
 *     #FROM_FILE} for a column of the file
 * @param missingValue what a file without this column has in every row; a null value for nulls
 */
public record ScanColumn(Field field, int fieldId, int constantIndex, Literal missingValue)
    implements Serializable {
  /** {@link #fieldId()} of a column that is looked up by name. */
  public static final int NO_FIELD_ID = -1;

  /** {@link #constantIndex()} of a column that is read from the file. */
  public static final int FROM_FILE = -1;

  /** Checks for nulls. */
  public ScanColumn {
    Objects.requireNonNull(field, "field is null");
    Objects.requireNonNull(missingValue, "missingValue is null");
  }

  /** Returns a column of the file, looked up by name, null in files that do not have it. */
  public static ScanColumn ofFile(Field field) {
    return new ScanColumn(field, NO_FIELD_ID, FROM_FILE, new Literal(null, field.type()));
  }

  /** Returns a column with the slice's constant of this index in every row. */
  public static ScanColumn ofConstant(Field field, int constantIndex) {
    return new ScanColumn(field, NO_FIELD_ID, constantIndex, new Literal(null, field.type()));
  }

  /** Returns whether the value comes with the slice rather than from the file. */
  public boolean isConstant() {
    return constantIndex != FROM_FILE;
  }
}
