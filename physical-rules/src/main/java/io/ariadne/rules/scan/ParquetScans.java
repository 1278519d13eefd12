package io.ariadne.rules.scan;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.file.FileScanLine;
import io.ariadne.bridge.file.ReadReplay;
import io.ariadne.bridge.file.SparkFiles;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Literal;
import io.ariadne.parquet.prune.FilterLevel;
import io.ariadne.parquet.prune.FilterPushdown;
import io.ariadne.parquet.scan.ParquetScanOptions;
import io.ariadne.parquet.scan.ParquetScanSpec;
import io.ariadne.parquet.scan.ScanColumn;
import io.ariadne.parquet.schema.FieldIds;
import io.ariadne.parquet.schema.RebaseMode;
import io.ariadne.rules.expression.ColumnTypes;
import io.ariadne.rules.expression.Constants;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.FileSourceOptions;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.catalyst.util.ResolveDefaultColumns;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetOptions;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Decides which of Spark's file scans Ariadne reads itself, and describes what they read. Used on
 * Spark's driver. Stateless.
 *
 * <p>The file format is recognised by its exact class: a table whose format extends Spark's (for
 * example Delta's, with its deletion vectors) is not plain Parquet.
 */
public final class ParquetScans {
  private static final String ROW_INDEX = ParquetFileFormat.ROW_INDEX_TEMPORARY_COLUMN_NAME();
  private static final String DECRYPTION = "parquet.crypto.factory.class";

  private ParquetScans() {}

  /** Returns why a scan stays with Spark's reader, or empty when Ariadne reads the files. */
  public static Optional<String> reasonAgainst(FileSourceScanExec scan) {
    if (scan.relation().fileFormat().getClass() != ParquetFileFormat.class) {
      return Optional.of(
          "the format is " + scan.relation().fileFormat().getClass().getSimpleName());
    }
    if (!scan.conf().parquetVectorizedReaderEnabled()) {
      return Optional.of(SQLConf.PARQUET_VECTORIZED_READER_ENABLED().key() + " is false");
    }
    if (hasHadoopSetting(scan, DECRYPTION)) {
      return Optional.of("the files may be encrypted: " + DECRYPTION + " is set");
    }
    return NestedFields.reasonAgainst(scan.requiredSchema(), scan.conf())
        .or(() -> columnReason(scan))
        .or(() -> fieldReason(scan))
        .or(() -> rebaseReason(scan));
  }

  /** Spark looks at a mode, which may have any spelling, when a file asks for it. */
  private static Optional<String> rebaseReason(FileSourceScanExec scan) {
    ParquetOptions options = new ParquetOptions(scan.relation().options(), scan.conf());
    return Stream.of(options.datetimeRebaseModeInRead(), options.int96RebaseModeInRead())
        .filter(
            mode -> Stream.of(RebaseMode.values()).noneMatch(known -> known.name().equals(mode)))
        .map(mode -> "the rebase mode is " + mode)
        .findFirst();
  }

  /**
   * Returns whether a setting is among those of {@link #hadoopConfiguration}, which are many and
   * copied when they are put together: the relation's, the session's and the application's.
   */
  private static boolean hasHadoopSetting(FileSourceScanExec scan, String key) {
    return scan.relation().options().contains(key)
        || scan.conf().contains(key)
        || scan.sparkContext().hadoopConfiguration().get(key) != null;
  }

  private static Optional<String> columnReason(FileSourceScanExec scan) {
    for (Attribute column : ScalaCollections.<Attribute>list(scan.output())) {
      if (ColumnTypes.of(column.dataType()).isEmpty()) {
        return Optional.of(
            "column "
                + column
                + " has type "
                + column.dataType().sql()
                + ", which is not supported");
      }
    }
    return Optional.empty();
  }

  private static Optional<String> fieldReason(FileSourceScanExec scan) {
    for (StructField field : scan.requiredSchema().fields()) {
      if (isRowIndex(field) && field.dataType() != DataTypes.LongType) {
        return Optional.of("column " + ROW_INDEX + " has type " + field.dataType().sql());
      }
    }
    Object[] defaults = defaults(scan.requiredSchema());
    for (int i = 0; i < defaults.length; i++) {
      StructField field = scan.requiredSchema().fields()[i];
      if (Constants.tryOf(defaults[i], ColumnTypes.of(field.dataType()).orElseThrow()).isEmpty()) {
        return Optional.of("column " + field.name() + " has a default that is not supported");
      }
    }
    return Optional.empty();
  }

  /** Returns the output columns of a scan that has no {@link #reasonAgainst}. */
  public static Schema schema(FileSourceScanExec scan) {
    return new Schema(columns(scan).stream().map(ScanColumn::field).toList());
  }

  private static List<ScanColumn> columns(FileSourceScanExec scan) {
    List<Attribute> output = ScalaCollections.list(scan.output());
    StructField[] read = scan.requiredSchema().fields();
    Object[] defaults = defaults(scan.requiredSchema());
    List<ScanColumn> columns = new ArrayList<>();
    for (int i = 0; i < output.size(); i++) {
      Attribute column = output.get(i);
      String name = i < read.length ? read[i].name() : column.name();
      Field field =
          new Field(name, ColumnTypes.of(column.dataType()).orElseThrow(), column.nullable());
      columns.add(
          i < read.length
              ? fileColumn(field, read[i], ids(scan, read[i]), defaults[i])
              : ScanColumn.ofConstant(field, i - read.length));
    }
    return columns;
  }

