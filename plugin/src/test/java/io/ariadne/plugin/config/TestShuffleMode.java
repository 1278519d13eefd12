package io.ariadne.plugin.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.shuffle.AriadneShuffleManager;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.package$;
import org.junit.jupiter.api.Test;

class TestShuffleMode {
  private static final String HOST_LOCAL = "spark.shuffle.readHostLocalDisk";

  private static SparkConf ours() {
    return new SparkConf(false).set("spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  private static ShuffleMode prepared(SparkConf conf) {
    ShuffleMode.prepare(conf);
    return ShuffleMode.of(conf);
  }

  @Test
  void sparksManagerIsTheDefault() {
    SparkConf conf = new SparkConf(false);
    ShuffleMode mode = prepared(conf);
    assertFalse(mode.isOurs());
    assertFalse(mode.keepsOutputs());
    assertFalse(conf.contains(HOST_LOCAL));
    assertEquals("shuffle through Spark's own manager", mode.description());
  }

  @Test
  void ariadnesManagerIsSetWhereTheUserHasNamedNone() {
    assertTrue(withManagerSet(new SparkConf(false)).keepsOutputs());
    SparkConf sorts = new SparkConf(false).set("spark.shuffle.manager", "sort");
    assertFalse(withManagerSet(sorts).isOurs());
    SparkConf files = new SparkConf(false).set("spark.shuffle.service.enabled", "true");
    assertFalse(withManagerSet(files).isOurs());
    String description = ShuffleMode.of(files).description();
    assertTrue(description.contains("in files: the external shuffle service"), description);
    SparkConf hostLocal = new SparkConf(false).set(HOST_LOCAL, "true");
    assertFalse(withManagerSet(hostLocal).isOurs());
    assertEquals("true", hostLocal.get(HOST_LOCAL));
  }

  private static ShuffleMode withManagerSet(SparkConf conf) {
    ShuffleMode.setManager(conf);
    return prepared(conf);
  }

  @Test
  void outputsStayInMemory() {
    SparkConf conf = ours();
    ShuffleMode mode = prepared(conf);
    assertTrue(mode.keepsOutputs());
    assertEquals("false", conf.get(HOST_LOCAL));
    assertEquals("shuffle through Ariadne's manager, map outputs in memory", mode.description());
  }

  @Test
  void usesFilesWhenASettingRequiresThem() {
    assertInFiles(ours().set("spark.shuffle.service.enabled", "true"), "external shuffle service");
    assertInFiles(ours().set("spark.shuffle.useOldFetchProtocol", "true"), "useOldFetchProtocol");
    assertInFiles(ours().set("spark.shuffle.sort.io.plugin.class", "some.Io"), "some.Io");
    assertInFiles(ours().set("spark.ariadne.memory.spill.directories", "none"), "directories=none");
  }

  /** Spark enables the last of the three settings that make executors migrate blocks. */
  @Test
  void usesFilesWhenDecommissionedExecutorsMigrateThem() {
    String blocks = "spark.storage.decommission.shuffleBlocks.enabled";
    assertInFiles(decommissioned().set(blocks, "true"), blocks);
    assertInFiles(decommissioned(), blocks);
    assertTrue(prepared(decommissioned().set(blocks, "false")).keepsOutputs());
    assertTrue(prepared(ours().set("spark.decommission.enabled", "true")).keepsOutputs());
    assertTrue(prepared(ours().set("spark.storage.decommission.enabled", "true")).keepsOutputs());
    assertEquals(
        "true",
        package$.MODULE$.STORAGE_DECOMMISSION_SHUFFLE_BLOCKS_ENABLED().defaultValueString());
    assertEquals("false", package$.MODULE$.DECOMMISSION_ENABLED().defaultValueString());
    assertEquals("false", package$.MODULE$.STORAGE_DECOMMISSION_ENABLED().defaultValueString());
  }

  private static SparkConf decommissioned() {
    return ours()
        .set("spark.decommission.enabled", "true")
        .set("spark.storage.decommission.enabled", "true");
  }

  private static void assertInFiles(SparkConf conf, String why) {
    ShuffleMode mode = prepared(conf);
    assertTrue(mode.isOurs());
    assertFalse(mode.keepsOutputs());
    assertFalse(conf.contains(HOST_LOCAL), "row shuffles lose nothing");
    assertTrue(mode.description().contains("in files: "), mode.description());
    assertTrue(mode.description().contains(why), mode.description());
  }

  /** What the user has decided stays. */
  @Test
  void explainsFilesWhenHostLocalReadsAreOn() {
    SparkConf conf = ours().set(HOST_LOCAL, "true");
    ShuffleMode mode = prepared(conf);
    assertFalse(mode.keepsOutputs());
    assertTrue(mode.description().contains(HOST_LOCAL), mode.description());
    assertEquals("true", conf.get(HOST_LOCAL));
  }
}
