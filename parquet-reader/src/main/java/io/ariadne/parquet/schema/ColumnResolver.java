package io.ariadne.parquet.schema;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.LogicalKind;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.metadata.Repetition;
import io.ariadne.parquet.metadata.SchemaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Finds requested columns in one file's schema. Immutable.
 *
 * <p>Looks up names and field ids like {@code ParquetReadSupport.clipParquetSchema}, interprets
 * groups, including old forms of lists, like {@code ParquetToSparkSchemaConverter}, and converts
 * types like {@code ParquetVectorUpdaterFactory} (Spark 3.5.8 and 4.1.3).
 */
public final class ColumnResolver {
  private static final int MAX_DECIMAL_BYTES = 32;

  private final FileMetadata metadata;
  private final ReadRules rules;
  private final Calendars calendars;
  private final ConversionRules conversions;

  /**
   * Creates a resolver.
   *
   * @param metadata the file's footer, with at least the columns that will be requested
   * @param rules the rules by which columns are found
   * @param calendars the calendars of the file's dates
   */
  public ColumnResolver(FileMetadata metadata, ReadRules rules, Calendars calendars) {
    this.metadata = metadata;
    this.rules = rules;
    this.calendars = calendars;
    this.conversions = new ConversionRules(rules.widensTypes());
  }

  /**
   * Finds a column by name, and its members by name.
   *
   * @param wanted name and type
   * @throws TypeMismatchException when the file's type cannot be read as the requested one
   * @throws EngineException USER when case is ignored and several fields have the name; UNSUPPORTED
   *     for what this reader cannot read
   */
  public ResolvedColumn byName(Field wanted) {
    return find(wanted, FieldIds.BY_NAME);
  }

  /**
   * Finds a column by its field id if it has one, else by name, and its members likewise.
   *
   * @param wanted name and type; the name of a field with an id is ignored
   * @param ids the ids
   * @throws TypeMismatchException when the file's type cannot be read as the requested one
   * @throws EngineException USER when several fields have the id or, if case is ignored, the name;
   *     UNSUPPORTED for what this reader cannot read
   */
  public ResolvedColumn find(Field wanted, FieldIds ids) {
    SchemaNode node = find(metadata.root(), wanted, ids);
    return node == null
        ? new ResolvedColumn.Missing(wanted.type())
        : resolve(node, wanted.type(), ids);
  }

  /** Returns the field of a group, null when there is none. */
  private SchemaNode find(SchemaNode group, Field wanted, FieldIds ids) {
    return ids.hasId() ? withId(group, ids.id()) : named(group, wanted.name());
  }

  private static SchemaNode withId(SchemaNode group, int id) {
    List<SchemaNode> found =
        group.children().stream()
            .filter(node -> node.hasFieldId() && node.fieldId() == id)
            .toList();
    if (found.size() > 1) {
      throw new EngineException(
          ErrorCode.USER,
          "Found duplicate field(s) \"" + id + "\": " + names(found) + " in id mapping mode");
    }
    return found.isEmpty() ? null : found.get(0);
  }

  private static String names(List<SchemaNode> nodes) {
    return nodes.stream().map(SchemaNode::name).collect(Collectors.joining(", ", "[", "]"));
  }

  /**
   * Returns the field of a group with a name, null when there is none. Of several equal names the
   * last one wins.
   */
  private SchemaNode named(SchemaNode group, String name) {
    String key = key(name);
    List<SchemaNode> found =
        group.children().stream().filter(node -> key(node.name()).equals(key)).toList();
    if (found.size() > 1 && !rules.isCaseSensitive()) {
      throw new EngineException(
          ErrorCode.USER,
          "Found duplicate field(s) \""
              + name
              + "\": "
              + names(found)
              + " in case-insensitive mode");
    }
    return found.isEmpty() ? null : found.get(found.size() - 1);
  }

  private String key(String name) {
    return rules.isCaseSensitive() ? name : name.toLowerCase(Locale.ROOT);
  }

  /** Resolves a field of a group. A repeated field is a list of its own. */
  private ResolvedColumn resolve(SchemaNode node, DataType wanted, FieldIds ids) {
    if (wanted == PrimitiveType.NULL) {
      return new ResolvedColumn.Missing(wanted);
    }
    if (node.repetition() != Repetition.REPEATED) {
      return content(node, wanted, ids);
    }
    if (!(wanted instanceof ListType list)) {
      throw otherShape(node, wanted);
    }
    ResolvedColumn element = content(node, list.element(), ids.at(0));
    return isMissing(element)
        ? new ResolvedColumn.Missing(wanted)
        : new ResolvedColumn.Repeated(null, node, list, element);
  }

  /** Resolves a field whose repetition has been handled. */
  private ResolvedColumn content(SchemaNode node, DataType wanted, FieldIds ids) {
    if (node.isLeaf()) {
      return leaf(node, wanted);
    }
    return switch (kindOf(node)) {
      case NONE -> {
        if (!(wanted instanceof StructType struct)) {
          throw otherShape(node, wanted);
        }
        yield struct(node, struct, ids);
      }
      case LIST -> {
        if (!(wanted instanceof ListType list)) {
          throw otherShape(node, wanted);
        }
        yield list(node, list, ids);
      }
      case MAP, MAP_KEY_VALUE -> {
        if (!(wanted instanceof MapType map)) {
          throw otherShape(node, wanted);
        }
        yield map(node, map, ids);
      }
      default -> throw unsupported(node, "annotation of a group");
    };
  }