  private static ScanColumn fileColumn(
      Field field, StructField wanted, FieldIds ids, Object missingValue) {
    if (isRowIndex(wanted)) {
      return ScanColumn.ofRowIndex(field);
    }
    Literal missing = Constants.tryOf(missingValue, field.type()).orElseThrow();
    return new ScanColumn(field, ids, ScanColumn.FROM_FILE, missing);
  }

  /** Spark computes this column, whether or not the file has one of that name. */
  private static boolean isRowIndex(StructField field) {
    return field.name().equals(ROW_INDEX);
  }

  /** Returns the ids by which a column and what is inside it are looked up instead of by name. */
  private static FieldIds ids(FileSourceScanExec scan, StructField field) {
    return scan.conf().parquetFieldIdReadEnabled() ? NestedFields.ids(field) : FieldIds.BY_NAME;
  }

  /** Returns the scan's columns that do not come from the file, in the order of its output. */
  private static List<FileConstant> constants(FileSourceScanExec scan) {
    List<Attribute> output = ScalaCollections.list(scan.output());
    Set<ExprId> facts = new HashSet<>();
    for (Attribute fact : ScalaCollections.<Attribute>list(scan.fileConstantMetadataColumns())) {
      facts.add(fact.exprId());
    }
    StructType partitioning = scan.relation().partitionSchema();
    List<FileConstant> constants = new ArrayList<>();
    for (int i = scan.requiredSchema().fields().length; i < output.size(); i++) {
      Attribute column = output.get(i);
      if (facts.contains(column.exprId())) {
        constants.add(new FileConstant.FileFact(column.name(), column.dataType()));
      } else {
        int position = partitioning.fieldIndex(column.name());
        DataType type = partitioning.fields()[position].dataType();
        constants.add(new FileConstant.PartitionValue(position, type));
      }
    }
    return constants;
  }

  /**
   * Returns what the scan's tasks need; sends Hadoop's settings to the executors.
   *
   * @param scan Spark's node, without {@link #reasonAgainst}
   * @param read the numbers of the columns of its output that are read
   * @param predicate over these columns, as in {@link ParquetScanSpec}; null for all rows
   */
  public static ParquetTaskScan taskScan(
      FileSourceScanExec scan, List<Integer> read, Expression predicate) {
    Configuration configuration = hadoopConfiguration(scan);
    List<ScanColumn> all = columns(scan);
    List<ScanColumn> columns = read.stream().map(all::get).toList();
    SparkFiles files = SparkFiles.of(scan.sparkContext(), configuration);
    return new ParquetTaskScan(
        new ParquetScanSpec(columns, predicate, options(scan, configuration)),
        constants(scan),
        files,
        ReadReplay.of(scan, files));
  }

  /** Returns whether a scan may leave out files that cannot be read, and not the same each time. */
  public static boolean mayIgnoreFiles(FileSourceScanExec scan) {
    FileSourceOptions options = new FileSourceOptions(scan.relation().options());
    return options.ignoreCorruptFiles() || options.ignoreMissingFiles();
  }

  private static ParquetScanOptions options(FileSourceScanExec scan, Configuration configuration) {
    SQLConf conf = scan.conf();
    ParquetOptions options = new ParquetOptions(scan.relation().options(), conf);
    String zone = conf.sessionLocalTimeZone();
    return new ParquetScanOptions(
        conf.caseSensitiveAnalysis(),
        conf.isParquetBinaryAsString(),
        conf.isParquetINT96AsTimestamp(),
        conf.legacyParquetNanosAsLong(),
        RebaseMode.valueOf(options.datetimeRebaseModeInRead()),
        RebaseMode.valueOf(options.int96RebaseModeInRead()),
        conf.isParquetINT96TimestampConversion() ? DateTimeUtils.getZoneId(zone).getId() : null,
        zone,
        FileScanLine.widensTypes()
            ? ParquetScanOptions.TypeWidening.SPARK_4
            : ParquetScanOptions.TypeWidening.SPARK_3_5,
        !conf.ignoreMissingParquetFieldId() && NestedFields.haveIds(scan.requiredSchema()),
        !FileScanLine.widensTypes() || NestedFields.nullsEmptyStructs(conf),
        FileScanLine.widensTypes() && NestedFields.readsVariantsAsStructs(conf),
        options.ignoreCorruptFiles(),
        options.ignoreMissingFiles(),
        configuration.getBoolean("parquet.page.verify-checksum.enabled", false),
        pushdown(conf, configuration),
        ParquetScanOptions.DEFAULT_BATCH_ROWS,
        true,
        ParquetScanOptions.DEFAULT_PART_BYTES);
  }

  /** Returns which facts about a file's values Spark's reader would prune by. */
  private static FilterPushdown pushdown(SQLConf conf, Configuration configuration) {
    if (!conf.parquetFilterPushDown()) {
      return FilterPushdown.NONE;
    }
    Set<FilterLevel> levels = EnumSet.allOf(FilterLevel.class);
    levels.removeIf(level -> !configuration.getBoolean(level.key(), true));
    return new FilterPushdown(
        levels,
        conf.parquetFilterPushDownDate(),
        conf.parquetFilterPushDownTimestamp(),
        conf.parquetFilterPushDownDecimal());
  }

  private static Configuration hadoopConfiguration(FileSourceScanExec scan) {
    return FileScanLine.hadoopConfiguration(scan.relation());
  }

  /** The values of a column, in Catalyst's inner form, in rows of files that lack the column. */
  private static Object[] defaults(StructType schema) {
    return ResolveDefaultColumns.existenceDefaultValues(schema);
  }
}
