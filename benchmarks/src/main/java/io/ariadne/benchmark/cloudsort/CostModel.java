package io.ariadne.benchmark.cloudsort;

/**
 * What the sort of a terabyte costs, if time, disk and requests grow with the bytes.
 *
 * @param prices what the cloud charges
 */
public record CostModel(Prices prices) {
  private static final double SECONDS_PER_HOUR = 3600;
  private static final double HOURS_PER_MONTH = 730;
  private static final double GIGA = 1e9;
  private static final double TERA = 1e12;
  private static final double THOUSAND = 1e3;

  /**
   * What one sort used.
   *
   * @param recordBytes bytes of the records
   * @param vcpus virtual CPUs that were rented for the time of the sort
   * @param seconds its time
   * @param diskBytes bytes of local disk
   * @param storeBytes bytes of input and output on the store
   * @param reads GETs and HEADs; 0 when they were not counted
   * @param writes other requests; 0 when they were not counted
   */
  public record Usage(
      long recordBytes,
      int vcpus,
      double seconds,
      long diskBytes,
      long storeBytes,
      long reads,
      long writes) {}

  /**
   * US dollars per terabyte of records.
   *
   * @param compute virtual CPUs
   * @param disk local disk
   * @param store bytes on the store while the sort runs
   * @param requests requests to the store
   */
  public record Cost(double compute, double disk, double store, double requests) {
    /** Returns the sum. */
    public double getTotal() {
      return compute + disk + store + requests;
    }
  }

  /** Returns the cost of a terabyte. */
  public Cost perTerabyte(Usage usage) {
    double hours = usage.seconds / SECONDS_PER_HOUR;
    double months = hours / HOURS_PER_MONTH;
    double factor = TERA / usage.recordBytes;
    double requests =
        usage.reads / THOUSAND * prices.thousandReads()
            + usage.writes / THOUSAND * prices.thousandWrites();
    return new Cost(
        factor * usage.vcpus * hours * prices.vcpuHour(),
        factor * usage.diskBytes / GIGA * months * prices.diskMonth(),
        factor * usage.storeBytes / GIGA * months * prices.storeMonth(),
        factor * requests);
  }

  /** Returns the formula with the prices, for people. */
  public String formula() {
    return """
    USD per TB = 1e12 / bytes of records x (
        vCPUs x hours x %s
      + GB of local disk x months x %s
      + GB of input and output x months x %s
      + (GET + HEAD) / 1000 x %s + (PUT + POST + DELETE + LIST) / 1000 x %s)
    with hours = seconds / 3600 and months = hours / 730
    """
        .formatted(
            prices.vcpuHour(),
            prices.diskMonth(),
            prices.storeMonth(),
            prices.thousandReads(),
            prices.thousandWrites());
  }
}
