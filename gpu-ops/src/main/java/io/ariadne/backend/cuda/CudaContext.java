package io.ariadne.backend.cuda;

import static jcuda.driver.CUstream_flags.CU_STREAM_NON_BLOCKING;

import io.ariadne.backend.DeviceLoss;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
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
 * own, so that they overlap each other and what is queued later. A copy that fails is waited for
 * before the failure gets out, so that its host memory may be freed or used again, unless the
 * device is lost: then it may still write to page-locked memory, which must not be used again.
 * Pageable memory it reaches only within the call.
 *
 * <p>The first error that the context does not survive loses the device: from then on calls throw
 * DEVICE_LOST with that error and do not reach the driver, and what is given back is only counted,
 * as the driver frees all of it when the context is released at the end.
 *
 * <p>Thread-safe.
 */
final class CudaContext implements AutoCloseable {
  private final CudaDevice device;
  private final CUcontext context = new CUcontext();
  private final CUstream queue;
  private final Queue<CUstream> idleStreams = new ConcurrentLinkedQueue<>();

  private final CudaWork work;
  private final DeviceLoss loss = new DeviceLoss();
  private final AtomicLong failedReleases = new AtomicLong();

  CudaContext(CudaDevice device) {
    this.device = device;
    this.work = new CudaWork(device.toString());
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

  /** Returns whether the device is lost, and why. */
  DeviceLoss loss() {
    return loss;
  }

  /** Returns what the device was given to do. */
  CudaWork work() {
    return work;
  }

  /**
   * Lets the calling thread's driver calls go to this context; needed before each of them.
   *
   * @throws EngineException DEVICE_LOST when the device is lost: the driver is not called
   */
  void makeCurrent() {
    loss.check();
    check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  }

  /**
   * Passes a success on.
   *
   * @param status what a call in this context returned
   * @param call the call's name
   * @throws EngineException DEVICE_LOST when the context does not survive the error, which loses
   *     the device; else as {@link CudaCheck#check}
   */
  void check(int status, String call) {
    if (CudaCheck.isSticky(status)) {
      throw lost(status, call);
    }
    CudaCheck.check(status, call);
  }

  /** As {@link #check}, for a call that queues work or waits for it. */
  private void checkWork(int status, String call) {
    if (CudaCheck.isStickyOfWork(status)) {
      throw lost(status, call);
    }
    CudaCheck.check(status, call);
  }

  private EngineException lost(int status, String call) {
    lose(status, call);
    return loss.failure();
  }

  private void lose(int status, String call) {
    if (!loss.isLost()) {
      String failure = CudaCheck.describe(status, call);
      loss.lose(device + " is lost: " + failure + "; " + work.lastLaunch());
    }
  }

  /**
   * Gives something back; a failure is logged and makes {@link #close()} fail, for what the driver
   * did not take back stays lost until the context ends. Does nothing when the device is lost.
   */
  void release(IntSupplier call, String name) {
    release(call, name, CudaCheck::isSticky);
  }

  private void release(IntSupplier call, String name, IntPredicate isSticky) {
    if (!loss.isLost()) {
      released(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent", CudaCheck::isSticky);
    }
    if (!loss.isLost()) {
      released(call.getAsInt(), name, isSticky);
    }
  }

  /** Queues work and returns at once. */
  void enqueue(Work queuedWork, String call) {
    makeCurrent();
    checkWork(queuedWork.queue(queue), call);
    work.queued();
  }

  /** Waits for everything queued before, by any thread; its failures come out here. */
  void await() {
    makeCurrent();
    awaitQueued();
  }

  private void awaitQueued() {
    long wanted = work.queuedCalls();
    if (!work.isDone(wanted)) {
      synchronize(queue);
      work.done(wanted);
    }
  }

  private void synchronize(CUstream stream) {
    Wait wait = ThreadRecord.current().await(WaitKind.DEVICE, work, 0, null);
    try {
      checkWork(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
    } finally {
      wait.close();
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
    try {
      check(copy.start(stream), call);
      synchronize(stream);
    } catch (RuntimeException | Error e) {
      settle();
      reportLossAfter(e);
      throw e;
    } finally {
      idleStreams.add(stream);
    }
  }

  /** Who asked for a copy must learn that the wait for its end has met the loss. */
  private void reportLossAfter(Throwable failure) {
    boolean isReported =
        failure instanceof EngineException engine && engine.code() == ErrorCode.DEVICE_LOST;
    if (loss.isLost() && !isReported) {
      EngineException lost = loss.failure();
      lost.addSuppressed(failure);
      throw lost;
    }
  }

  /**
   * Waits until the device touches nothing any more, whatever becomes of the work; before host
   * memory is given up that it may still reach. Does nothing when the device is lost.
   */
  void settle() {
    Wait wait = ThreadRecord.current().await(WaitKind.DEVICE, work, 0, null);
    try {
      release(JCudaDriver::cuCtxSynchronize, "cuCtxSynchronize", CudaCheck::isStickyOfWork);
    } finally {
      wait.close();
    }
  }

  private CUstream newStream() {
    CUstream stream = new CUstream();
    check(JCudaDriver.cuStreamCreate(stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    return stream;
  }

  private void released(int status, String call, IntPredicate isSticky) {
    if (isSticky.test(status)) {
      lose(status, call);
    } else if (!CudaCheck.released(status, call)) {
      failedReleases.incrementAndGet();
    }
  }

  /**
   * Destroys the streams and lets go of the context; of a lost device's only the latter.
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
    int status = JCudaDriver.cuDevicePrimaryCtxRelease(device.handle());
    // Of a device that is lost nothing else is expected.
    if (!loss.isLost()) {
      released(status, "cuDevicePrimaryCtxRelease", CudaCheck::isSticky);
    }
  }
}
