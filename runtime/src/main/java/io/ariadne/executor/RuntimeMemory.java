package io.ariadne.executor;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.ArenaMemorySource;
import io.ariadne.memory.FallbackMemorySource;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.MemorySource;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.Reservation;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.SpillSpace;
import io.ariadne.spill.SpillStore;
import io.ariadne.spill.WaitTimes;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.spill.host.HostSpillStore;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * The memory of a process: its pools, and the controllers that spill batches when memory runs
 * short, from the device to the host and from the host to disk. Thread-safe.
 *
 * <p>Pages for reading and writing disks do not count against the limit of the pools, because they
 * are needed exactly when the pools are exhausted. None exist before the first batch is spilled.
 * With a device they are page-locked, as the device's batches may pass through them.
 */
final class RuntimeMemory {
  private static final String DEVICE_ADVICE =
      "the GPU is too small, or other processes use it: run fewer tasks at once, or give this"
          + " process more of it";

  /**
   * A pool keeps its limit divided by this as a reserve for threads that spill, up to {@link
   * #MOST_RESERVE_BYTES}.
   */
  private static final int RESERVE_SHARES = 32;

  private static final long MOST_RESERVE_BYTES = 256L << 20;

  /**
   * The arena of the device is larger than the pool by its size divided by this: memory between
   * blocks that are in use may be in pieces that are too small for a request.
   */
  private static final int FRAGMENTS_SHARES = 16;

  /**
   * With less memory there is no arena: single buffers would be a good part of it, and fragments
   * would refuse what the pool's limit allows.
   */
  private static final long LEAST_ARENA_BYTES = 256L << 20;

  /** Pages that a stream needs with one directory. */
  private static final int LEAST_PAGES_PER_STREAM = 3;

  /** Maximum number of pages of all streams together with several directories. */
  private static final int MOST_PAGES = 128;

  private final MemoryPool pool;

  /** The memory of {@link #devicePool}; null if that is from the driver, or there is none. */
  private final ArenaMemorySource deviceArena;

  /** The pool of device memory; null if kernels access host memory. */
  private final MemoryPool devicePool;

  private final MemoryPool pageMemory;

  /**
   * Pages for disks. This, {@link #disk} and {@link #controller} are null if nothing is spilled to
   * disk.
   */
  private final PagePool pages;

  private final DiskSpillStore disk;
  private final SpillController controller;

  /** Batches of the device that are on the host; null without device memory. */
  private final HostSpillStore hosted;

  private final SpillController deviceController;
  private final String places;
  private final Backend backend;
  private final DeviceMemoryShare deviceShare;

  /**
   * Creates the pools and the spill stores.
   *
   * @throws io.ariadne.error.EngineException CONFIGURATION if a directory cannot be created
   */
  RuntimeMemory(RuntimeConfig config, Backend backend) {
    String name = config.name();
    this.backend = backend;
    this.deviceShare = config.device().memory();
    DiskSpillOptions options = config.spill();
    long hostReserve = options == null ? 0 : reserveOf(config.memory().limitInBytes());
    long hostLimit = config.memory().limitInBytes() - hostReserve;
    UnaryOperator<MemorySource> access = config.memory().access();
    WaitTimes waits = config.memory().waits();
    MemorySource hostSource = access.apply(MemoryPools.hostSource());
    this.pool = MemoryPools.over(name, hostLimit, hostSource, config.memory().advice());
    pool.keepReserve(hostReserve);
    pool.retrySource(waits.source());
    MemorySource driver = backend.memory(backend.tier()).orElse(null);
    long deviceBytes =
        driver == null ? 0 : deviceShare.bytes(backend.freeMemoryInBytes(), backend.sharing());
    this.deviceArena = newArena(driver, deviceBytes);
    this.devicePool =
        driver == null
            ? null
            : newDevicePool(
                name, access.apply(deviceArena == null ? driver : deviceArena), deviceBytes);
    if (devicePool != null) {
      devicePool.retrySource(waits.source());
    }
    int streams = config.computeThreads() + streamsBesideCompute(devicePool != null);
    int maxPages = options == null ? 0 : maxPages(options, streams);
    long pageBytes = PagePool.PAGE_BYTES + PagePool.PAGE_ALIGNMENT;
    this.pageMemory = MemoryPools.over(name + "-pages", maxPages * pageBytes, pageSource(backend));
    this.places = options == null ? "" : ", spills to " + options.directories();
    this.pages = options == null ? null : newPages(maxPages);
    this.disk = options == null ? null : new DiskSpillStore(options, pages, backend);
    this.controller = options == null ? null : newController(pool, List.of(disk), config.memory());
    this.hosted = devicePool == null ? null : new HostSpillStore(pool, spill(), backend);
    this.deviceController =
        devicePool == null ? null : newController(devicePool, storesBelowDevice(), config.memory());
  }

