package io.ariadne.backend.cuda;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the GPU of a process: the GPU of the system property, else the GPU that a resource
 * manager has assigned, else the visible GPU with the most free memory.
 */
final class GpuSelection {
  private static final Logger LOG = LoggerFactory.getLogger(GpuSelection.class);
  private static final Pattern ORDINAL = Pattern.compile("\\d{1,9}");
  private static final Pattern UUID = Pattern.compile("(?i)GPU-[0-9a-f-]+");

  /** Instances of a GPU; the driver knows only the UUID of the GPU that an instance is part of. */
  private static final Pattern INSTANCE = Pattern.compile("(?i)MIG-.+");

  private final CudaDevice.Visible visible;
  private final long chance;

  /**
   * A GPU that was chosen.
   *
   * @param device the GPU
   * @param why half a sentence for the log
   * @param usableDevices among how many GPUs processes that choose as this one does are spread
   * @param isGiven whether a resource manager has given the GPU to this process
   */
  record Choice(CudaDevice device, String why, int usableDevices, boolean isGiven) {}

  /**
   * Creates the selection among GPUs.
   *
   * @param visible those the process sees, at least one
   * @param chance decides between GPUs with equally much free memory: not negative, different in
   *     processes that start together
   */
  private GpuSelection(CudaDevice.Visible visible, long chance) {
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
    Choice choice = new GpuSelection(visible, ProcessHandle.current().pid()).choice(request);
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
      CudaDevice.Search search = visible.find(CudaBackend.configuredDevice());
      if (search.device() == null) {
        throw unavailable(search.reason());
      }
      // Every process of the machine uses the same GPU.
      return new Choice(search.device(), "by " + CudaBackend.DEVICE_PROPERTY, 1, false);
    }
    if (!request.addresses().isEmpty()) {
      return given(request);
    }
    return visible.count() == 1
        ? new Choice(visible.devices().get(0), "the only one the process sees", 1, false)
        : withMostFreeMemory();
  }

  /**
   * Returns the GPU of an address. Containers renumber devices, so an ordinal from outside may
   * differ from the driver's ordinal inside. When the process sees a single GPU, that one is used,
   * and it is unknown whether it is assigned to this process only.
   */
  private Choice given(GpuRequest request) {
    String address = request.addresses().get(0);
    String origin = request.origin();
    int count = request.addresses().size();
    String others = count == 1 ? "" : ", the first of " + count + ", as a process uses one GPU";
    String why = "address " + address + " of " + origin + others;
    List<CudaDevice> found =
        visible.devices().stream().filter(each -> isAt(each, address)).toList();
    if (found.size() == 1) {
      return new Choice(found.get(0), why, 1, true);
    }
    if (visible.count() == 1 && mayBeRenumbered(address)) {
      CudaDevice only = visible.devices().get(0);
      LOG.warn(
          "{} gives this process address {}, which cannot be compared with {} {}, the only one"
              + " that it sees and now uses; other processes may use it, too",
          origin,
          address,
          only,
          only.displayUuid());
      return new Choice(only, why + ", the only one the process sees", 1, false);
    }
    throw noSuchAddress(origin, address, !found.isEmpty());
  }

  private static boolean mayBeRenumbered(String address) {
    String text = address.trim();
    return ORDINAL.matcher(text).matches() || INSTANCE.matcher(text).matches();
  }

  private EngineException noSuchAddress(String origin, String address, boolean haveSeveral) {
    List<String> known = new ArrayList<>();
    visible.devices().forEach(each -> known.add(each + " " + each.displayUuid()));
    known.addAll(visible.broken().values());
    return new EngineException(
        ErrorCode.CONFIGURATION,
        origin
            + " gives this process address "
            + address
            + (haveSeveral ? ", which several GPUs have" : ", which no GPU has")
            + ": the driver has "
            + String.join(", ", known)
            + "; let the discovery script write ordinals or UUIDs that the driver has here, or"
            + " give its container one GPU");
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
    Map<CudaDevice, Long> free = new LinkedHashMap<>();
    EngineException failure = null;
    for (CudaDevice device : visible.devices()) {
      try {
        if (device.reasonAgainst() == null) {
          free.put(device, freeBytes(device));
        }
      } catch (EngineException e) {
        // For example, another process uses this GPU exclusively: another GPU may work.
        LOG.info("{} is left out: {}", device, e.getMessage());
        failure = e;
      }
    }
    if (free.isEmpty()) {
      throw failure == null ? unavailable(visible.devices().get(0).reasonAgainst()) : failure;
    }
    long most = Collections.max(free.values());
    List<CudaDevice> best = free.keySet().stream().filter(each -> free.get(each) == most).toList();
    CudaDevice chosen = best.get((int) (chance % best.size()));
    String why = (most >> 20) + " MiB free, the most of " + visible.count() + " that it sees";
    return new Choice(chosen, why, free.size(), false);
  }

  /** Returns the free memory of a GPU; the driver needs a context of the device for a moment. */
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
