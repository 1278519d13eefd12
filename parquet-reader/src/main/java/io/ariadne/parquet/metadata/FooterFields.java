package io.ariadne.parquet.metadata;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Parses a footer. */
final class FooterFields {
  private final ThriftReader reader;
  private final SchemaReader schema;
  private final String file;
  private final long fileLength;
  private final List<RawStatistics[]> statistics = new ArrayList<>();

  String createdBy;
  SchemaNode root;
  List<RowGroup> rowGroups;
  final Map<String, String> keyValues = new HashMap<>();
  boolean isEncrypted;
  long rowCount;
  private ColumnOrders orders = ColumnOrders.UNSTATED;

  FooterFields(ThriftReader reader, SchemaReader schema, String file, long fileLength) {
    this.file = file;
    this.reader = reader;
    this.schema = schema;
    this.fileLength = fileLength;
  }

  /** Reads the whole footer. */
  void read() {
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 2 -> {
          refuse(root != null, "a second schema");
          root = schema.read();
        }
        case 4 -> {
          refuse(rowGroups != null, "a second list of row groups");
          refuse(root == null, "row groups before the schema");
          readRowGroups();
        }
        case 5 -> readKeyValues();
        case 6 -> createdBy = reader.readString();
        case 7 -> orders = ColumnOrders.read(reader);
        case 8 -> {
          isEncrypted = true;
          reader.skip();
        }
        default -> reader.skip();
      }
    }
    refuse(root == null || rowGroups == null, "footer without schema or row groups");
    trustStatistics();
  }

  private void refuse(boolean isWrong, String problem) {
    if (isWrong) {
      throw reader.corrupt(problem);
    }
  }

  private void readRowGroups() {
    int count = reader.beginList();
    int[] leafIndexes = schema.leaves().stream().mapToInt(SchemaNode::leafIndex).toArray();
    RowGroupFields fields = new RowGroupFields(reader, schema, fileLength);
    rowGroups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.read();
      rowGroups.add(new RowGroup(file, i, rowCount, fields, leafIndexes));
      statistics.add(fields.statistics);
      rowCount += fields.rowCount;
      refuse(rowCount < 0, "more than 2^63 rows");
    }
    isEncrypted |= fields.hasEncrypted();
  }

  private void readKeyValues() {
    int count = reader.beginList();
    for (int i = 0; i < count; i++) {
      String key = "";
      String value = "";
      reader.beginStruct();
      while (reader.nextField()) {
        switch (reader.fieldId()) {
          case 1 -> key = reader.readString();
          case 2 -> {
            if (isKept(key)) {
              value = reader.readString();
            } else {
              reader.skip();
            }
          }
          default -> reader.skip();
        }
      }
      if (isKept(key)) {
        keyValues.put(key, value);
      }
    }
  }

  private static boolean isKept(String key) {
    return key.startsWith(FileMetadata.KEPT_KEYS) && !key.equals(FileMetadata.DROPPED_KEY);
  }

  private void trustStatistics() {
    StatisticsTrust trust = new StatisticsTrust(createdBy);
    for (int i = 0; i < rowGroups.size(); i++) {
      rowGroups.set(i, rowGroups.get(i).withStatistics(trust, statistics.get(i), orders));
    }
  }
}
