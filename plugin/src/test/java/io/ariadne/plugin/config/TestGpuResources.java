package io.ariadne.plugin.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.cuda.GpuRequest;
import io.ariadne.executor.DeviceMemoryShare;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.spark.SparkConf;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;

/** The GPU that Spark gives, and the part of its memory that follows from what is known. */
class TestGpuResources {
  private static final int PROCESSORS = 32;
  private static final GpuRequest GIVEN =
      GpuResources.request(
          Map.of("gpu", new ResourceInformation("gpu", new String[] {"GPU-8a5f", "1"})), "yarn");

  private static SparkConf conf(String master) {
    return new SparkConf(false).set("spark.master", master);
  }

  private static DeviceMemoryShare share(SparkConf conf, String... fraction) {
    OptionalDouble set =
        fraction.length == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of(Double.parseDouble(fraction[0]));
    StartupConfig.Gpu settings = new StartupConfig.Gpu(set, FatalGpuError.FALLBACK);
    return GpuResources.share(settings, conf, PROCESSORS);
  }

  @Test
  void requestsTheGpuThatSparkAssigns() {
    assertEquals(List.of("GPU-8a5f", "1"), GIVEN.addresses());
    assertEquals("spark.executor.resource.gpu.amount", GIVEN.origin());
    assertEquals(GpuRequest.ANY, GpuResources.request(Map.of(), "yarn"));
    Map<String, ResourceInformation> ofDriver =
        Map.of("gpu", new ResourceInformation("gpu", new String[] {"0"}));
    assertEquals(
        new GpuRequest(List.of("0"), "spark.driver.resource.gpu.amount"),
        GpuResources.request(ofDriver, "local[2]"));
  }

  @Test
  void localModeHasOneProcess() {
    assertEquals(1, share(conf("local[8]")).processes());
    assertEquals("local mode", share(conf("local")).reason());
  }

  /** Spark's defaults: all cores of a standalone worker, one on YARN and Kubernetes. */
  @Test
  void assumesSparksDefaultNumberOfCores() {
    assertEquals(1, share(conf("spark://host:7077")).processes());
    assertEquals(PROCESSORS, share(conf("yarn")).processes());
    assertEquals(PROCESSORS, share(conf("k8s://https://host:6443")).processes());
  }

  @Test
  void sharesTheGpuAmongTheExecutorsOfTheMachine() {
    SparkConf conf = conf("yarn");
    conf.set("spark.executor.cores", "8");
    assertEquals(4, share(conf).processes());
    assertEquals(
        "4 executors fit this machine; see spark.ariadne.memory.gpu.allocFraction",
        share(conf).reason());
    conf.set("spark.executor.cores", "64");
    assertEquals(1, share(conf).processes());
    assertEquals(3, share(conf("local-cluster[3, 2, 1024]")).processes());
    SparkConf small = conf("local-cluster[3,4,1024]").set("spark.executor.cores", "2");
    assertEquals(6, share(small).processes());
  }

  @Test
  void settingWins() {
    DeviceMemoryShare share = share(conf("yarn"), "0.25");
    assertEquals(OptionalDouble.of(0.25), share.ofFree());
    assertEquals("spark.ariadne.memory.gpu.allocFraction", share.reason());
  }
}
