package io.ariadne.backend.cuda;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
import static jcuda.driver.CUresult.CUDA_SUCCESS;

import io.ariadne.error.EngineException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jcuda.driver.CUdevice;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A GPU that the process sees.
 *
 * @param handle the driver's handle
 * @param ordinal its number among the GPUs this process sees, as CUDA_VISIBLE_DEVICES leaves them
 * @param name the product's name
 * @param uuid 32 hexadecimal digits that no other GPU has
 * @param memoryInBytes its memory, for all processes
 * @param driverVersion of the driver: 1000 * major + 10 * minor of the newest CUDA it knows
 * @param capability compute capability: 10 * major + minor
 * @param multiprocessors streaming multiprocessors
 * @param sharedBytesPerBlock shared memory that one block can have at most
 */
record CudaDevice(
    CUdevice handle,
    int ordinal,
    String name,
    String uuid,
    long memoryInBytes,
    int driverVersion,
    int capability,
    int multiprocessors,
    int sharedBytesPerBlock) {
  /** The oldest compute capability the kernels are compiled for. */
  static final int MIN_CAPABILITY = 80;

  /** The oldest driver that reads the kernels' PTX 8.0: that of CUDA 12.0. */
  static final int MIN_DRIVER_VERSION = 12_000;

  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);
  private static final int NAME_BYTES = 256;

  /**
   * The GPUs that the process sees.
   *
   * @param devices those that the driver describes, in the order of their ordinals, at least one;
   *     empty when there is a reason
   * @param broken what the driver said instead of others, by their ordinals
   * @param reason why there are none, in one line, or null
   */
  record Visible(List<CudaDevice> devices, Map<Integer, String> broken, String reason) {
    private static Visible none(String reason) {
      return new Visible(List.of(), Map.of(), reason);
    }

    /** Looks for a device by its number. */
    Search find(int ordinal) {
      if (reason != null) {
        return new Search(null, reason);
      }
      for (CudaDevice device : devices) {
        if (device.ordinal() == ordinal) {
          String against = device.reasonAgainst();
          return against == null ? new Search(device, null) : new Search(null, against);
        }
      }
      String none = "there is no GPU " + ordinal + ", the driver has " + count();
      return new Search(null, broken.getOrDefault(ordinal, none));
    }

    /** Returns how many GPUs the process sees, those included that are broken. */
    int count() {
      return devices.size() + broken.size();
    }
  }

  /**
   * What looking for a device found.
   *
   * @param device the device, or null
   * @param reason why there is none, or null
   */
  record Search(CudaDevice device, String reason) {}

  /** Reads all devices; loads JCuda and initialises the driver when no thread has. */
  static Visible visible() {
    String missing = CudaLibrary.reasonAgainst().orElse(null);
    if (missing != null) {
      return Visible.none(missing);
    }
    int status = JCudaDriver.cuInit(0);
    if (status != CUDA_SUCCESS) {
      return Visible.none(CudaCheck.describe(status, "cuInit"));
    }
    int[] version = {0};
    CudaCheck.check(JCudaDriver.cuDriverGetVersion(version), "cuDriverGetVersion");
    if (version[0] < MIN_DRIVER_VERSION) {
      return Visible.none("the driver is of " + cuda(version[0]) + ", 12.0 or newer is needed");
    }
    int[] count = {0};
    CudaCheck.check(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
    return count[0] == 0 ? Visible.none("the driver has no GPU") : readAll(count[0], version[0]);
  }

  /** A GPU that the driver cannot describe does not keep the process from the others. */
  private static Visible readAll(int count, int driverVersion) {
    List<CudaDevice> devices = new ArrayList<>();
    Map<Integer, String> broken = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      try {
        devices.add(read(i, driverVersion));
      } catch (EngineException e) {
        LOG.warn("GPU {} is left out: {}", i, e.getMessage());
        broken.put(i, "GPU " + i + ": " + e.getMessage());
      }
    }
    return devices.isEmpty()
        ? Visible.none(String.join(", ", broken.values()))
        : new Visible(List.copyOf(devices), broken, null);
  }

  /** Reads all devices and looks for one by its number. */
  static Search find(int ordinal) {
    return visible().find(ordinal);
  }

  /** Returns why the kernels do not run on this device, or null when they do. */
  String reasonAgainst() {
    return capability < MIN_CAPABILITY
        ? this + " has compute capability " + version(capability, 10, 1) + ", not 8.0"
        : null;
  }

  private static String version(int number, int major, int minor) {
    return number / major + "." + number % major / minor;
  }

  private static String cuda(int driverVersion) {
    return "CUDA " + version(driverVersion, 1000, 10);
  }

  private static CudaDevice read(int ordinal, int driverVersion) {
    CUdevice handle = new CUdevice();
    CudaCheck.check(JCudaDriver.cuDeviceGet(handle, ordinal), "cuDeviceGet");
    byte[] name = new byte[NAME_BYTES];
    CudaCheck.check(JCudaDriver.cuDeviceGetName(name, NAME_BYTES, handle), "cuDeviceGetName");
    CUuuid uuid = new CUuuid();
    CudaCheck.check(JCudaDriver.cuDeviceGetUuid(uuid, handle), "cuDeviceGetUuid");
    long[] memory = {0};
    CudaCheck.check(JCudaDriver.cuDeviceTotalMem(memory, handle), "cuDeviceTotalMem");
    int major = attribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    int minor = attribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return new CudaDevice(
        handle,
        ordinal,
        new String(name, StandardCharsets.UTF_8).replaceAll("\0.*", ""),
        HexFormat.of().formatHex(uuid.bytes),
        memory[0],
        driverVersion,
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

  /** Returns everything that people ask of a GPU first, in part of a line. */
  String description() {
    return this
        + ", "
        + (memoryInBytes >> 20)
        + " MiB, compute capability "
        + version(capability, 10, 1)
        + ", driver of "
        + cuda(driverVersion);
  }

  /** Returns the UUID as the driver's tools write it. */
  String displayUuid() {
    return "GPU-"
        + String.join(
            "-",
            uuid.substring(0, 8),
            uuid.substring(8, 12),
            uuid.substring(12, 16),
            uuid.substring(16, 20),
            uuid.substring(20));
  }

  @Override
  public String toString() {
    return "GPU " + ordinal + " (" + name + ")";
  }
}
