package io.ariadne.backend.cuda;

import static jcuda.driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY;
import static jcuda.driver.CUresult.CUDA_SUCCESS;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place that looks at what driver calls return. */
final class CudaCheck {
  private static final Logger LOG = LoggerFactory.getLogger(CudaCheck.class);

  private CudaCheck() {}

  /**
   * Passes a success on.
   *
   * @param status what the call returned
   * @param call the call's name
   * @throws EngineException OUT_OF_MEMORY when the driver says so and only then, else INTERNAL;
   *     with the name of the call, and name and text of the error. An error of earlier work on the
   *     GPU may come back from any later call.
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
   * Looks at the status of a call that gives something back. Such calls run while other failures
   * are on their way and must not hide them, so this logs and does not throw.
   *
   * @param status what the call returned
   * @param call the call's name
   * @return whether the call succeeded; the caller remembers when it did not
   */
  static boolean released(int status, String call) {
    if (status == CUDA_SUCCESS) {
      return true;
    }
    LOG.error("could not give back to the GPU: {}", describe(status, call));
    return false;
  }

  /** Returns call, error name and error text in one line. */
  static String describe(int status, String call) {
    String[] name = {null};
    String[] text = {null};
    boolean isKnown =
        JCudaDriver.cuGetErrorName(status, name) == CUDA_SUCCESS
            && JCudaDriver.cuGetErrorString(status, text) == CUDA_SUCCESS;
    return isKnown
        ? call + " failed: " + name[0] + " (" + text[0] + ")"
        : call + " failed: unknown error " + status;
  }
}
