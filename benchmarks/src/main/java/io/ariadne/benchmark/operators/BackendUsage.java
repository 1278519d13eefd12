package io.ariadne.benchmark.operators;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts of calls of a back end.
 *
 * @param launches of kernels
 * @param allocations of device memory and pinned memory by the driver
 * @param frees of the same memory
 * @param awaits waits of the host for a device: for launches (status blocks), and one per copy to
 *     the host; a copy may take several calls of the CUDA driver
 * @param toDevice copies from host memory
 * @param toDeviceBytes bytes of these
 * @param fromDevice copies to host memory
 * @param fromDeviceBytes bytes of these
 * @param onDeviceBytes bytes copied or cleared without the host
 */
record BackendUsage(
    long launches,
    long allocations,
    long frees,
    long awaits,
    long toDevice,
    long toDeviceBytes,
    long fromDevice,
    long fromDeviceBytes,
    long onDeviceBytes) {
  /** Returns the counts since an earlier snapshot. */
  BackendUsage minus(BackendUsage before) {
    return new BackendUsage(
        launches - before.launches,
        allocations - before.allocations,
        frees - before.frees,
        awaits - before.awaits,
        toDevice - before.toDevice,
        toDeviceBytes - before.toDeviceBytes,
        fromDevice - before.fromDevice,
        fromDeviceBytes - before.fromDeviceBytes,
        onDeviceBytes - before.onDeviceBytes);
  }

  /** Returns the counts by their names in reports. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("launches", launches);
    map.put("allocations", allocations);
    map.put("frees", frees);
    map.put("awaits", awaits);
    map.put("copiesToDevice", toDevice);
    map.put("bytesToDevice", toDeviceBytes);
    map.put("copiesFromDevice", fromDevice);
    map.put("bytesFromDevice", fromDeviceBytes);
    map.put("bytesOnDevice", onDeviceBytes);
    return map;
  }
}
