package io.ariadne.parquet.testing;

import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Schemas of test files. */
public final class TestSchemas {
  /** Every physical kind and annotation, optional and required, no nesting. */
  public static final MessageType FLAT =
      MessageTypeParser.parseMessageType(
          """
          message flat {
            required boolean flag = 1;
            optional boolean maybe;
            required int32 i = 7;
            optional int32 tiny (INTEGER(8,true));
            optional int32 small (INTEGER(16,true));
            optional int32 int32 (INTEGER(32,true));
            optional int32 utiny (INTEGER(8,false));
            optional int32 usmall (INTEGER(16,false));
            optional int32 uint32 (INTEGER(32,false));
            optional int32 date (DATE);
            optional int32 millis_of_day (TIME(MILLIS,true));
            optional int32 decimal9 (DECIMAL(9,2));
            required int64 l;
            optional int64 int64 (INTEGER(64,true));
            optional int64 uint64 (INTEGER(64,false));
            optional int64 decimal18 (DECIMAL(18,4));
            optional int64 time_micros (TIME(MICROS,false));
            optional int64 ts_millis (TIMESTAMP(MILLIS,true));
            optional int64 ts_micros (TIMESTAMP(MICROS,true));
            optional int64 ts_nanos (TIMESTAMP(NANOS,false));
            optional int64 ts_ntz (TIMESTAMP(MICROS,false));
            optional int96 legacy;
            optional float f;
            required double d;
            required binary text (STRING);
            optional binary maybe_text (STRING);
            optional binary raw;
            optional binary json (JSON);
            optional binary bson (BSON);
            optional binary choice (ENUM);
            optional binary decimal_bytes (DECIMAL(20,3));
            optional fixed_len_byte_array(5) fixed;
            optional fixed_len_byte_array(16) uuid (UUID);
            optional fixed_len_byte_array(16) decimal38 (DECIMAL(38,10));
            optional fixed_len_byte_array(12) interval (INTERVAL);
            optional fixed_len_byte_array(2) half (FLOAT16);
          }
          """);

  /** Nested lists, maps and structs, in new and old forms. */
  public static final MessageType NESTED =
      MessageTypeParser.parseMessageType(
          """
          message nested {
            required int64 id;
            optional group numbers (LIST) {
              repeated group list {
                optional int32 element;
              }
            }
            optional group names (MAP) {
              repeated group key_value {
                required binary key (STRING);
                optional group value {
                  optional double weight;
                  required group tags (LIST) {
                    repeated group list {
                      required binary element (STRING);
                    }
                  }
                }
              }
            }
            optional group old (LIST) {
              repeated int64 array;
            }
            repeated group bag {
              optional int32 a;
              required group inner {
                optional binary b (STRING);
              }
            }
            repeated binary words (STRING);
            optional group deep (LIST) {
              repeated group list {
                optional group element (LIST) {
                  repeated group list {
                    optional int64 element;
                  }
                }
              }
            }
          }
          """);

  private TestSchemas() {}
}
