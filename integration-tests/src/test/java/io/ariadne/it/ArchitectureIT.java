package io.ariadne.it;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.Architectures;
import io.ariadne.testing.InEveryBuild;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds the arrows of ARCHITECTURE.md over the classes of all modules. */
@InEveryBuild
class ArchitectureIT {
  /** Modules and their package roots below {@code io.ariadne}. */
  private static final Map<String, List<String>> PACKAGES =
      Map.ofEntries(
          Map.entry("columnar", List.of("columnar", "error", "io")),
          Map.entry("memory-spill", List.of("event", "memory", "spill", "io.cache")),
          Map.entry("gpu-ops", List.of("backend", "kernel", "expression", "operator")),
          Map.entry("parquet-reader", List.of("parquet")),
          Map.entry("gds-reader", List.of("io.gds", "io.local")),
          Map.entry("s3-reader", List.of("io.s3")),
          Map.entry(
              "shuffle-manager",
              List.of(
                  "shuffle.format",
                  "shuffle.codec",
                  "shuffle.catalog",
                  "shuffle.transport",
                  "shuffle.strategy",
                  "shuffle.spark")),
          Map.entry(
              "runtime",
              List.of(
                  "plan",
                  "pipeline",
                  "fragment",
                  "executor",
                  "compute",
                  "metrics",
                  "watch",
                  "example")),
          Map.entry("spark-bridge", List.of("bridge")),
          Map.entry("physical-rules", List.of("rules")),
          Map.entry("plugin", List.of("plugin")));

  private static JavaClasses engine;

  @BeforeAll
  static void importClasses() {
    Path root = Path.of(System.getProperty("ariadne.it.root"));
    String line = "target/spark-" + System.getProperty("ariadne.it.spark.line") + "/classes";
    List<Path> folders =
        PACKAGES.keySet().stream()
            .flatMap(
                m ->
                    Stream.of(
                        root.resolve(m).resolve("target/classes"), root.resolve(m).resolve(line)))
            .filter(Files::isDirectory)
            .toList();
    engine = new ClassFileImporter().importPaths(folders);
    Assertions.assertTrue(engine.size() > 100, "only " + engine.size() + " classes found");
  }

  private static String[] of(String... modules) {
    return Stream.of(modules)
        .flatMap(m -> PACKAGES.get(m).stream())
        .flatMap(p -> Stream.of("io.ariadne." + p, "io.ariadne." + p + ".."))
        .toArray(String[]::new);
  }

