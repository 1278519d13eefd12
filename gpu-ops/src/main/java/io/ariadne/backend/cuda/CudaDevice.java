package io.ariadne.backend.cuda;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
import static jcuda.driver.CUresult.CUDA_SUCCESS;

import java.nio.charset.StandardCharsets;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/**
 * A GPU that can run the kernels.
 *
 * @param handle the driver's handle
 * @param ordinal its number among the GPUs this process sees
 * @param name the product's name
 * @param capability compute capability: 10 * major + minor
 * @param multiprocessors streaming multiprocessors
 * @param sharedBytesPerBlock shared memory that one block can have at most
 */
record CudaDevice(
    CUdevice handle,
    int ordinal,
    String name,
    int capability,
    int multiprocessors,
    int sharedBytesPerBlock) {
  /** The oldest compute capability the kernels are compiled for. */
  static final int MIN_CAPABILITY = 80;

  /** The oldest driver that reads the kernels' PTX 8.0: that of CUDA 12.0. */
  static final int MIN_DRIVER_VERSION = 12_000;

  private static final int NAME_BYTES = 256;

  /**
   * What looking for a device found.
   *
   * @param device the device, or null
   * @param reason why there is none, or null
   */
  record Search(CudaDevice device, String reason) {
    private static Search failed(String reason) {
      return new Search(null, reason);
    }
  }

  /** Looks for a device; loads JCuda and initialises the driver when nobody has. */
  static Search find(int ordinal) {
    String missing = CudaLibrary.reasonAgainst().orElse(null);
    if (missing != null) {
      return Search.failed(missing);
    }
    int status = JCudaDriver.cuInit(0);
    if (status != CUDA_SUCCESS) {
      return Search.failed(CudaCheck.describe(status, "cuInit"));
    }
    int[] version = {0};
    CudaCheck.check(JCudaDriver.cuDriverGetVersion(version), "cuDriverGetVersion");
    if (version[0] < MIN_DRIVER_VERSION) {
      return Search.failed(
          "the driver is of CUDA " + version(version[0], 1000, 10) + ", 12.0 or newer is needed");
    }
    int[] count = {0};
    CudaCheck.check(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
    if (ordinal < 0 || ordinal >= count[0]) {
      return Search.failed("there is no GPU " + ordinal + ", the driver has " + count[0]);
    }
    CudaDevice device = read(ordinal);
    if (device.capability() < MIN_CAPABILITY) {
      return Search.failed(
          device + " has compute capability " + version(device.capability(), 10, 1) + ", not 8.0");
    }
    return new Search(device, null);
  }

  private static String version(int number, int major, int minor) {
    return number / major + "." + number % major / minor;
  }

  private static CudaDevice read(int ordinal) {
    CUdevice handle = new CUdevice();
    CudaCheck.check(JCudaDriver.cuDeviceGet(handle, ordinal), "cuDeviceGet");
    byte[] name = new byte[NAME_BYTES];
    CudaCheck.check(JCudaDriver.cuDeviceGetName(name, NAME_BYTES, handle), "cuDeviceGetName");
    int major = attribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    int minor = attribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return new CudaDevice(
        handle,
        ordinal,
        new String(name, StandardCharsets.UTF_8).replaceAll("\0.*", ""),
        10 * major + minor,
        attribute(handle, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        attribute(handle, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  }

  private static int attribute(CUdevice handle, int attribute) {
    int[] value = {0};
    CudaCheck.check(
        JCudaDriver.cuDeviceGetAttribute(value, attribute, handle), "cuDeviceGetAttribute");
    return value[0];
  }

  /** Returns the architecture, for example {@code sm_90}. */
  String architecture() {
    return "sm_" + capability;
  }

  @Override
  public String toString() {
    return "GPU " + ordinal + " (" + name + ")";
  }
}
