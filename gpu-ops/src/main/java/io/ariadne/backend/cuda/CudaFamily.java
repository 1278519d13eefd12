package io.ariadne.backend.cuda;

import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
import static jcuda.driver.CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU;

import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.cpu.KernelTable;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels of one family in one context. The first thread that needs one of them loads the
 * family's module: as machine code when the jar has code for the device, else as PTX, which the
 * driver compiles. That may take seconds. A thread that needs the same family meanwhile waits;
 * other families are not blocked. Thread-safe.
 */
final class CudaFamily {
  private static final Logger LOG = LoggerFactory.getLogger(CudaFamily.class);
  private static final String FOLDER = "/io/ariadne/native/cuda/";

  /** How long a thread waits while another thread loads the family: compiling takes seconds. */
  private static final Duration MAX_WAIT = Duration.ofMinutes(5);

  /** How often a waiting thread checks whether its wait was ended. */
  private static final long POLL_MILLIS = 50;

  private final String name;
  private final CudaContext context;

  /** Guards the two fields below; held while the driver compiles. */
  private final ReentrantLock loading = new ReentrantLock();

  private final Map<String, CudaKernel> kernels = new HashMap<>();
  private CUmodule module;

  /** The thread that loads the family, for diagnoses; null when no thread does. */
  private volatile String loader;

  CudaFamily(String name, CudaContext context) {
    this.name = name;
    this.context = context;
  }

  /**
   * Returns a kernel; loads it unless it is loaded.
   *
   * @param record the kernel's properties
   * @throws EngineException INTERNAL when the driver rejects it, when another thread does not
   *     finish loading it in time, or when the caller's work is stopped during that wait
   */
  CudaKernel kernel(KernelTable.Entry record) {
    lock();
    loader = Thread.currentThread().getName();
    try {
      CudaKernel kernel = kernels.get(record.name());
      if (kernel == null) {
        context.makeCurrent();
        kernel = load(record);
        kernels.put(record.name(), kernel);
      }
      return kernel;
    } finally {
      loader = null;
      loading.unlock();
    }
  }

  private void lock() {
    if (loading.tryLock()) {
      return;
    }
    String other = loader;
    String what =
        "kernels of family " + name + ", which " + (other == null ? "a thread" : other) + " loads";
    AtomicReference<String> broken = new AtomicReference<>();
    ThreadRecord record = ThreadRecord.current();
    Wait wait = record.await(WaitKind.DEVICE, what, 0, broken::set);
    try {
      record.withoutPermit(
          () -> {
            awaitLock(what, broken);
            return null;
          });
    } finally {
      wait.close();
    }
  }

  private void awaitLock(String what, AtomicReference<String> broken) {
    long end = System.nanoTime() + MAX_WAIT.toNanos();
    try {
      while (!loading.tryLock(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (broken.get() != null) {
          throw new EngineException(
              ErrorCode.INTERNAL, "the wait for " + what + ", ended: " + broken.get());
        }
        if (System.nanoTime() - end > 0) {
          throw new EngineException(
              ErrorCode.INTERNAL, what + ", were not there within " + MAX_WAIT.toSeconds() + " s");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the thread was interrupted while it waited for " + what);
    }
  }

  private CudaKernel load(KernelTable.Entry record) {
    if (module == null) {
      module = loadModule();
    }
    CUfunction handle = new CUfunction();
    context.check(
        JCudaDriver.cuModuleGetFunction(handle, module, record.name()),
        "cuModuleGetFunction of " + record.name());
    KernelFunction function =
        new KernelFunction(
            record.name(),
            0,
            record.blockSize(),
            record.itemsPerThread(),
            record.dynamicSharedInBytes(),
            record.argumentsSizeInBytes());
    return new CudaKernel(function, handle, context, allowSharedMemory(handle));
  }

  /** Allows a kernel all the shared memory of the device; by default a kernel gets 48 KiB. */
  private int allowSharedMemory(CUfunction handle) {
    int[] fixed = {0};
    context.check(
        JCudaDriver.cuFuncGetAttribute(fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, handle),
        "cuFuncGetAttribute");
    int dynamic = context.device().sharedBytesPerBlock() - fixed[0];
    context.check(
        JCudaDriver.cuFuncSetAttribute(
            handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, dynamic),
        "cuFuncSetAttribute");
    return dynamic;
  }

  private CUmodule loadModule() {
    Optional<String> architecture = CudaKernels.machineCode(context.device().capability());
    if (architecture.isPresent()) {
      CUmodule loaded = new CUmodule();
      String file = name + "." + architecture.get() + ".cubin";
      int status = JCudaDriver.cuModuleLoadData(loaded, read(file));
      if (status != CUDA_ERROR_NO_BINARY_FOR_GPU) {
        context.check(status, "cuModuleLoadData of " + file);
        return loaded;
      }
    }
    return compile();
  }

  private CUmodule compile() {
    CUmodule compiled = new CUmodule();
    String file = name + ".ptx";
    byte[] text = read(file);
    byte[] terminated = Arrays.copyOf(text, text.length + 1);
    long start = System.nanoTime();
    context.check(
        JCudaDriver.cuModuleLoadData(compiled, terminated), "cuModuleLoadData of " + file);
    LOG.info(
        "the driver compiled the kernels of family {} for {} in {} ms: there is no machine code"
            + " for {}; it keeps the result in its cache (CUDA_CACHE_PATH)",
        name,
        context.device(),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
        context.device().architecture());
    return compiled;
  }

  private static byte[] read(String file) {
    try (InputStream stream = CudaFamily.class.getResourceAsStream(FOLDER + file)) {
      if (stream == null) {
        throw new EngineException(ErrorCode.INTERNAL, "the jar lacks " + FOLDER + file);
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new EngineException(ErrorCode.INTERNAL, "cannot read " + FOLDER + file, e);
    }
  }

  /** Unloads the module; nothing may be running. */
  void unload() {
    lock();
    try {
      if (module != null) {
        context.release(() -> JCudaDriver.cuModuleUnload(module), "cuModuleUnload");
        module = null;
      }
      kernels.clear();
    } finally {
      loading.unlock();
    }
  }
}
