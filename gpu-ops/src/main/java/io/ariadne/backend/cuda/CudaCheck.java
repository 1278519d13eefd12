package io.ariadne.backend.cuda;

import static jcuda.driver.CUresult.CUDA_ERROR_ASSERT;
import static jcuda.driver.CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED;
import static jcuda.driver.CUresult.CUDA_ERROR_DEINITIALIZED;
import static jcuda.driver.CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE;
import static jcuda.driver.CUresult.CUDA_ERROR_ECC_UNCORRECTABLE;
import static jcuda.driver.CUresult.CUDA_ERROR_EXTERNAL_DEVICE;
import static jcuda.driver.CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR;
import static jcuda.driver.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS;
import static jcuda.driver.CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION;
import static jcuda.driver.CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE;
import static jcuda.driver.CUresult.CUDA_ERROR_INVALID_PC;
import static jcuda.driver.CUresult.CUDA_ERROR_LAUNCH_FAILED;
import static jcuda.driver.CUresult.CUDA_ERROR_LAUNCH_TIMEOUT;
import static jcuda.driver.CUresult.CUDA_ERROR_MISALIGNED_ADDRESS;
import static jcuda.driver.CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED;
import static jcuda.driver.CUresult.CUDA_ERROR_MPS_RPC_FAILURE;
import static jcuda.driver.CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE;
import static jcuda.driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY;
import static jcuda.driver.CUresult.CUDA_ERROR_UNKNOWN;
import static jcuda.driver.CUresult.CUDA_SUCCESS;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Set;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the status that driver calls return. */
final class CudaCheck {
  private static final Logger LOG = LoggerFactory.getLogger(CudaCheck.class);

  /** An error of CUDA 12.8 and 13 that JCuda does not know: the GPU has contained an exception. */
  private static final int CUDA_ERROR_CONTAINED = 226;

  /** Another such error: a kernel has left memory of the tensor cores allocated. */
  private static final int CUDA_ERROR_TENSOR_MEMORY_LEAK = 721;

  /**
   * Errors after which the driver's documentation calls the process's state inconsistent, or the
   * context or the device gone. The driver returns them again from every later call.
   */
  private static final Set<Integer> STICKY =
      Set.of(
          CUDA_ERROR_DEINITIALIZED,
          CUDA_ERROR_DEVICE_UNAVAILABLE,
          CUDA_ERROR_ECC_UNCORRECTABLE,
          CUDA_ERROR_NVLINK_UNCORRECTABLE,
          CUDA_ERROR_CONTAINED,
          CUDA_ERROR_ILLEGAL_ADDRESS,
          CUDA_ERROR_LAUNCH_TIMEOUT,
          CUDA_ERROR_CONTEXT_IS_DESTROYED,
          CUDA_ERROR_ASSERT,
          CUDA_ERROR_HARDWARE_STACK_ERROR,
          CUDA_ERROR_ILLEGAL_INSTRUCTION,
          CUDA_ERROR_MISALIGNED_ADDRESS,
          CUDA_ERROR_INVALID_ADDRESS_SPACE,
          CUDA_ERROR_INVALID_PC,
          CUDA_ERROR_LAUNCH_FAILED,
          CUDA_ERROR_TENSOR_MEMORY_LEAK,
          CUDA_ERROR_MPS_RPC_FAILURE,
          CUDA_ERROR_MPS_CLIENT_TERMINATED,
          CUDA_ERROR_EXTERNAL_DEVICE);

  private CudaCheck() {}

  /** Returns whether the status of a call in a context means that the context runs no more work. */
  static boolean isSticky(int status) {
    return STICKY.contains(status);
  }

  /**
   * Returns the same for a call that queues work or waits for it. Drivers return CUDA_ERROR_UNKNOWN
   * from these calls when a GPU has fallen off its bus; from a call that compiles or allocates, the
   * error may be temporary.
   */
  static boolean isStickyOfWork(int status) {
    return isSticky(status) || status == CUDA_ERROR_UNKNOWN;
  }

  /**
   * Does nothing after a success.
   *
   * @param status what the call returned
   * @param call the call's name
   * @throws EngineException OUT_OF_MEMORY if and only if the driver says so, else INTERNAL; with
   *     the name of the call, and the name and text of the error. Any call may return an error of
   *     earlier work on the GPU.
   */
  static void check(int status, String call) {
    if (status == CUDA_SUCCESS) {
      return;
    }
    ErrorCode code =
        status == CUDA_ERROR_OUT_OF_MEMORY ? ErrorCode.OUT_OF_MEMORY : ErrorCode.INTERNAL;
    throw new EngineException(code, describe(status, call));
  }

  /**
   * Checks the status of a call that frees something. Such calls also run while another failure is
   * thrown and must not hide it, so this method logs and does not throw.
   *
   * @param status what the call returned
   * @param call the call's name
   * @return whether the call succeeded; the caller remembers failures
   */
  static boolean released(int status, String call) {
    if (status == CUDA_SUCCESS) {
      return true;
    }
    LOG.error("could not release on the GPU: {}", describe(status, call));
    return false;
  }

  /** Returns call, name and text of the error, in one line. */
  static String describe(int status, String call) {
    String[] name = {null};
    String[] text = {null};
    boolean isKnown =
        JCudaDriver.cuGetErrorName(status, name) == CUDA_SUCCESS
            && JCudaDriver.cuGetErrorString(status, text) == CUDA_SUCCESS;
    return isKnown
        ? call + " failed: " + name[0] + " (" + text[0].replace('\n', ' ') + ")"
        : call + " failed: unknown error " + status;
  }
}