  @Test
  void modulesDependInOneDirection() {
    Architectures.LayeredArchitecture layers =
        Architectures.layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true);
    for (String module : PACKAGES.keySet()) {
      // io is columnar's, the packages below it belong to other modules; so with shuffle.
      String[] packages =
          switch (module) {
            case "columnar" ->
                new String[] {"io.ariadne.columnar..", "io.ariadne.error..", "io.ariadne.io"};
            case "plugin" -> new String[] {"io.ariadne.plugin..", "io.ariadne.shuffle"};
            default -> of(module);
          };
      layers = layers.layer(module).definedBy(packages);
    }
    layers
        .whereLayer("plugin")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("physical-rules")
        .mayOnlyBeAccessedByLayers("plugin")
        .whereLayer("runtime")
        .mayOnlyBeAccessedByLayers("shuffle-manager", "physical-rules", "plugin")
        .whereLayer("spark-bridge")
        .mayOnlyBeAccessedByLayers("shuffle-manager", "physical-rules", "plugin")
        .whereLayer("shuffle-manager")
        .mayOnlyBeAccessedByLayers("physical-rules", "plugin")
        .whereLayer("parquet-reader")
        .mayOnlyBeAccessedByLayers("physical-rules", "plugin")
        .whereLayer("gpu-ops")
        .mayOnlyBeAccessedByLayers(
            "parquet-reader",
            "gds-reader",
            "runtime",
            "shuffle-manager",
            "physical-rules",
            "plugin")
        .whereLayer("memory-spill")
        .mayOnlyBeAccessedByLayers(
            "gpu-ops",
            "parquet-reader",
            "gds-reader",
            "shuffle-manager",
            "runtime",
            "physical-rules",
            "plugin")
        .whereLayer("gds-reader")
        .mayOnlyBeAccessedByLayers("plugin")
        .whereLayer("s3-reader")
        .mayOnlyBeAccessedByLayers("plugin")
        .check(engine);
  }

  @Test
  void onlySparksModulesUseSpark() {
    noClasses()
        .that()
        .resideInAnyPackage(
            of(
                "columnar",
                "memory-spill",
                "gpu-ops",
                "parquet-reader",
                "runtime",
                "gds-reader",
                "s3-reader"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.spark..", "scala..")
        .check(engine);
    noClasses()
        .that()
        .resideInAnyPackage(of("parquet-reader"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.hadoop..", "org.apache.parquet..")
        .check(engine);
    noClasses()
        .that()
        .resideInAnyPackage("io.ariadne.shuffle..")
        .and()
        .resideOutsideOfPackages(
            "io.ariadne.shuffle.spark..", "io.ariadne.shuffle.transport.netty..")
        .and()
        .doNotHaveFullyQualifiedName("io.ariadne.shuffle.AriadneShuffleManager")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.spark..", "scala..")
        .check(engine);
  }

  @Test
  void operatorsAreMeasuredWithoutSpark() {
    noClasses()
        .that()
        .resideInAPackage("io.ariadne.benchmark.operators..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.spark..", "scala..", "io.ariadne.rules..")
        .check(new ClassFileImporter().importPackages("io.ariadne.benchmark.operators"));
  }

  @Test
  void benchmarkPackagesDependInOneDirection() {
    Architectures.layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("command")
        .definedBy("io.ariadne.benchmark.command")
        .layer("workload")
        .definedBy("io.ariadne.benchmark.workload")
        .layer("table")
        .definedBy("io.ariadne.benchmark.table")
        .layer("report")
        .definedBy("io.ariadne.benchmark.report")
        .layer("engine")
        .definedBy("io.ariadne.benchmark.engine")
        .layer("store")
        .definedBy("io.ariadne.benchmark.store")
        .layer("operators")
        .definedBy("io.ariadne.benchmark.operators")
        .layer("cloudsort")
        .definedBy("io.ariadne.benchmark.cloudsort")
        .whereLayer("store")
        .mayNotAccessAnyLayer()
        .whereLayer("command")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("operators")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("cloudsort")
        .mayOnlyBeAccessedByLayers("command")
        .whereLayer("workload")
        .mayOnlyBeAccessedByLayers("command")
        .whereLayer("table")
        .mayOnlyBeAccessedByLayers("command", "workload")
        .whereLayer("report")
        .mayOnlyBeAccessedByLayers("command", "workload", "cloudsort", "table")
        .whereLayer("engine")
        .mayOnlyBeAccessedByLayers("command", "workload", "cloudsort", "table", "report")
        .check(new ClassFileImporter().importPackages("io.ariadne.benchmark"));
  }

  @Test
  void onlyNamedPackagesUseForeignLibraries() {
    onlyIn("jcuda..", "io.ariadne.backend.cuda..");
    onlyIn("sun.misc..", "io.ariadne.columnar.buffer..");
    onlyIn("org.openucx..", "io.ariadne.shuffle.transport.ucx..");
    onlyIn("io.netty..", "io.ariadne.shuffle.transport.netty..");
    noClasses()
        .that()
        .resideInAPackage("io.ariadne.shuffle.transport.netty..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.apache.spark..")
                .and(not(resideInAPackage("org.apache.spark.network.."))))
        .check(engine);
    onlyIn("org.apache.hadoop.fs.s3a..", "io.ariadne.io.s3..");
  }

  private static void onlyIn(String library, String room) {
    noClasses()
        .that(resideInAnyPackage("io.ariadne..").and(not(resideInAnyPackage(room))))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .check(engine);
  }

  @Test
  void onlyOneClassUsesUnsafe() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.ariadne.columnar.buffer.Memory")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("sun.misc.Unsafe")
        .check(engine);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.ariadne.(**)").should().beFreeOfCycles().check(engine);
  }

  /** Memory is divided by the compute threads, which may be fewer than the machine's processors. */
  @Test
  void countsComputeThreadsInsteadOfProcessors() {
    noClasses()
        .that()
        .resideInAnyPackage(of("gpu-ops", "parquet-reader", "runtime"))
        .should()
        .callMethod(Runtime.class, "availableProcessors")
        .check(engine);
  }

  @Test
  void operatorsAndPlansKnowNoTasks() {
    noClasses()
        .that()
        .resideInAnyPackage("io.ariadne.plan..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.ariadne.fragment..",
            "io.ariadne.pipeline..",
            "io.ariadne.executor..",
            "io.ariadne.columnar.buffer..")
        .check(engine);
    noClasses()
        .that()
        .resideInAnyPackage("io.ariadne.operator..", "io.ariadne.expression..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.ariadne.backend.cuda..", "io.ariadne.backend.cpu..")
        .check(engine);
  }
}
