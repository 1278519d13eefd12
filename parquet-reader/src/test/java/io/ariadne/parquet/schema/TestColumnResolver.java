package io.ariadne.parquet.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.metadata.FileMetadata;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestColumnResolver {
  private static final DataType INT32 = PrimitiveType.INT32;
  private static final DataType STRING = PrimitiveType.STRING;
  private static final ListType INTS = new ListType(INT32, true);

  private static StructType struct(String name, DataType type) {
    return new StructType(List.of(new Field(name, type, true)));
  }

  private static ResolvedColumn resolve(String fields, String name, DataType type) {
    return resolve(FileSchemas.of(fields), ReadRules.spark4(false), name, type);
  }

  private static ResolvedColumn resolve(
      FileMetadata file, ReadRules rules, String name, DataType type) {
    Calendars calendars = Calendars.of(file, RebaseMode.CORRECTED, RebaseMode.CORRECTED, null);
    return new ColumnResolver(file, rules, calendars).byName(new Field(name, type, true));
  }

  private static ResolvedColumn.Leaf leaf(ResolvedColumn column) {
    return assertInstanceOf(ResolvedColumn.Leaf.class, column);
  }

  @Test
  void findsNamesIgnoringCase() {
    FileMetadata file = FileSchemas.of("required int32 a; optional int32 B; required int32 b;");
    ReadRules ignoring = ReadRules.spark4(false);
    assertEquals("a", leaf(resolve(file, ignoring, "A", INT32)).leaf().name());
    assertInstanceOf(ResolvedColumn.Missing.class, resolve(file, ignoring, "c", INT32));
    EngineException e =
        assertThrows(EngineException.class, () -> resolve(file, ignoring, "b", INT32));
    assertEquals(ErrorCode.USER, e.code());
    assertEquals("Found duplicate field(s) \"b\": [B, b] in case-insensitive mode", e.getMessage());
  }

  @Test
  void findsNamesWithCase() {
    FileMetadata file = FileSchemas.of("required int32 a; optional int32 B; required int32 b;");
    ReadRules exact = ReadRules.spark4(true);
    assertEquals("B", leaf(resolve(file, exact, "B", INT32)).leaf().name());
    assertEquals("b", leaf(resolve(file, exact, "b", INT32)).leaf().name());
    assertInstanceOf(ResolvedColumn.Missing.class, resolve(file, exact, "A", INT32));
  }

  @Test
  void findsColumnsByFieldId() {
    FileMetadata file = FileSchemas.of("required int32 a = 4; optional int32 b = 5;");
    Calendars calendars = Calendars.of(file, RebaseMode.CORRECTED, RebaseMode.CORRECTED, null);
    ColumnResolver resolver = new ColumnResolver(file, ReadRules.spark4(false), calendars);
    Field wanted = new Field("b", INT32, true);
    assertEquals("a", leaf(resolver.find(wanted, FieldIds.of(4))).leaf().name());
    assertEquals("b", leaf(resolver.find(wanted, FieldIds.of(5))).leaf().name());
    assertInstanceOf(ResolvedColumn.Missing.class, resolver.find(wanted, FieldIds.of(6)));
  }

  @Test
  void findsMembersByFieldId() {
    FileMetadata file =
        FileSchemas.of(
            "optional group s = 1 { optional int32 a = 2; optional int32 b = 3; }"
                + " optional group l (LIST) { repeated group list { optional group element {"
                + " optional int32 a = 2; optional int32 b = 3; } } }"
                + " optional group m (MAP) { repeated group key_value { required int32 key;"
                + " optional group value { optional int32 a = 2; optional int32 b = 3; } } }");
    Calendars calendars = Calendars.of(file, RebaseMode.CORRECTED, RebaseMode.CORRECTED, null);
    ColumnResolver resolver = new ColumnResolver(file, ReadRules.spark4(false), calendars);
    StructType wanted =
        new StructType(List.of(new Field("a", INT32, true), new Field("x", INT32, true)));
    FieldIds crossed = new FieldIds(FieldIds.NONE, List.of(FieldIds.of(3), FieldIds.of(9)));
    var struct =
        assertInstanceOf(
            ResolvedColumn.Struct.class,
            resolver.find(new Field("?", wanted, true), new FieldIds(1, crossed.inside())));
    assertMembers(struct);
    var list =
        assertInstanceOf(
            ResolvedColumn.Repeated.class,
            resolver.find(
                new Field("l", new ListType(wanted, true), true),
                new FieldIds(FieldIds.NONE, List.of(crossed))));
    assertMembers(list.element());
    var map =
        assertInstanceOf(
            ResolvedColumn.KeyValue.class,
            resolver.find(
                new Field("m", new MapType(INT32, wanted, true), true),
                new FieldIds(FieldIds.NONE, List.of(FieldIds.BY_NAME, crossed))));
    assertMembers(map.value());
  }

  /** The member requested as "a" has the id of "b"; the other member's id does not exist. */
  private static void assertMembers(ResolvedColumn column) {
    var struct = assertInstanceOf(ResolvedColumn.Struct.class, column);
    assertEquals("b", leaf(struct.members().get(0)).leaf().name());
    assertInstanceOf(ResolvedColumn.Missing.class, struct.members().get(1));
  }

  @Test
  void rejectsDuplicateFieldIds() {
    FileMetadata file = FileSchemas.of("required int32 a = 4; optional int32 b = 4;");
    Calendars calendars = Calendars.of(file, RebaseMode.CORRECTED, RebaseMode.CORRECTED, null);
    ColumnResolver resolver = new ColumnResolver(file, ReadRules.spark4(false), calendars);
    EngineException e =
        assertThrows(
            EngineException.class,
            () -> resolver.find(new Field("a", INT32, true), FieldIds.of(4)));
    assertEquals("Found duplicate field(s) \"4\": [a, b] in id mapping mode", e.getMessage());
  }

  @Test
  void resolvesThreeLevelLists() {
    var list =
        assertInstanceOf(
            ResolvedColumn.Repeated.class,
            resolve(
                "optional group l (LIST) { repeated group list { optional int32 element; } }",
                "l",
                INTS));
    assertEquals(1, list.presentLevel());
    assertEquals(2, list.repeated().maxDefinitionLevel());
    assertEquals(3, leaf(list.element()).leaf().maxDefinitionLevel());
    assertEquals(1, leaf(list.element()).leaf().maxRepetitionLevel());
  }

  @Test
  void resolvesTwoLevelLists() {
    for (String repeated :
        List.of(
            "repeated int32 array;",
            "repeated group array { required int32 x; }",
            "repeated group l_tuple { required int32 x; }",
            "repeated group element { required int32 x; required int32 y; }")) {
      boolean isLeaf = repeated.contains("int32 array");
      DataType element = isLeaf ? INT32 : struct("x", INT32);
      var list =
          assertInstanceOf(
              ResolvedColumn.Repeated.class,
              resolve(
                  "optional group l (LIST) { " + repeated + " }",
                  "l",
                  new ListType(element, false)));
      assertEquals(1, list.presentLevel());
      assertEquals(2, list.repeated().maxDefinitionLevel());
      if (isLeaf) {
        assertEquals(list.repeated(), leaf(list.element()).leaf());
      } else {
        var struct = assertInstanceOf(ResolvedColumn.Struct.class, list.element());
        assertEquals(list.repeated(), struct.group());
      }
    }
  }

  @Test
  void groupOfOneFieldIsNotTheElement() {
    var list =
        assertInstanceOf(
            ResolvedColumn.Repeated.class,
            resolve(
                "optional group l (LIST) { repeated group bag { optional int32 array; } }",
                "l",
                INTS));
    assertEquals("l.bag.array", leaf(list.element()).leaf().path());
  }

  @Test
  void repeatedFieldWithoutAnnotationIsAList() {
    var list =
        assertInstanceOf(ResolvedColumn.Repeated.class, resolve("repeated int32 r;", "r", INTS));
    assertNull(list.group());
    assertEquals(0, list.presentLevel());
    assertEquals(1, list.repeated().maxDefinitionLevel());
    assertThrows(TypeMismatchException.class, () -> resolve("repeated int32 r;", "r", INT32));
  }

  @Test
  void resolvesMaps() {
    MapType type = new MapType(STRING, INT32, true);
    for (String group :
        List.of(
            "(MAP) { repeated group key_value { required binary key (STRING); "
                + "optional int32 value; } }",
            "(MAP) { repeated group map (MAP_KEY_VALUE) { required binary k (STRING); "
                + "optional int32 v; } }",
            "(MAP_KEY_VALUE) { repeated group map { required binary k (STRING); "
                + "optional int32 v; } }")) {
      var map =
          assertInstanceOf(
              ResolvedColumn.KeyValue.class, resolve("optional group m " + group, "m", type));
      assertEquals(2, leaf(map.key()).leaf().maxDefinitionLevel());
      assertEquals(3, leaf(map.value()).leaf().maxDefinitionLevel());
      assertEquals(2, map.repeated().maxDefinitionLevel());
    }
    EngineException e =
        assertThrows(
            EngineException.class,
            () ->
                resolve(
                    "optional group m (MAP) { repeated group kv { required int32 key; } }",
                    "m",
                    type));
    assertEquals(ErrorCode.UNSUPPORTED, e.code());
  }

  @Test
  void prunesStructs() {
    FileMetadata file =
        FileSchemas.of(
            "optional group s { required int32 a; optional group t { optional int64 X; } "
                + "optional binary z; }");
    StructType inner = struct("x", PrimitiveType.INT64);
    StructType type =
        new StructType(
            List.of(
                new Field("t", inner, true),
                new Field("none", INT32, true),
                new Field("A", INT32, true)));
    var struct =
        assertInstanceOf(
            ResolvedColumn.Struct.class, resolve(file, ReadRules.spark4(false), "s", type));
    assertNull(struct.witness());
    var t = assertInstanceOf(ResolvedColumn.Struct.class, struct.members().get(0));
    assertEquals("s.t.X", leaf(t.members().get(0)).leaf().path());
    assertInstanceOf(ResolvedColumn.Missing.class, struct.members().get(1));
    assertEquals("s.a", leaf(struct.members().get(2)).leaf().path());
  }

  @Test
  void resolvesStructsWithoutAnyRequestedMember() {
    FileMetadata file =
        FileSchemas.of(
            "optional group s { optional binary z; repeated boolean many; optional int64 l; }");
    StructType type = struct("none", INT32);
    var struct =
        assertInstanceOf(
            ResolvedColumn.Struct.class, resolve(file, ReadRules.spark4(false), "s", type));
    assertEquals("s.l", struct.witness().path());
    assertInstanceOf(
        ResolvedColumn.Missing.class, resolve(file, ReadRules.spark35(false), "s", type));
  }

  @Test
  void columnWithOnlyMissingMembersIsMissingInSpark35() {
    FileMetadata file =
        FileSchemas.of(
            "optional group s { optional group t { optional int32 a; } }"
                + " optional group l (LIST) { repeated group list { optional group element {"
                + " optional int32 a; } } }"
                + " optional group m (MAP) { repeated group key_value { required int32 key;"
                + " optional group value { optional int32 a; } } }");
    StructType none = struct("none", INT32);
    DataType map = new MapType(INT32, none, true);
    for (ReadRules rules : List.of(ReadRules.spark35(false), ReadRules.spark4(false))) {
      boolean isMissing = rules.nullsEmptyStructs();
      assertEquals(isMissing, isMissing(resolve(file, rules, "s", struct("t", none))));
      assertEquals(isMissing, isMissing(resolve(file, rules, "l", new ListType(none, true))));
      var entries = assertInstanceOf(ResolvedColumn.KeyValue.class, resolve(file, rules, "m", map));
      assertEquals(isMissing, isMissing(entries.value()));
    }
  }

  private static boolean isMissing(ResolvedColumn column) {
    return column instanceof ResolvedColumn.Missing;
  }

  @Test
  void mismatchNamesTheDifference() {
    FileMetadata file = FileSchemas.of("optional group s { optional binary a (STRING); }");
    TypeMismatchException e = mismatch(file, "s", struct("a", INT32));
    assertFalse(e.isOfShape());
    for (String part : List.of("schema.parquet", "column s.a ", "BYTE_ARRAY", " as int")) {
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
    assertTrue(mismatch(file, "s", INTS).isOfShape());
    assertTrue(mismatch(file, "s", STRING).isOfShape());
  }

  /** Spark requires a group only where it looks for members. */
  @Test
  void leavesRequestedAsGroupsAreMismatches() {
    FileMetadata file = FileSchemas.of("optional int32 a;");
    StructType struct = struct("x", INT32);
    assertFalse(mismatch(file, "a", INTS).isOfShape());
    assertFalse(mismatch(file, "a", new MapType(STRING, INT32, true)).isOfShape());
    assertTrue(mismatch(file, "a", struct).isOfShape());
    assertTrue(mismatch(file, "a", new ListType(struct, true)).isOfShape());
    assertTrue(mismatch(file, "a", new ListType(INTS, true)).isOfShape());
    assertTrue(mismatch(file, "a", new MapType(STRING, struct, true)).isOfShape());
  }

  private static TypeMismatchException mismatch(FileMetadata file, String name, DataType wanted) {
    return assertThrows(
        TypeMismatchException.class, () -> resolve(file, ReadRules.spark4(false), name, wanted));
  }
}
