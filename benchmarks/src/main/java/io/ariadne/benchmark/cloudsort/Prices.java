package io.ariadne.benchmark.cloudsort;

/**
 * What a cloud charges, in US dollars.
 *
 * @param vcpuHour an hour of one virtual CPU with its memory
 * @param diskMonth a month of a gigabyte of local disk
 * @param storeMonth a month of a gigabyte of the object store
 * @param thousandReads a thousand GETs or HEADs
 * @param thousandWrites a thousand PUTs, POSTs, COPYs or listings
 */
public record Prices(
    double vcpuHour,
    double diskMonth,
    double storeMonth,
    double thousandReads,
    double thousandWrites) {
  /** Checks the values. */
  public Prices {
    boolean isPrice = vcpuHour >= 0 && diskMonth >= 0 && storeMonth >= 0;
    if (!isPrice || !(thousandReads >= 0 && thousandWrites >= 0)) {
      throw new IllegalArgumentException("prices must not be negative");
    }
  }
}
