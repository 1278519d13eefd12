package io.ariadne.parquet.metadata;

import java.util.List;
import java.util.Map;

/**
 * The selected part of one file's footer, small and on the Java heap: it keeps the schema nodes and
 * chunks of selected columns only. Immutable, but for the page indexes that are kept with it once
 * they have been read.
 */
public final class FileMetadata {
  /** Prefix of the keys whose key-value pairs are kept. */
  static final String KEPT_KEYS = "org.apache.spark.";

  /** Key of Spark's own copy of the schema, which is long and not needed to read columns. */
  static final String DROPPED_KEY = "org.apache.spark.sql.parquet.row.metadata";

  private static final long FILE_BYTES = 512;
  private static final long NODE_BYTES = 160;
  private static final long CHUNK_BYTES = 256;

  private final String file;
  private final long fileLength;
  private final String version;
  private final ColumnSelection selection;
  private final String createdBy;
  private final SchemaNode root;
  private final List<SchemaNode> leaves;
  private final int leafCount;
  private final boolean hasFieldIds;
  private final List<RowGroup> rowGroups;
  private final Map<String, String> keyValues;
  private final boolean encrypted;
  private final long rowCount;
  private final long weight;
  private final ParsedIndexes indexes = new ParsedIndexes();

  FileMetadata(
      String file,
      long fileLength,
      String version,
      ColumnSelection selection,
      SchemaReader schema,
      FooterFields footer) {
    this.file = file;
    this.fileLength = fileLength;
    this.version = version;
    this.selection = selection;
    this.createdBy = footer.createdBy;
    this.root = footer.root;
    this.leaves = List.copyOf(schema.leaves());
    this.leafCount = schema.leafCount();
    this.hasFieldIds = schema.hasFieldIds();
    this.rowGroups = List.copyOf(footer.rowGroups);
    this.keyValues = Map.copyOf(footer.keyValues);
    this.encrypted = footer.isEncrypted;
    this.rowCount = footer.rowCount;
    this.weight = weigh();
  }

  private long weigh() {
    long bytes = FILE_BYTES + 2L * file.length() + leaves.size() * NODE_BYTES;
    for (RowGroup group : rowGroups) {
      bytes += CHUNK_BYTES;
      for (SchemaNode leaf : leaves) {
        bytes += CHUNK_BYTES + group.boundBytes(leaf.leafIndex());
      }
    }
    for (Map.Entry<String, String> entry : keyValues.entrySet()) {
      bytes += 2L * (entry.getKey().length() + entry.getValue().length());
    }
    return bytes;
  }

  /** Returns the file's name, for messages. */
  public String file() {
    return file;
  }

  /** Returns the file's length in bytes. */
  public long fileLength() {
    return fileLength;
  }

  /** Returns what the storage calls the version of the file; empty when it does not tell. */
  public String version() {
    return version;
  }

  /** Returns the fields that this object was read for. */
  public ColumnSelection selection() {
    return selection;
  }

  /**
   * Returns the name and version of the program that wrote the file, null when the file does not
   * state them.
   */
  public String createdBy() {
    return createdBy;
  }

  /** Returns the number of rows of all row groups. */
  public long rowCount() {
    return rowCount;
  }

  /** Returns the root of the schema; its children are the selected fields. */
  public SchemaNode root() {
    return root;
  }

  /** Returns the selected leaves, in the file's order. */
  public List<SchemaNode> leaves() {
    return leaves;
  }

  /** Returns the number of leaves in the file, selected or not. */
  public int leafCount() {
    return leafCount;
  }

  /** Returns whether any field of the file, selected or not, has a field id. */
  public boolean hasFieldIds() {
    return hasFieldIds;
  }

  /** Returns the row groups in the file's order. */
  public List<RowGroup> rowGroups() {
    return rowGroups;
  }

  /**
   * Returns Spark's key-value pairs except the schema: version, time zone and calendar of the
   * writer.
   */
  public Map<String, String> keyValues() {
    return keyValues;
  }

  /** Returns whether some columns may be encrypted. The footer itself is not. */
  public boolean isEncrypted() {
    return encrypted;
  }

  /** Returns the page indexes that have been read. */
  public ParsedIndexes indexes() {
    return indexes;
  }

  /** Returns approximately how many bytes of the Java heap this object takes now. */
  long weight() {
    return weight + indexes.weight();
  }
}
