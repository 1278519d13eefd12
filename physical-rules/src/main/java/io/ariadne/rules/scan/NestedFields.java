package io.ariadne.rules.scan;

import io.ariadne.parquet.schema.FieldIds;
import io.ariadne.rules.expression.ColumnTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Reads properties of fields at any depth from Spark's schema of a scan. Stateless. */
final class NestedFields {
  /** By this key of a field's metadata Spark names the field's id in the file. */
  static final String FIELD_ID = "parquet.field.id";

  /** By this key Spark 4.1 marks the parts it takes out of a VARIANT value. */
  private static final String VARIANT = "__VARIANT_METADATA_KEY";

  /** A setting of Spark 4.1 and later. */
  private static final String IGNORED_VARIANTS = "spark.sql.parquet.ignoreVariantAnnotation";

  /** A setting of Spark 4.1 and later. */
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
      if (haveVariantParts(field.dataType())) {
        return Optional.of("column " + field.name() + " is taken out of VARIANT values");
      }
      if (!conf.parquetVectorizedReaderNestedColumnEnabled()
          && ColumnTypes.isNested(field.dataType())) {
        return Optional.of(
            SQLConf.PARQUET_VECTORIZED_READER_NESTED_COLUMN_ENABLED().key()
                + " is false and column "
                + field.name()
                + " is nested");
      }
    }
    return Optional.empty();
  }

  /** Returns whether structs none of whose members a file has are null, where Spark lets choose. */
  static boolean nullsEmptyStructs(SQLConf conf) {
    return Boolean.parseBoolean(conf.getConfString(NULL_STRUCTS, "false"));
  }

  /** Returns whether groups that are annotated as VARIANT are read as structs, since Spark 4.1. */
  static boolean readsVariantsAsStructs(SQLConf conf) {
    return Boolean.parseBoolean(conf.getConfString(IGNORED_VARIANTS, "false"));
  }

  /** Returns whether a type has structs that Spark takes out of VARIANT values while it reads. */
  static boolean haveVariantParts(DataType type) {
    return type.existsRecursively(NestedFields::isOfVariant);
  }

  private static boolean isOfVariant(DataType type) {
    return type instanceof StructType struct
        && Arrays.stream(struct.fields()).anyMatch(field -> field.metadata().contains(VARIANT));
  }

  /** Returns whether any field of a type names its id in the file. */
  static boolean haveIds(DataType type) {
    return type.existsRecursively(NestedFields::namesFieldsById);
  }

  private static boolean namesFieldsById(DataType type) {
    return type instanceof StructType struct
        && Arrays.stream(struct.fields()).anyMatch(field -> field.metadata().contains(FIELD_ID));
  }

  /**
   * Returns the ids of a field and of what is inside it.
   *
   * @throws ArithmeticException when an id is no 32-bit integer
   */
  static FieldIds ids(StructField field) {
    int id =
        field.metadata().contains(FIELD_ID)
            ? Math.toIntExact(field.metadata().getLong(FIELD_ID))
            : FieldIds.NONE;
    return new FieldIds(id, inside(field.dataType()));
  }

  private static List<FieldIds> inside(DataType type) {
    if (!haveIds(type)) {
      return List.of();
    }
    List<FieldIds> inside = new ArrayList<>();
    if (type instanceof StructType struct) {
      for (StructField member : struct.fields()) {
        inside.add(ids(member));
      }
    } else if (type instanceof ArrayType array) {
      inside.add(unnamed(array.elementType()));
    } else if (type instanceof MapType map) {
      inside.add(unnamed(map.keyType()));
      inside.add(unnamed(map.valueType()));
    }
    return inside;
  }

  private static FieldIds unnamed(DataType type) {
    return new FieldIds(FieldIds.NONE, inside(type));
  }
}
