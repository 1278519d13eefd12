package io.ariadne.plugin.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class TestExecutorCores {
  private static final int PROCESSORS = 32;

  private static SparkConf conf(String master) {
    return new SparkConf(false).set("spark.master", master);
  }

  private static int slots(SparkConf conf) {
    return ExecutorCores.taskSlots(conf, PROCESSORS);
  }

  @Test
  void onlyLocalModeRunsInTheDriver() {
    assertTrue(ExecutorCores.isLocal("local"));
    assertTrue(ExecutorCores.isLocal("local[*]"));
    assertFalse(ExecutorCores.isLocal("local-cluster[1,1,1024]"));
    assertFalse(ExecutorCores.isLocal("yarn"));
  }

  @Test
  void coresAreSparksDefaultsForEachMaster() {
    assertEquals(1, slots(conf("yarn")));
    assertEquals(1, slots(conf("k8s://https://host:6443")));
    assertEquals(PROCESSORS, slots(conf("spark://host:7077")));
    assertEquals(3, slots(conf("local-cluster[2, 3, 1024]")));
    assertEquals(1, slots(conf("local")));
    assertEquals(5, slots(conf("local[5]")));
    assertEquals(PROCESSORS, slots(new SparkConf(false)));
  }

  @Test
  void theSettingWins() {
    for (String master : new String[] {"yarn", "spark://host:7077", "local-cluster[2,8,1024]"}) {
      assertEquals(4, slots(conf(master).set("spark.executor.cores", "4")), master);
    }
  }

  @Test
  void aTaskMayTakeSeveralCores() {
    SparkConf conf = conf("yarn").set("spark.executor.cores", "8").set("spark.task.cpus", "3");
    assertEquals(2, slots(conf));
    assertEquals(1, slots(conf("local[2]").set("spark.task.cpus", "3")));
  }
}
