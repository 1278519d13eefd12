package io.ariadne.rules.scan;

import io.ariadne.expression.Literal;
import io.ariadne.rules.expression.ColumnTypes;
import io.ariadne.rules.expression.Constants;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.execution.datasources.FileFormat$;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.DataType;

/** A value that is the same for all rows of a file, or of a part of a file, and makes a column. */
sealed interface FileConstant extends Serializable {
  /** Returns Spark's type of it. */
  DataType type();

  /** Returns its value as Catalyst keeps it inside, or null. */
  Object valueOf(PartitionedFile file);

  /** Returns its value for a file. */
  default Literal of(PartitionedFile file) {
    return Constants.tryOf(valueOf(file), ColumnTypes.of(type()).orElseThrow()).orElseThrow();
  }

  /**
   * A partition value.
   *
   * @param position among the file's partition values
   * @param type Spark's type of it
   */
  record PartitionValue(int position, DataType type) implements FileConstant {
    private static final long serialVersionUID = 1L;

    @Override
    public Object valueOf(PartitionedFile file) {
      return file.partitionValues().get(position, type);
    }
  }

  /**
   * A field of the hidden column {@code _metadata}.
   *
   * @param name Spark's name of the field, such as {@code file_path}
   * @param type Spark's type of it
   */
  record FileFact(String name, DataType type) implements FileConstant {
    private static final long serialVersionUID = 1L;

    @Override
    public Object valueOf(PartitionedFile file) {
      var extractor = FileFormat$.MODULE$.BASE_METADATA_EXTRACTORS().get(name);
      Object value = extractor.isDefined() ? extractor.get().apply(file) : null;
      return Literal$.MODULE$.apply(value).value();
    }
  }
}
