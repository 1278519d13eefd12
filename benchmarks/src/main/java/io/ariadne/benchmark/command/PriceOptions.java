package io.ariadne.benchmark.command;

import io.ariadne.benchmark.cloudsort.Prices;
import picocli.CommandLine.Option;

/** Options with the prices of a cloud. The defaults are Amazon's list prices in us-east-1. */
final class PriceOptions {
  @Option(
      names = "--vcpu-hour",
      description =
          "USD per vCPU and hour (default: ${DEFAULT-VALUE}, half of an m5.large on demand)")
  double vcpuHour = 0.048;

  @Option(
      names = "--disk-gb-month",
      description = "USD per GB of local disk and month (default: ${DEFAULT-VALUE}, EBS gp3)")
  double diskMonth = 0.08;

  @Option(
      names = "--store-gb-month",
      description = "USD per GB of the store and month (default: ${DEFAULT-VALUE}, S3 Standard)")
  double storeMonth = 0.023;

  @Option(
      names = "--read-request-price",
      description = "USD per 1000 GETs or HEADs (default: ${DEFAULT-VALUE}, S3 Standard)")
  double thousandReads = 0.0004;

  @Option(
      names = "--write-request-price",
      description = "USD per 1000 other requests (default: ${DEFAULT-VALUE}, S3 Standard)")
  double thousandWrites = 0.005;

  Prices prices() {
    return new Prices(vcpuHour, diskMonth, storeMonth, thousandReads, thousandWrites);
  }

  /** Returns the options as part of a command line. */
  String text() {
    return ("--vcpu-hour %s --disk-gb-month %s --store-gb-month %s --read-request-price %s"
            + " --write-request-price %s")
        .formatted(vcpuHour, diskMonth, storeMonth, thousandReads, thousandWrites);
  }
}