  private static MemorySource pageSource(Backend backend) {
    MemorySource host = MemoryPools.hostSource();
    return backend
        .memory(MemoryTier.PINNED)
        .<MemorySource>map(pinned -> new FallbackMemorySource(pinned, host))
        .orElse(host);
  }

  /**
   * Returns the spill stores of the device: the host and, for when the host is full of memory in
   * use, the disks directly.
   */
  private List<SpillStore> storesBelowDevice() {
    return disk == null ? List.of(hosted) : List.of(hosted, disk.ofDevice(pool));
  }

  private static ArenaMemorySource newArena(MemorySource driver, long bytes) {
    boolean overwrites = Boolean.getBoolean(MemoryPools.TRACK_ALLOCATIONS_PROPERTY);
    return bytes < LEAST_ARENA_BYTES ? null : new ArenaMemorySource(driver, bytes, overwrites);
  }

  private MemoryPool newDevicePool(String name, MemorySource source, long sourceBytes) {
    long fragments = deviceArena == null ? 0 : sourceBytes / FRAGMENTS_SHARES;
    long bytes = sourceBytes - fragments;
    long reserve = reserveOf(bytes);
    MemoryPool made = MemoryPools.over(name + "-device", bytes - reserve, source, DEVICE_ADVICE);
    made.keepReserve(reserve);
    return made;
  }

  private static long reserveOf(long bytes) {
    return Math.min(MOST_RESERVE_BYTES, bytes / RESERVE_SHARES);
  }

  /**
   * Returns how many threads beside the compute threads use pages at the same time: preload threads
   * that load batches, and for each pool one thread that moves batches and those that read batches
   * ahead. More threads, such as tasks that read output back, wait for pages.
   */
  private static int streamsBesideCompute(boolean hasDevice) {
    int ofPool = 1 + SpillController.READS_AHEAD;
    return ExecutorRuntime.PRELOAD_THREADS + (hasDevice ? 2 : 1) * ofPool;
  }

  /**
   * Returns the number of pages for several streams; bounded, however many directories there are.
   */
  private static int maxPages(DiskSpillOptions options, int streams) {
    int forAllDirectories = Math.min(MOST_PAGES, options.pagesPerStream() * streams);
    return Math.max(LEAST_PAGES_PER_STREAM * streams, forAllDirectories);
  }

  private PagePool newPages(int maxPages) {
    return new PagePool(pageMemory, PagePool.PAGE_BYTES, 0, maxPages);
  }

  private static SpillController newController(
      MemoryPool from, List<SpillStore> below, MemoryConfig config) {
    SpillPolicy policy = config.spilling();
    return new SpillController(
        from, below, policy.order(), policy.highMark(), policy.lowMark(), config.waits());
  }

  /**
   * Reads spilled batches back ahead of their use.
   *
   * @param threads run the reads; they may be shut down before this is closed
   */
  void prefetchOn(Executor threads) {
    if (controller != null) {
      controller.prefetchOn(threads);
    }
    if (deviceController != null) {
      deviceController.prefetchOn(threads);
    }
  }

