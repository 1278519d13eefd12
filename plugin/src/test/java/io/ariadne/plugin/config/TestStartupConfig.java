package io.ariadne.plugin.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.BackendChoice;
import io.ariadne.io.cache.RangeCacheConfig;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillOptions.Compression;
import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** Settings are checked before anything starts, and messages say what to write instead. */
class TestStartupConfig {
  @Test
  void everySettingHasADefault() {
    StartupConfig config = StartupConfig.of(Map.of());
    assertTrue(config.required());
    assertEquals(BackendChoice.AUTO, config.backend());
    assertEquals(OptionalLong.empty(), config.memorySizeInBytes());
    assertEquals(OptionalInt.empty(), config.computeThreads());
    assertEquals(Optional.empty(), config.spill().directories());
    assertFalse(config.spill().direct());
    assertEquals(OptionalDouble.empty(), config.gpu().allocFraction());
    assertEquals(FatalGpuError.FALLBACK, config.gpu().onFatalError());
  }

  @Test
  void valuesAreRead() {
    StartupConfig config =
        StartupConfig.of(
            Map.of(
                "spark.ariadne.required", "false",
                "spark.ariadne.backend", "CPU",
                "spark.ariadne.memory.size", "2g",
                "spark.ariadne.compute.threads", "3",
                "spark.ariadne.memory.gpu.allocFraction", "0.5",
                "spark.ariadne.gpu.onFatalError", "exit",
                "spark.ariadne.memory.spill.directories", "/a, /b",
                "spark.ariadne.memory.spill.compression", "never",
                "spark.ariadne.memory.spill.direct", "true"));
    assertFalse(config.required());
    assertEquals(BackendChoice.CPU, config.backend());
    assertEquals(OptionalLong.of(2L << 30), config.memorySizeInBytes());
    assertEquals(OptionalInt.of(3), config.computeThreads());
    assertEquals(new StartupConfig.Gpu(OptionalDouble.of(0.5), FatalGpuError.EXIT), config.gpu());
    assertEquals(
        new StartupConfig.Spill(
            Optional.of(List.of(Path.of("/a"), Path.of("/b"))), Compression.NEVER, true),
        config.spill());
  }

  @Test
  void invalidValueNamesTheValidOnes() {
    assertEquals(
        "spark.ariadne.backend=gpu is not valid; valid values: auto, cpu, cuda, simulated",
        failure(Map.of("spark.ariadne.backend", "gpu")));
    assertEquals(
        "spark.ariadne.memory.size=1m is not valid; valid values: auto, or a size such as 4g, at"
            + " least 64m",
        failure(Map.of("spark.ariadne.memory.size", "1m")));
    assertEquals(
        "spark.ariadne.memory.gpu.allocFraction=1.5 is not valid; valid values: auto, or a number"
            + " above 0 and at most 1",
        failure(Map.of("spark.ariadne.memory.gpu.allocFraction", "1.5")));
    assertEquals(
        "spark.ariadne.gpu.onFatalError=retry is not valid; valid values: fallback, exit",
        failure(Map.of("spark.ariadne.gpu.onFatalError", "retry")));
    assertTrue(
        failure(Map.of("spark.ariadne.disable", "FilterExec,Nonsense"))
            .startsWith("spark.ariadne.disable=FilterExec,Nonsense is not valid"));
  }

  @Test
  void spillsToSparksDirectoriesUnlessConfigured() {
    SparkConf conf = new SparkConf(false);
    StartupConfig.Spill settings = StartupConfig.of(Map.of()).spill();
    File[] sparks = {new File("/disk1/blocks"), new File("/disk2/blocks")};
    DiskSpillOptions options = SpillPlaces.of(conf, settings, sparks);
    assertEquals(
        List.of(Path.of("/disk1/blocks/ariadne-spill"), Path.of("/disk2/blocks/ariadne-spill")),
        options.directories());
    assertEquals(0, options.encryptionKeyBits());
    conf.set("spark.io.encryption.enabled", "true");
    conf.set("spark.io.encryption.keySizeBits", "256");
    assertEquals(256, SpillPlaces.of(conf, settings, sparks).encryptionKeyBits());
    String key = "spark.ariadne.memory.spill.directories";
    assertNull(SpillPlaces.of(conf, StartupConfig.of(Map.of(key, "none")).spill(), sparks));
    assertEquals(
        List.of(Path.of("/fast")),
        SpillPlaces.of(conf, StartupConfig.of(Map.of(key, "/fast")).spill(), sparks).directories());
    assertEquals(
        key + "=here is not valid; valid values: auto, none, or absolute paths separated by commas",
        failure(Map.of(key, "here")));
  }

  @Test
  void cachesBesideSparksDirectoriesUnlessConfigured() {
    SparkConf conf = new SparkConf(false).set("spark.app.id", "app/1");
    File[] sparks = {new File("/disk1/blocks-a"), new File("/disk2/blocks-b")};
    assertNull(CachePlaces.of(conf, StartupConfig.of(Map.of()).cache(), sparks, null, 1L << 30));
    Map<String, String> set = new HashMap<>(Map.of("spark.ariadne.cache.size", "1g"));
    RangeCacheConfig config =
        CachePlaces.of(conf, StartupConfig.of(set).cache(), sparks, null, 1L << 30);
    assertEquals(
        List.of(Path.of("/disk1/ariadne-cache-app_1"), Path.of("/disk2/ariadne-cache-app_1")),
        config.directories());
    assertEquals(1L << 30, config.limitInBytes());
    assertEquals(16L << 20, config.stagingBytes());
    assertTrue(config.deletesAtEnd());
    assertNull(config.encryptionKey());
    set.put("spark.ariadne.cache.directories", "/fast");
    config = CachePlaces.of(conf, StartupConfig.of(set).cache(), sparks, new byte[16], 1L << 30);
    assertEquals(Path.of("/fast"), config.directories().get(0).getParent());
    assertFalse(config.deletesAtEnd());
    assertEquals(16, config.encryptionKey().getEncoded().length);
    assertTrue(failure(Map.of("spark.ariadne.cache.size", "5m")).contains("at least 64m"));
    assertTrue(failure(Map.of("spark.ariadne.cache.directories", "none")).contains("absolute"));
  }

  @Test
  void unknownKeyNamesTheClosestOne() {
    assertEquals(
        "unknown setting spark.ariadne.enable; did you mean spark.ariadne.enabled?",
        failure(Map.of("spark.ariadne.enable", "true")));
    assertEquals(
        "unknown setting spark.ariadne.query.flavour; docs/configs.md lists all keys",
        failure(Map.of("spark.ariadne.query.flavour", "ucx")));
  }

  @Test
  void distanceCountsEdits() {
    assertEquals(0, StartupConfig.distance("abc", "abc"));
    assertEquals(3, StartupConfig.distance("", "abc"));
    assertEquals(3, StartupConfig.distance("kitten", "sitting"));
  }

  @Test
  void keysAreFewAndDescribed() {
    assertTrue(ConfigKeys.ALL.size() < 40);
    ConfigKeys.ALL.forEach(
        key -> {
          assertTrue(key.name().startsWith(ConfigKeys.PREFIX), key.name());
          assertFalse(key.doc().isBlank(), key.name());
          assertFalse(key.validValues().isBlank(), key.name());
        });
  }

  private static String failure(Map<String, String> settings) {
    EngineException e = assertThrows(EngineException.class, () -> StartupConfig.of(settings));
    assertEquals(ErrorCode.CONFIGURATION, e.code());
    return e.getMessage();
  }
}
