package io.ariadne.rules.scan;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Settings that change how Spark reads columns of certain types, at any depth, and that Ariadne
 * does not follow. Stateless.
 */
final class NestedFields {
  /** By this key of a field's metadata Spark names the field's id in the file. */
  static final String FIELD_ID = "parquet.field.id";

  /** Of Spark 4.1 and later. */
  private static final String NULL_STRUCTS =
      "spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing";

  private NestedFields() {}

  /**
   * Returns why a scan stays with Spark's reader, or empty.
   *
   * @param schema what it reads of the files
   * @param conf the session's settings
   */
  static Optional<String> reasonAgainst(StructType schema, SQLConf conf) {
    for (StructField field : schema.fields()) {
      DataType type = field.dataType();
      if (!conf.parquetVectorizedReaderNestedColumnEnabled() && has(type, NestedFields::isNested)) {
        return Optional.of(
            SQLConf.PARQUET_VECTORIZED_READER_NESTED_COLUMN_ENABLED().key()
                + " is false and column "
                + field.name()
                + " is nested");
      }
      if (conf.isParquetINT96TimestampConversion() && has(type, TimestampType.class::isInstance)) {
        return Optional.of(
            "timestamps are shifted between time zones: "
                + SQLConf.PARQUET_INT96_TIMESTAMP_CONVERSION().key()
                + " is true");
      }
      if (conf.parquetFieldIdReadEnabled() && has(type, NestedFields::namesFieldsById)) {
        return Optional.of("fields inside column " + field.name() + " are looked up by their ids");
      }
      if (Boolean.parseBoolean(conf.getConfString(NULL_STRUCTS, "false"))
          && has(type, StructType.class::isInstance)) {
        return Optional.of(NULL_STRUCTS + " is true and column " + field.name() + " has structs");
      }
    }
    return Optional.empty();
  }

  private static boolean isNested(DataType type) {
    return type instanceof StructType || type instanceof ArrayType || type instanceof MapType;
  }

  private static boolean has(DataType type, Predicate<DataType> what) {
    return type.existsRecursively(what::test);
  }

  private static boolean namesFieldsById(DataType type) {
    return type instanceof StructType struct
        && Arrays.stream(struct.fields()).anyMatch(field -> field.metadata().contains(FIELD_ID));
  }
}