  private LogicalKind kindOf(SchemaNode group) {
    LogicalKind kind = group.annotation().kind();
    return kind == LogicalKind.VARIANT && rules.readsVariantsAsStructs() ? LogicalKind.NONE : kind;
  }

  private ResolvedColumn leaf(SchemaNode node, DataType wanted) {
    LeafConversion conversion = conversions.find(node, wanted);
    if (conversion == null) {
      boolean isClipped = ClippedTypes.contain(wanted);
      throw new TypeMismatchException(metadata.file(), node, wanted, isClipped);
    }
    boolean isFixedDecimal =
        node.kind() == PhysicalKind.FIXED_LEN_BYTE_ARRAY && conversion.conversion() != null;
    if (isFixedDecimal && (node.typeLength() == 0 || node.typeLength() > MAX_DECIMAL_BYTES)) {
      throw unsupported(node, "decimals of " + node.typeLength() + " bytes");
    }
    return new ResolvedColumn.Leaf(
        node,
        wanted,
        conversion.layout(),
        conversion.conversion(),
        conversion.scale(),
        calendars.of(conversion.calendar()));
  }

  private ResolvedColumn struct(SchemaNode node, StructType wanted, FieldIds ids) {
    List<ResolvedColumn> members = new ArrayList<>();
    for (Field field : wanted.fields()) {
      FieldIds own = ids.at(members.size());
      SchemaNode member = find(node, field, own);
      members.add(
          member == null
              ? new ResolvedColumn.Missing(field.type())
              : resolve(member, field.type(), own));
    }
    boolean needsWitness = members.stream().allMatch(ColumnResolver::isMissing);
    if (needsWitness && rules.nullsEmptyStructs()) {
      return new ResolvedColumn.Missing(wanted);
    }
    return new ResolvedColumn.Struct(node, wanted, members, needsWitness ? witness(node) : null);
  }

  private static boolean isMissing(ResolvedColumn column) {
    return column instanceof ResolvedColumn.Missing;
  }

  /** Returns the leaf below a group that tells most cheaply where the group is null. */
  private SchemaNode witness(SchemaNode node) {
    SchemaNode best = null;
    for (SchemaNode child : node.children()) {
      SchemaNode leaf = child.isLeaf() ? child : witness(child);
      if (best == null || cost(leaf) < cost(best)) {
        best = leaf;
      }
    }
    if (best == null) {
      throw unsupported(node, "group without fields");
    }
    return best;
  }

  private static int cost(SchemaNode leaf) {
    int width = leaf.kind().widthInBytes();
    boolean isBytes =
        leaf.kind() == PhysicalKind.BYTE_ARRAY || leaf.kind() == PhysicalKind.FIXED_LEN_BYTE_ARRAY;
    return leaf.maxRepetitionLevel() * 64 + (isBytes ? 32 : Math.max(width, 1));
  }

  private ResolvedColumn list(SchemaNode node, ListType wanted, FieldIds ids) {
    SchemaNode repeated = onlyRepeatedChild(node);
    ResolvedColumn element;
    if (isElement(repeated, node.name())) {
      element = content(repeated, wanted.element(), ids.at(0));
    } else {
      SchemaNode child = repeated.children().get(0);
      if (child.repetition() == Repetition.REPEATED) {
        throw unsupported(child, "repeated element of a list");
      }
      element = resolve(child, wanted.element(), ids.at(0));
    }
    return isMissing(element)
        ? new ResolvedColumn.Missing(wanted) // the struct itself is missing
        : new ResolvedColumn.Repeated(node, repeated, wanted, element);
  }

  private SchemaNode onlyRepeatedChild(SchemaNode node) {
    boolean isValid =
        node.children().size() == 1 && node.children().get(0).repetition() == Repetition.REPEATED;
    if (!isValid) {
      throw unsupported(node, "list or map without one repeated field");
    }
    return node.children().get(0);
  }

  /** Returns whether a repeated field is the element itself: two-level lists of old writers. */
  private static boolean isElement(SchemaNode repeated, String listName) {
    return repeated.isLeaf()
        || repeated.children().size() != 1
        || repeated.name().equals("array")
        || repeated.name().equals(listName + "_tuple");
  }

  private ResolvedColumn map(SchemaNode node, MapType wanted, FieldIds ids) {
    SchemaNode repeated = onlyRepeatedChild(node);
    if (repeated.isLeaf() || repeated.children().size() != 2) {
      throw unsupported(node, "map without key and value");
    }
    SchemaNode key = repeated.children().get(0);
    SchemaNode value = repeated.children().get(1);
    if (key.repetition() == Repetition.REPEATED || value.repetition() == Repetition.REPEATED) {
      throw unsupported(node, "repeated key or value of a map");
    }
    ResolvedColumn keys = resolve(key, wanted.key(), ids.at(0));
    ResolvedColumn values = resolve(value, wanted.value(), ids.at(1));
    return isMissing(keys) && isMissing(values)
        ? new ResolvedColumn.Missing(wanted)
        : new ResolvedColumn.KeyValue(node, repeated, wanted, keys, values);
  }

  private TypeMismatchException otherShape(SchemaNode node, DataType wanted) {
    return new TypeMismatchException(metadata.file(), node, wanted, true);
  }

  private EngineException unsupported(SchemaNode node, String what) {
    boolean isUnknown = node.annotation().kind() == LogicalKind.UNRECOGNISED;
    return new EngineException(
        ErrorCode.UNSUPPORTED,
        what
            + (isUnknown ? " this reader does not know" : "")
            + ": "
            + node
            + ", in "
            + metadata.file());
  }
}
