package io.ariadne.shuffle.transport;

import com.sun.management.ThreadMXBean;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Counts the bytes that the threads of this process allocate. Used by one thread. */
final class AllocationMeter {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private Map<Long, Long> before = new HashMap<>();

  AllocationMeter() {
    var unused = allocatedSinceLastCall();
  }

  /** Returns the bytes of heap, whether freed or not, of the threads that are alive. */
  long allocatedSinceLastCall() {
    long[] ids = threads.getAllThreadIds();
    long[] bytes = threads.getThreadAllocatedBytes(ids);
    Map<Long, Long> now = new HashMap<>();
    long sum = 0;
    for (int i = 0; i < ids.length; i++) {
      if (bytes[i] > 0) {
        now.put(ids[i], bytes[i]);
        sum += bytes[i] - before.getOrDefault(ids[i], 0L);
      }
    }
    before = now;
    return sum;
  }

  /** Returns the bytes outside of the heap that Netty has. */
  static long nettyBytes() {
    return PlatformDependent.usedDirectMemory();
  }
}
