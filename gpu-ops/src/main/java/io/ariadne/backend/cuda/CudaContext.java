package io.ariadne.backend.cuda;

import static jcuda.driver.CUstream_flags.CU_STREAM_NON_BLOCKING;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import jcuda.driver.CUcontext;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * A device's primary context, which other users of CUDA in the process share, and our streams in
 * it.
 *
 * <p>Everything that is not waited for (launches, clears, copies on the device) goes, in the order
 * of the calls, to one queue that all threads share. So work that one thread queues and work that
 * another queues later are ordered whoever owned the memory in between. Copies between host and
 * device wait: first for what was queued before them, then for themselves, each on a stream of its
 * own, so that they overlap each other and what is queued later. A copy that fails has come to rest
 * before the failure gets out, so that its host memory may be freed.
 *
 * <p>Thread-safe.
 */
final class CudaContext implements AutoCloseable {
  private final CudaDevice device;
  private final CUcontext context = new CUcontext();
  private final CUstream queue;
  private final Queue<CUstream> idleStreams = new ConcurrentLinkedQueue<>();

  /** Counts what was queued; raised after the driver took it. */
  private final AtomicLong queued = new AtomicLong();

  /** How much of it is known to be done. */
  private final AtomicLong done = new AtomicLong();

  private final AtomicLong failedReleases = new AtomicLong();

  CudaContext(CudaDevice device) {
    this.device = device;
    CudaCheck.check(
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device.handle()), "cuDevicePrimaryCtxRetain");
    try {
      makeCurrent();
      this.queue = newStream();
    } catch (RuntimeException | Error e) {
      releaseContext();
      throw e;
    }
  }

  /** A copy that the driver makes on a stream. */
  @FunctionalInterface
  interface Copy {
    /** Starts the copy; returns what the driver says. */
    int start(CUstream stream);
  }

  /** A call that queues work. */
  @FunctionalInterface
  interface Work {
    /** Queues the work; returns what the driver says. */
    int queue(CUstream stream);
  }

  CudaDevice device() {
    return device;
  }

  /** Lets the calling thread's driver calls go to this context; needed before each of them. */
  void makeCurrent() {
    CudaCheck.check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  }

  /**
   * Gives something back; a failure is logged and makes {@link #close()} fail, for what the driver
   * did not take back stays lost until the context ends.
   */
  void release(IntSupplier call, String name) {
    release(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    release(call.getAsInt(), name);
  }

  /** Queues work and returns at once. */
  void enqueue(Work work, String call) {
    makeCurrent();
    CudaCheck.check(work.queue(queue), call);
    queued.incrementAndGet();
  }

  /** Waits for everything queued before, by any thread; its failures come out here. */
  void await() {
    makeCurrent();
    awaitQueued();
  }

  private void awaitQueued() {
    long wanted = queued.get();
    if (done.get() < wanted) {
      CudaCheck.check(JCudaDriver.cuStreamSynchronize(queue), "cuStreamSynchronize");
      done.accumulateAndGet(wanted, Math::max);
    }
  }

  /** Makes a copy after everything queued before, and waits for it. */
  void copy(Copy copy, String call) {
    makeCurrent();
    awaitQueued();
    copyNow(copy, call);
  }

  /** Makes a copy, while queued work runs, and waits for it. */
  void overtake(Copy copy, String call) {
    makeCurrent();
    copyNow(copy, call);
  }

  private void copyNow(Copy copy, String call) {
    CUstream idle = idleStreams.poll();
    CUstream stream = idle == null ? newStream() : idle;
    boolean isDone = false;
    try {
      CudaCheck.check(copy.start(stream), call);
      CudaCheck.check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
      isDone = true;
    } finally {
      if (!isDone) {
        settle();
      }
      idleStreams.add(stream);
    }
  }

  /**
   * Waits until the device touches nothing any more, whatever becomes of the work; before host
   * memory is given up that it may still reach. A failure is kept for {@link #close()}: it means
   * that the context is lost, in which the driver runs nothing more.
   */
  void settle() {
    release(JCudaDriver::cuCtxSynchronize, "cuCtxSynchronize");
  }

  private static CUstream newStream() {
    CUstream stream = new CUstream();
    CudaCheck.check(JCudaDriver.cuStreamCreate(stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    return stream;
  }

  private void release(int status, String call) {
    if (!CudaCheck.released(status, call)) {
      failedReleases.incrementAndGet();
    }
  }

  /**
   * Destroys the streams and lets go of the context.
   *
   * @throws EngineException INTERNAL when anything could not be given back
   */
  @Override
  public void close() {
    for (CUstream stream : idleStreams) {
      release(() -> JCudaDriver.cuStreamDestroy(stream), "cuStreamDestroy");
    }
    release(() -> JCudaDriver.cuStreamDestroy(queue), "cuStreamDestroy");
    releaseContext();
    if (failedReleases.get() > 0) {
      throw new EngineException(
          ErrorCode.INTERNAL,
          failedReleases.get() + " calls that give something back to " + device + " failed");
    }
  }

  private void releaseContext() {
    release(JCudaDriver.cuDevicePrimaryCtxRelease(device.handle()), "cuDevicePrimaryCtxRelease");
  }
}
