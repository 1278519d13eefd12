package io.ariadne.backend.cuda;

import static jcuda.driver.CUevent_flags.CU_EVENT_BLOCKING_SYNC;
import static jcuda.driver.CUevent_flags.CU_EVENT_DISABLE_TIMING;
import static jcuda.driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY;
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
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * A device's primary context, which other users of CUDA in the process share, with the streams of
 * this back end.
 *
 * <p>Launches, clears and copies on the device are not waited for. They are queued on one stream
 * that all threads share, in the order of the calls. So the work of two threads is ordered,
 * whichever of them owned the memory before. Copies between the device and a {@link StagingRing}
 * are queued there, too. A copy between the device and other memory of the host waits, first for
 * the work that was queued before it, then for itself. Each such copy has its own stream, so copies
 * overlap each other and work that is queued later. When a copy fails, the call waits for it before
 * it throws, so that the host memory can be freed or used again. If the device is lost, the copy
 * may still write to page-locked memory, which must not be used again; it reaches pageable memory
 * only within the call.
 *
 * <p>The first error that the context does not survive loses the device. From then on calls throw
 * DEVICE_LOST with that error and do not reach the driver. Released resources are only counted,
 * because the driver frees all of them with the context.
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

  /** Returns the state that tells whether the device is lost, and why. */
  DeviceLoss loss() {
    return loss;
  }

  /** Returns the record of the device's queued work. */
  CudaWork work() {
    return work;
  }

  /**
   * Makes this context current for the calling thread; needed before each driver call.
   *
   * @throws EngineException DEVICE_LOST when the device is lost: the driver is not called
   */
  void makeCurrent() {
    loss.check();
    check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  }

  /**
   * Does nothing after a success.
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
   * Frees something. A failure is logged and makes {@link #close()} fail, because what the driver
   * did not free stays allocated until the context ends. Does nothing when the device is lost.
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

  /**
   * Queues a copy, and an event behind it, and returns at once. When this fails, the device does
   * not make the copy any more.
   *
   * @return the copy's number, by which {@link CudaWork#isDone} knows it
   */
  long enqueue(Copy copy, String call, CUevent isDone) {
    makeCurrent();
    try {
      check(copy.start(queue), call);
      long number = work.queued();
      checkWork(JCudaDriver.cuEventRecord(isDone, queue), "cuEventRecord");
      return number;
    } catch (RuntimeException | Error e) {
      settle();
      reportLossAfter(e);
      throw e;
    }
  }

  /** Waits for an event that was queued behind the work of a number; throws failures of work. */
  void await(CUevent event, long number) {
    if (work.isDone(number)) {
      return;
    }
    makeCurrent();
    Wait wait = ThreadRecord.current().await(WaitKind.DEVICE, work, 0, null);
    try {
      checkWork(JCudaDriver.cuEventSynchronize(event), "cuEventSynchronize");
    } finally {
      wait.close();
    }
    work.done(number);
  }

  /**
   * Creates an event without times, for which threads wait without spinning; returns null when the
   * driver has no memory for it.
   */
  CUevent newEvent() {
    makeCurrent();
    CUevent event = new CUevent();
    int flags = CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC;
    int status = JCudaDriver.cuEventCreate(event, flags);
    if (status == CUDA_ERROR_OUT_OF_MEMORY) {
      return null;
    }
    check(status, "cuEventCreate");
    return event;
  }

  /** Waits for everything that any thread queued before; throws its failures. */
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

  /** Waits for everything that was queued before, then copies and waits for the copy. */
  void copy(Copy copy, String call) {
    makeCurrent();
    awaitQueued();
    copyNow(copy, call);
  }

  /** Copies while queued work runs, and waits for the copy. */
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

  /** Throws DEVICE_LOST when the wait for the end of a copy has lost the device. */
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
   * Waits until the device uses no memory any more, whether or not the work succeeds. Called before
   * freeing host memory that the device may still use. Does nothing when the device is lost.
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
   * Destroys the streams and releases the context; only the latter when the device is lost.
   *
   * @throws EngineException INTERNAL when something could not be released
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
