package io.ariadne.backend.cuda;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the GPU of a process: the one of the system property, else the one that a resource
 * manager has given, else the one with the most free memory of those that the process sees.
 */
final class GpuSelection {
  private static final Logger LOG = LoggerFactory.getLogger(GpuSelection.class);
  private static final Pattern ORDINAL = Pattern.compile("\\d{1,9}");
  private static final Pattern UUID = Pattern.compile("(?i)(GPU|MIG)-[0-9a-f-]+");

  private final List<CudaDevice> visible;
  private final long chance;

  /**
   * A GPU that was chosen.
   *
   * @param device the GPU
   * @param why half a sentence for the log
   * @param visibleDevices how many GPUs the process sees
   */
  record Choice(CudaDevice device, String why, int visibleDevices) {}

  /**
   * Creates the selection among GPUs.
   *
   * @param visible those the process sees, at least one
   * @param chance decides between GPUs with equally much free memory: not negative, different in
   *     processes that start together
   */
  private GpuSelection(List<CudaDevice> visible, long chance) {
    this.visible = visible;
    this.chance = chance;
  }

  /**
   * Chooses a GPU.
   *
   * @throws EngineException CONFIGURATION with a message of one line when there is none, or not the
   *     one that is asked for; INTERNAL when the driver fails
   */
  static Choice choose(GpuRequest request) {
    CudaDevice.Visible visible = CudaDevice.visible();
    if (visible.reason() != null) {
      throw unavailable(visible.reason());
    }
    Choice choice =
        new GpuSelection(visible.devices(), ProcessHandle.current().pid()).choice(request);
    String reason = choice.device().reasonAgainst();
    if (reason != null) {
      throw unavailable(reason);
    }
    return choice;
  }

  private static EngineException unavailable(String reason) {
    return new EngineException(ErrorCode.CONFIGURATION, "CUDA is not available: " + reason);
  }

  private Choice choice(GpuRequest request) {
    if (CudaBackend.isDeviceConfigured()) {
      CudaDevice.Search search = CudaDevice.find(CudaBackend.configuredDevice());
      if (search.device() == null) {
        throw unavailable(search.reason());
      }
      return choose(search.device(), "by " + CudaBackend.DEVICE_PROPERTY);
    }
    if (!request.addresses().isEmpty()) {
      return given(request);
    }
    return visible.size() == 1
        ? choose(visible.get(0), "the only one the process sees")
        : withMostFreeMemory();
  }

  private Choice choose(CudaDevice device, String why) {
    return new Choice(device, why, visible.size());
  }

  /**
   * Returns the GPU of an address. Containers renumber devices, so that an address from outside
   * need not be one of the driver's inside: where the process sees one GPU, that is the one given.
   */
  private Choice given(GpuRequest request) {
    String address = request.addresses().get(0);
    String origin = request.origin();
    int count = request.addresses().size();
    String others = count == 1 ? "" : ", the first of " + count + ", as a process uses one GPU";
    String why = "address " + address + " of " + origin + others;
    List<CudaDevice> found = visible.stream().filter(each -> isAt(each, address)).toList();
    if (found.size() == 1) {
      return choose(found.get(0), why);
    }
    if (visible.size() == 1) {
      return choose(visible.get(0), why + ", the only one the process sees");
    }
    String known =
        visible.stream()
            .map(each -> each + " " + each.displayUuid())
            .collect(Collectors.joining(", "));
    throw new EngineException(
        ErrorCode.CONFIGURATION,
        origin
            + " gives this executor address "
            + address
            + (found.isEmpty() ? ", which no GPU has" : ", which several GPUs have")
            + ": the driver has "
            + known
            + "; let the discovery script write ordinals or UUIDs that the driver has here, or"
            + " give the executor's container one GPU");
  }

  private static boolean isAt(CudaDevice device, String address) {
    String text = address.trim();
    if (ORDINAL.matcher(text).matches()) {
      return Integer.parseInt(text) == device.ordinal();
    }
    return UUID.matcher(text).matches()
        && device.uuid().startsWith(text.substring(4).replace("-", "").toLowerCase(Locale.ROOT));
  }

  private Choice withMostFreeMemory() {
    List<CudaDevice> best = new ArrayList<>();
    long most = -1;
    EngineException failure = null;
    for (CudaDevice device : visible) {
      try {
        long free = device.reasonAgainst() == null ? freeBytes(device) : -1;
        if (free > most) {
          best.clear();
          most = free;
        }
        if (free == most && free >= 0) {
          best.add(device);
        }
      } catch (EngineException e) {
        // One that is exclusively another process's, say: others may do.
        LOG.info("{} is left out: {}", device, e.getMessage());
        failure = e;
      }
    }
    if (best.isEmpty()) {
      throw failure == null ? unavailable(visible.get(0).reasonAgainst()) : failure;
    }
    CudaDevice chosen = best.get((int) (chance % best.size()));
    return choose(
        chosen, (most >> 20) + " MiB free, the most of " + visible.size() + " that it sees");
  }

  /** Asks for the free memory, for which the driver needs a context of the device for a moment. */
  private static long freeBytes(CudaDevice device) {
    CUcontext context = new CUcontext();
    CudaCheck.check(
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device.handle()), "cuDevicePrimaryCtxRetain");
    try {
      CudaCheck.check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
      long[] free = {0};
      long[] total = {0};
      CudaCheck.check(JCudaDriver.cuMemGetInfo(free, total), "cuMemGetInfo");
      return free[0];
    } finally {
      CudaCheck.released(
          JCudaDriver.cuDevicePrimaryCtxRelease(device.handle()), "cuDevicePrimaryCtxRelease");
    }
  }
}
