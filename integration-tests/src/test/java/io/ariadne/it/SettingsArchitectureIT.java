package io.ariadne.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.ariadne.testing.InEveryBuild;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Checks who reads settings. Only {@code plugin.config} reads Ariadne's settings. It also reads the
 * settings of Spark that size a process. The other settings of Spark are read by the classes that
 * do what Spark does under them.
 */
@InEveryBuild
class SettingsArchitectureIT {
  private static final String CONFIG = "io.ariadne.plugin.config";
  private static final String KEY = CONFIG + ".ConfigKey";
  private static final String PREFIX = "spark.ariadne.";

  /** Spark's classes of settings; a call of one of their methods reads settings. */
  private static final Set<String> SETTINGS =
      Set.of(
          "org.apache.spark.SparkConf",
          "org.apache.spark.sql.RuntimeConfig",
          "org.apache.spark.sql.internal.SQLConf",
          "org.apache.spark.sql.internal.SQLConf$");

  /** Classes outside plugin.config that read Spark's own settings, and why. */
  private static final Map<String, String> READERS =
      Map.ofEntries(
          Map.entry("AriadneDriverPlugin", "appends its extensions to spark.sql.extensions"),
          Map.entry("BlockShuffle", "readers fetch ranges of partitions as Spark's readers do"),
          Map.entry("BroadcastTranslation", "Spark's serializer writes broadcasts"),
          Map.entry("CoarsePartitions", "partitions of files are as large as Spark's"),
          Map.entry("CsvRecords", "from_csv names its column of corrupt records"),
          Map.entry("ExchangeShuffles", "Spark may sort before a round-robin exchange"),
          Map.entry("FragmentExecutor", "expressions are bound under the settings of the query"),
          Map.entry("GenerationErrors", "Spark's errors depend on whether it generates code"),
          Map.entry("NestedFields", "nested columns of Parquet are what Spark's reader returns"),
          Map.entry(
              "OnePartitionRule", "the user may ask for a number of partitions and limit results"),
          Map.entry("PartitionedPlan", "the user may disable adaptive execution"),
          Map.entry("NetworkCheck", "is an application, with a name"),
          Map.entry("ParquetScans", "columns of Parquet are what Spark's reader returns"),
          Map.entry("RangeSampling", "range exchanges sample as many rows as Spark's"),
          Map.entry("ReadReplay", "Spark's reader words the errors of a scan"),
          Map.entry("ShuffleTransport", "executors fetch under the limits of Spark's transfer"),
          Map.entry("SparkLine", "Spark limits the size of a broadcast table"),
          Map.entry("StrategyPlanner", "Spark may remove executors that have no map outputs"),
          Map.entry("StringCasts", "the parser policy decides how strings become dates"),
          Map.entry("TaskSettings", "tasks run Spark's code under the settings of the query"));

  /** Those of them that read settings only on some Spark lines. */
  private static final Set<String> READERS_ON_SOME_LINES = Set.of("SparkLine");

  private static JavaClasses engine;

  @BeforeAll
  static void importClasses() throws IOException {
    String line = "target/spark-" + System.getProperty("ariadne.it.spark.line") + "/classes";
    try (Stream<Path> modules = Files.list(Path.of(System.getProperty("ariadne.it.root")))) {
      List<Path> folders =
          modules
              .filter(module -> !module.endsWith("benchmarks"))
              .flatMap(m -> Stream.of(m.resolve("target/classes"), m.resolve(line)))
              .filter(Files::isDirectory)
              .toList();
      engine = new ClassFileImporter().importPaths(folders);
    }
    assertTrue(engine.size() > 100, "only " + engine.size() + " classes found");
  }

  @Test
  void onlyPluginConfigReadsSettingsOfAriadne() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CONFIG)
        .should()
        .callMethod(KEY, "parse", String.class.getName())
        .check(engine);
  }

  @Test
  void onlyNamedClassesReadSettingsOfSpark() {
    Set<String> unnamed =
        readers()
            .map(SettingsArchitectureIT::outermost)
            .filter(name -> !READERS.containsKey(name))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        Set.of(), unnamed, "pass the setting to these classes, or name them with a reason");
  }

  @Test
  void everyNamedClassReadsSettingsOfSpark() {
    Set<String> idle = new TreeSet<>(READERS.keySet());
    idle.removeAll(readers().map(SettingsArchitectureIT::outermost).collect(Collectors.toSet()));
    idle.removeAll(READERS_ON_SOME_LINES);
    assertEquals(Set.of(), idle, "remove or rename these entries");
  }

  @Test
  void readersOfSparksSettingsDoNotNameSettingsOfAriadne() throws IOException {
    Set<String> naming = new TreeSet<>();
    for (JavaClass reader : readers().toList()) {
      byte[] code = Files.readAllBytes(Path.of(reader.getSource().orElseThrow().getUri()));
      if (new String(code, StandardCharsets.ISO_8859_1).contains(PREFIX)) {
        naming.add(reader.getName());
      }
    }
    assertEquals(Set.of(), naming, "only " + CONFIG + " reads " + PREFIX + "*");
  }

  /** Returns the classes outside plugin.config that read settings of Spark. */
  private static Stream<JavaClass> readers() {
    return engine.stream()
        .filter(type -> !type.getPackageName().equals(CONFIG))
        .filter(
            type ->
                type.getMethodCallsFromSelf().stream()
                    .anyMatch(call -> SETTINGS.contains(call.getTargetOwner().getName())));
  }

  private static String outermost(JavaClass type) {
    String name = type.getName().substring(type.getPackageName().length() + 1);
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
