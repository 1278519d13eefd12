package io.ariadne.io.gds;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The names of what cuFile and the system return.
 *
 * <p>Source: NVIDIA, cuFile API Reference Guide, enum CUfileOpError; Linux, errno.h.
 */
final class CuFileErrors {
  /** Errors of cuFile are greater; smaller ones are error numbers of the system. */
  static final int BASE = 5000;

  static final int DRIVER_NOT_INITIALIZED = 5001;

  /** What {@link CuFileNative#read} returns for a failure without an error number. */
  static final long UNKNOWN_FAILURE = -1L << 62;

  /** Names of cuFile's errors from 5001 on; empty where there is none. */
  private static final String[] NAMES = {
    "DRIVER_NOT_INITIALIZED",
    "DRIVER_INVALID_PROPS",
    "DRIVER_UNSUPPORTED_LIMIT",
    "DRIVER_VERSION_MISMATCH",
    "DRIVER_VERSION_READ_ERROR",
    "DRIVER_CLOSING",
    "PLATFORM_NOT_SUPPORTED",
    "IO_NOT_SUPPORTED",
    "DEVICE_NOT_SUPPORTED",
    "NVFS_DRIVER_ERROR",
    "CUDA_DRIVER_ERROR",
    "CUDA_POINTER_INVALID",
    "CUDA_MEMORY_TYPE_INVALID",
    "CUDA_POINTER_RANGE_ERROR",
    "CUDA_CONTEXT_MISMATCH",
    "INVALID_MAPPING_SIZE",
    "INVALID_MAPPING_RANGE",
    "INVALID_FILE_TYPE",
    "INVALID_FILE_OPEN_FLAG",
    "DIO_NOT_SET",
    "",
    "INVALID_VALUE",
    "MEMORY_ALREADY_REGISTERED",
    "MEMORY_NOT_REGISTERED",
    "PERMISSION_DENIED",
    "DRIVER_ALREADY_OPEN",
    "HANDLE_NOT_REGISTERED",
    "HANDLE_ALREADY_REGISTERED",
    "DEVICE_NOT_FOUND",
    "INTERNAL_ERROR",
    "GETNEWFD_FAILED",
    "",
    "NVFS_SETUP_ERROR",
    "IO_DISABLED",
    "BATCH_SUBMIT_FAILED",
    "GPU_MEMORY_PINNING_FAILED",
    "BATCH_FULL",
    "ASYNC_NOT_SUPPORTED",
    "INTERNAL_BATCH_SETUP_ERROR",
    "INTERNAL_BATCH_SUBMIT_ERROR",
    "INTERNAL_BATCH_GETSTATUS_ERROR",
    "INTERNAL_BATCH_CANCEL_ERROR",
    "NOMEM_ERROR",
    "IO_ERROR",
    "INTERNAL_BUF_REGISTER_ERROR",
    "HASH_OPR_ERROR",
    "INVALID_CONTEXT_ERROR",
    "NVFS_INTERNAL_DRIVER_ERROR",
    "BATCH_NOCOMPAT_ERROR",
    "IO_MAX_ERROR",
  };

  /** What to do about errors that an administrator can do something about. */
  private static final Map<Integer, String> ADVICE =
      Map.of(
          DRIVER_NOT_INITIALIZED,
          "load the kernel module nvidia-fs",
          5004,
          "install libcufile and nvidia-fs of the same release",
          5025,
          "let this user read /dev/nvidia-fs*",
          5034,
          "see the settings of /etc/cufile.json or of CUFILE_ENV_PATH_JSON");

  /** Errors that hold for all files of a file system. */
  private static final Set<Integer> OF_FILE_SYSTEM =
      Set.of(DRIVER_NOT_INITIALIZED, 5007, 5008, 5009, 5018, 5019, 5020, 5034);

  private static final Map<Integer, String> SYSTEM_NAMES = systemNames();

  private CuFileErrors() {}

  private static Map<Integer, String> systemNames() {
    Map<Integer, String> names = new HashMap<>();
    names.put(1, "EPERM");
    names.put(2, "ENOENT");
    names.put(4, "EINTR");
    names.put(5, "EIO");
    names.put(6, "ENXIO");
    names.put(9, "EBADF");
    names.put(11, "EAGAIN");
    names.put(12, "ENOMEM");
    names.put(13, "EACCES");
    names.put(14, "EFAULT");
    names.put(16, "EBUSY");
    names.put(19, "ENODEV");
    names.put(20, "ENOTDIR");
    names.put(21, "EISDIR");
    names.put(22, "EINVAL");
    names.put(23, "ENFILE");
    names.put(24, "EMFILE");
    names.put(40, "ELOOP");
    names.put(95, "EOPNOTSUPP");
    names.put(110, "ETIMEDOUT");
    names.put(116, "ESTALE");
    names.put(121, "EREMOTEIO");
    return names;
  }

  /** Returns whether a status says that the call has succeeded. */
  static boolean isSuccess(long status) {
    return error(status) == 0;
  }

  /** Returns the error of cuFile in a status. */
  static int error(long status) {
    return (int) status;
  }

  /** Returns whether an error holds for all files of a file system. */
  static boolean isOfFileSystem(int error) {
    return OF_FILE_SYSTEM.contains(error);
  }

  /** Describes a status: names and numbers of its errors, and what to do. */
  static String describe(long status) {
    int cudaError = (int) (status >>> 32);
    return name(error(status)) + (cudaError == 0 ? "" : " with CUDA error " + cudaError);
  }

  /** Returns name and number of an error of cuFile or of the system, and what to do. */
  static String name(int error) {
    int index = error - BASE - 1;
    if (index >= 0 && index < NAMES.length && !NAMES[index].isEmpty()) {
      String advice = ADVICE.getOrDefault(error, "");
      return "CU_FILE_"
          + NAMES[index]
          + " ("
          + error
          + (advice.isEmpty() ? ")" : "; " + advice + ")");
    }
    if (error > BASE) {
      return "cuFile's error " + error;
    }
    String system = SYSTEM_NAMES.get(error);
    return system == null ? "error number " + error : system + " (" + error + ")";
  }

  /**
   * Describes what {@link CuFileNative#read} returned.
   *
   * @param result a negative result
   */
  static String nameOfResult(long result) {
    return result == UNKNOWN_FAILURE ? "an unknown error" : name((int) -result);
  }

  /** Returns whether a result is an error of cuFile, as opposed to one of the system. */
  static boolean isOfCuFile(long result) {
    return result < -BASE && result != UNKNOWN_FAILURE;
  }
}
