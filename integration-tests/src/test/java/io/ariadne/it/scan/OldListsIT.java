package io.ariadne.it.scan;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.Type;
import org.junit.jupiter.api.Test;

/** Tests lists and maps in the forms that writers used before the format defined them. */
class OldListsIT extends AbstractScanIT {
  private static final String ANSI = "spark.sql.ansi.enabled";

  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message old {
            required int64 id;
            optional group a (LIST) { repeated int32 element; }
            optional group b (LIST) {
              repeated group array { optional int32 x; required binary y (UTF8); }
            }
            optional group c (LIST) { repeated group c_tuple { optional int64 z; } }
            repeated int32 d;
            repeated group e { optional double v; repeated binary w (UTF8); }
            optional group f (MAP_KEY_VALUE) {
              repeated group map { required binary key (UTF8); optional int32 value; }
            }
            optional group g (LIST) {
              repeated group bag { optional group array_element { optional int32 q; } }
            }
            required group h (LIST) { repeated group array { repeated int32 array; } }
          }
          """);

  @Test
  void oldFormsOfListsAndMapsMatchSpark() throws IOException {
    write(400);
    view("old");
    check("select * from old");
    check("select * from old where id % 7 = 2");
    check("select b.x, c, e.v, f['k1'], g.q, d[0] from old", Map.of(ANSI, "false"));
    check("select id from old where size(d) > 1 and a is not null");
  }

  private void write(int rows) throws IOException {
    Path file = new Path(address("old") + "/part.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(file)
            .withConf(new Configuration())
            .withType(SCHEMA)
            .withPageRowCountLimit(90)
            .build()) {
      for (int row = 0; row < rows; row++) {
        Group group = new SimpleGroup(SCHEMA);
        group.add("id", (long) row);
        fill(group, SCHEMA, 1);
        writer.write(group);
      }
    }
  }

  /** Fills in the fields from the first to fill on. */
  private void fill(Group group, GroupType type, int first) {
    for (int i = first; i < type.getFieldCount(); i++) {
      Type field = type.getType(i);
      int count =
          switch (field.getRepetition()) {
            case REQUIRED -> 1;
            case OPTIONAL -> random.nextInt(4) == 0 ? 0 : 1;
            case REPEATED -> random.nextInt(4);
          };
      for (int n = 0; n < count; n++) {
        add(group, field, n);
      }
    }
  }

  private void add(Group group, Type field, int number) {
    String name = field.getName();
    if (!field.isPrimitive()) {
      fill(group.addGroup(name), field.asGroupType(), 0);
      return;
    }
    switch (field.asPrimitiveType().getPrimitiveTypeName()) {
      case INT32 -> group.add(name, random.nextInt(50));
      case INT64 -> group.add(name, random.nextLong());
      case DOUBLE -> group.add(name, random.nextGaussian());
      default -> group.add(name, name.equals("key") ? "k" + number : "s" + random.nextInt(30));
    }
  }
}
