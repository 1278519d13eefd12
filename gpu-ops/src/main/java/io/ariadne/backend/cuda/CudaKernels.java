package io.ariadne.backend.cuda;

import io.ariadne.backend.cpu.KernelTable;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.KernelCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The kernels of one context, by name. A {@link CudaFamily} is loaded when one of its kernels is
 * first needed. Thread-safe.
 */
final class CudaKernels {
  private static final String ARCHITECTURE_PREFIX = "sm_";

  private final KernelTable records = KernelTable.ofHost();

  private final List<CudaFamily> families = new ArrayList<>();

  /** The family of each kernel. */
  private final Map<String, CudaFamily> familyOf = new HashMap<>();

  /** The loaded kernels; most lookups end here. */
  private final Map<String, CudaKernel> loaded = new ConcurrentHashMap<>();

  CudaKernels(CudaContext context) {
    for (KernelCatalog.Family each : KernelCatalog.FAMILIES) {
      CudaFamily family = new CudaFamily(each.name(), context);
      families.add(family);
      each.kernels().forEach(kernel -> familyOf.put(kernel.name(), family));
    }
  }

  /**
   * Returns a kernel, loaded now if no thread has asked for it before.
   *
   * @throws EngineException INTERNAL when there is none of that name, or the driver refuses it
   */
  CudaKernel kernel(String name) {
    CudaKernel kernel = loaded.get(name);
    if (kernel == null) {
      kernel = load(name);
      loaded.put(name, kernel);
    }
    return kernel;
  }

  private CudaKernel load(String name) {
    KernelTable.Entry record =
        records
            .find(name)
            .orElseThrow(() -> new EngineException(ErrorCode.INTERNAL, "no kernel is " + name));
    CudaFamily family = familyOf.get(name);
    if (family == null) {
      throw new EngineException(
          ErrorCode.INTERNAL, "this build has no GPU code for kernel " + name);
    }
    return family.kernel(record);
  }

  /**
   * Returns the architecture in the jar whose machine code runs on a device: the newest of the same
   * generation that is not newer than the device.
   *
   * @param capability 10 * major + minor
   */
  static Optional<String> machineCode(int capability) {
    return KernelCatalog.ARCHITECTURES.stream()
        .map(name -> Integer.parseInt(name.substring(ARCHITECTURE_PREFIX.length())))
        .filter(each -> each / 10 == capability / 10 && each <= capability)
        .max(Integer::compare)
        .map(each -> ARCHITECTURE_PREFIX + each);
  }

  /** Unloads everything; nothing may be running. */
  void unload() {
    loaded.clear();
    Closer closer = new Closer();
    families.forEach(family -> closer.close(family::unload));
    closer.rethrow();
  }
}
