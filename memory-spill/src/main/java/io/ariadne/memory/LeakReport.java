package io.ariadne.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Describes what of a pool is still open, and where buffers were allocated, largest first. */
final class LeakReport {
  private static final int MAX_SITES = 20;
  private static final int MAX_FRAMES = 16;
  private static final String OWN_PACKAGE = LeakReport.class.getPackageName() + ".";

  private LeakReport() {}

  private static final class Site {
    private final String stack;
    private long bytes;
    private int buffers;

    Site(String stack) {
      this.stack = stack;
    }

    void add(Allocation allocation) {
      bytes += allocation.lengthInBytes();
      buffers++;
    }

    long bytes() {
      return bytes;
    }

    @Override
    public String toString() {
      return "  " + bytes + " bytes in " + buffers + " buffers allocated at\n" + stack;
    }
  }

  /** Describes what is open in a pool and those below it; empty when nothing is. */
  static String of(MemoryPool pool) {
    StringBuilder text = new StringBuilder();
    boolean hasBuffers = pool.allocatedBytes() != 0 || pool.openBufferCount() != 0;
    if (hasBuffers) {
      text.append("pool ").append(pool.name()).append(" has ").append(pool.allocatedBytes());
      text.append(" bytes and ").append(pool.openBufferCount()).append(" buffers open\n");
    }
    for (Reservation reservation : pool.reservations()) {
      text.append("  open reservation: ").append(reservation).append('\n');
    }
    if (pool.isTracking()) {
      text.append(describe(pool.tracked()));
    } else if (pool.openBufferCount() != 0) {
      text.append("  set ").append(MemoryPools.TRACK_ALLOCATIONS_PROPERTY);
      text.append("=true to see where they were allocated\n");
    }
    for (MemoryPool child : pool.children()) {
      text.append("  open child pool ").append(child.name()).append('\n').append(of(child));
    }
    return text.toString();
  }

  /** Describes open allocations, which all carry sites. */
  private static String describe(Collection<Allocation> open) {
    Map<String, Site> byStack = new TreeMap<>();
    for (Allocation allocation : open) {
      byStack.computeIfAbsent(stack(allocation.site()), Site::new).add(allocation);
    }
    List<Site> sites = new ArrayList<>(byStack.values());
    sites.sort(Comparator.comparingLong(Site::bytes).reversed());
    StringBuilder text = new StringBuilder();
    for (Site site : sites.subList(0, Math.min(MAX_SITES, sites.size()))) {
      text.append(site);
    }
    if (sites.size() > MAX_SITES) {
      text.append("  and ").append(sites.size() - MAX_SITES).append(" more sites\n");
    }
    return text.toString();
  }

  private static String stack(Throwable site) {
    StringBuilder text = new StringBuilder();
    int frames = 0;
    for (StackTraceElement frame : site.getStackTrace()) {
      if (frames == 0 && isOwn(frame)) {
        continue;
      }
      if (frames++ == MAX_FRAMES) {
        break;
      }
      text.append("    at ").append(frame).append('\n');
    }
    return text.toString();
  }

  /** Returns whether a frame belongs to the allocator itself rather than to its caller. */
  private static boolean isOwn(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith(OWN_PACKAGE + "MemoryPool")
        || name.startsWith(OWN_PACKAGE + "Reservation")
        || name.startsWith("io.ariadne.columnar.buffer.BufferAllocator");
  }
}
