package io.ariadne.plugin.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
          Map.of("gpu", new ResourceInformation("gpu", new String[] {"GPU-8a5f", "1"})));

  private static SparkConf conf(String master) {
    return new SparkConf(false).set("spark.master", master);
  }

  private static DeviceMemoryShare share(GpuRequest request, SparkConf conf, String... fraction) {
    OptionalDouble set =
        fraction.length == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of(Double.parseDouble(fraction[0]));
    StartupConfig.Gpu settings = new StartupConfig.Gpu(set, FatalGpuError.FALLBACK);
    return GpuResources.share(settings, request, conf, PROCESSORS);
  }

  @Test
  void testAddressesOfSpark() {
    assertEquals(List.of("GPU-8a5f", "1"), GIVEN.addresses());
    assertEquals("spark.executor.resource.gpu.amount", GIVEN.origin());
    assertEquals(GpuRequest.ANY, GpuResources.request(Map.of()));
  }

  @Test
  void testGpuOfItsOwn() {
    SparkConf conf = conf("spark://host:7077").set("spark.executor.cores", "4");
    assertEquals(1, share(GIVEN, conf).processes());
    assertEquals(1, share(GpuRequest.ANY, conf("local[8]")).processes());
    assertEquals("local mode", share(GpuRequest.ANY, conf("local")).reason());
  }

  @Test
  void testGpuThatExecutorsOfTheMachineShare() {
    SparkConf conf = conf("yarn");
    assertEquals(1, share(GpuRequest.ANY, conf).processes());
    conf.set("spark.executor.cores", "8");
    assertEquals(4, share(GpuRequest.ANY, conf).processes());
    assertEquals(
        "4 executors fit this machine; see spark.ariadne.memory.gpu.allocFraction",
        share(GpuRequest.ANY, conf).reason());
    conf.set("spark.executor.cores", "64");
    assertEquals(1, share(GpuRequest.ANY, conf).processes());
    assertEquals(3, share(GpuRequest.ANY, conf("local-cluster[3, 2, 1024]")).processes());
    SparkConf small = conf("local-cluster[3,4,1024]").set("spark.executor.cores", "2");
    assertEquals(6, share(GpuRequest.ANY, small).processes());
  }

  @Test
  void testSettingWins() {
    DeviceMemoryShare share = share(GIVEN, conf("yarn"), "0.25");
    assertEquals(OptionalDouble.of(0.25), share.ofFree());
    assertEquals("spark.ariadne.memory.gpu.allocFraction", share.reason());
  }

  @Test
  void testLocalMode() {
    assertTrue(GpuResources.isLocal("local"));
    assertTrue(GpuResources.isLocal("local[*]"));
    assertFalse(GpuResources.isLocal("local-cluster[1,1,1024]"));
    assertFalse(GpuResources.isLocal("yarn"));
  }
}