  /** Returns the pool of host memory. */
  MemoryPool pool() {
    return pool;
  }

  /** Returns the pool of memory that kernels access; the host's pool if that is host memory. */
  MemoryPool kernelPool() {
    return devicePool == null ? pool : devicePool;
  }

  /** Returns the spill space of batches in host memory. */
  SpillSpace spill() {
    return controller == null ? SpillSpace.unmoved(pool.tier()) : controller;
  }

  /** Returns the spill space of batches that kernels access. */
  SpillSpace kernelSpill() {
    return deviceController == null ? spill() : deviceController;
  }

  /** Returns the bytes of all pools that are in use. */
  long allocatedBytes() {
    return pool.allocatedBytes() + (devicePool == null ? 0 : devicePool.allocatedBytes());
  }

  /** Returns the bytes in use by tier. */
  MemoryUsage usage() {
    return new MemoryUsage(
        pool.allocatedBytes(),
        pool.limitInBytes(),
        devicePool == null ? 0 : devicePool.allocatedBytes(),
        hasDevice() ? devicePool.limitInBytes() : 0,
        hosted == null ? 0 : hosted.storedBytes(),
        disk == null ? 0 : disk.storedBytes(),
        pageMemory.allocatedBytes(),
        movedBytes(deviceController),
        movedBytes(controller));
  }

  /** Returns whether there is device memory and the device is not lost. */
  private boolean hasDevice() {
    return devicePool != null && backend.lost().isEmpty();
  }

  /**
   * Stops using the memory of the device: batches in it are lost, and allocations are refused.
   * Memory in use stays counted until its owners free it.
   *
   * @param cause the reason given to refused allocations
   */
  void deviceLost(String cause) {
    if (deviceController != null) {
      deviceController.lose(cause);
    }
  }

  private static long movedBytes(SpillController controller) {
    return controller == null ? 0 : controller.movedBytes();
  }

  /** Describes the limits and the spill directories, as part of a line. */
  String describe() {
    return mib(pool) + " of host memory" + (hasDevice() ? ", " + describeDevice() : "") + places;
  }

  private String describeDevice() {
    return mib(devicePool)
        + " of device memory ("
        + deviceShare.reason(backend.sharing())
        + (deviceArena == null ? ")" : ", less a sixteenth for fragments)");
  }

  private static String mib(MemoryPool pool) {
    return ((pool.limitInBytes() + pool.reserveInBytes()) >> 20) + " MiB";
  }

  /** Describes the current state in several lines. */
  String state() {
    String text = state(pool);
    if (devicePool != null) {
      text += state(devicePool) + (deviceArena == null ? "" : "  arena: " + deviceArena + '\n');
    }
    return text
        + state("device to host: ", deviceController, hosted)
        + state("host to disk: ", controller, disk);
  }

  private static String state(String direction, SpillController controller, SpillStore below) {
    return controller == null
        ? ""
        : direction
            + controller.batchCount()
            + " spillable batches, "
            + below.storedBytes()
            + " bytes spilled, "
            + controller.movedBytes()
            + " bytes moved so far\n";
  }

  /** Describes a pool and its largest reservations. */
  private static String state(MemoryPool pool) {
    StringBuilder text = new StringBuilder(pool.state()).append('\n');
    for (Reservation held : pool.largestReservations()) {
      text.append("  reservation ").append(held).append('\n');
    }
    return text.toString();
  }

  /** Closes the spill controllers and stores, then the pools. */
  void close(Closer closer) {
    closer.close(deviceController);
    closer.close(hosted);
    closer.close(controller);
    closer.close(disk);
    closer.close(pages);
    closer.close(pageMemory);
    closer.close(devicePool);
    closer.close(deviceArena);
    closer.close(pool);
  }
}
