package io.ariadne.backend.cuda;

import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
import static jcuda.driver.CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU;

import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.cpu.KernelTable;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.KernelCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/**
 * The kernels of one context, by name. A family is loaded from the jar when one of its kernels is
 * first asked for: as machine code when the jar has some for the device, else as PTX, which the
 * driver compiles. Thread-safe.
 */
final class CudaKernels {
  private static final String FOLDER = "/io/ariadne/native/cuda/";
  private static final String ARCHITECTURE_PREFIX = "sm_";

  private final CudaContext context;
  private final KernelTable records = KernelTable.ofHost();
  private final Map<String, CUmodule> modules = new HashMap<>();
  private final Map<String, CudaKernel> kernels = new HashMap<>();

  CudaKernels(CudaContext context) {
    this.context = context;
  }

  /**
   * Returns a kernel, loaded now if nobody has asked for it before.
   *
   * @throws EngineException INTERNAL when there is none of that name, or the driver refuses it
   */
  synchronized CudaKernel kernel(String name) {
    CudaKernel kernel = kernels.get(name);
    if (kernel == null) {
      context.makeCurrent();
      kernel = load(name);
      kernels.put(name, kernel);
    }
    return kernel;
  }

  private CudaKernel load(String name) {
    KernelTable.Entry record =
        records
            .find(name)
            .orElseThrow(() -> new EngineException(ErrorCode.INTERNAL, "no kernel is " + name));
    CUfunction handle = new CUfunction();
    CudaCheck.check(
        JCudaDriver.cuModuleGetFunction(handle, module(familyOf(name)), name),
        "cuModuleGetFunction of " + name);
    KernelFunction function =
        new KernelFunction(
            name,
            0,
            record.blockSize(),
            record.itemsPerThread(),
            record.dynamicSharedInBytes(),
            record.argumentsSizeInBytes());
    return new CudaKernel(function, handle, context.device(), allowSharedMemory(handle));
  }

  private static String familyOf(String kernel) {
    for (KernelCatalog.Family family : KernelCatalog.FAMILIES) {
      if (family.kernels().stream().anyMatch(k -> k.name().equals(kernel))) {
        return family.name();
      }
    }
    throw new EngineException(
        ErrorCode.INTERNAL, "this build has no GPU code for kernel " + kernel);
  }

  /** Lets a kernel have all the shared memory there is; without asking it gets 48 KiB. */
  private int allowSharedMemory(CUfunction handle) {
    int[] fixed = {0};
    CudaCheck.check(
        JCudaDriver.cuFuncGetAttribute(fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, handle),
        "cuFuncGetAttribute");
    int dynamic = context.device().sharedBytesPerBlock() - fixed[0];
    CudaCheck.check(
        JCudaDriver.cuFuncSetAttribute(
            handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, dynamic),
        "cuFuncSetAttribute");
    return dynamic;
  }

  private CUmodule module(String family) {
    CUmodule module = modules.get(family);
    if (module == null) {
      module = load(family, machineCode(context.device().capability()));
      modules.put(family, module);
    }
    return module;
  }

  private static CUmodule load(String family, Optional<String> architecture) {
    if (architecture.isPresent()) {
      CUmodule module = new CUmodule();
      String file = family + "." + architecture.get() + ".cubin";
      int status = JCudaDriver.cuModuleLoadData(module, read(file));
      if (status != CUDA_ERROR_NO_BINARY_FOR_GPU) {
        CudaCheck.check(status, "cuModuleLoadData of " + file);
        return module;
      }
    }
    CUmodule module = new CUmodule();
    String file = family + ".ptx";
    byte[] text = read(file);
    byte[] terminated = Arrays.copyOf(text, text.length + 1);
    CudaCheck.check(
        JCudaDriver.cuModuleLoadData(module, terminated), "cuModuleLoadData of " + file);
    return module;
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

  private static byte[] read(String file) {
    try (InputStream stream = CudaKernels.class.getResourceAsStream(FOLDER + file)) {
      if (stream == null) {
        throw new EngineException(ErrorCode.INTERNAL, "the jar lacks " + FOLDER + file);
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new EngineException(ErrorCode.INTERNAL, "cannot read " + FOLDER + file, e);
    }
  }

  /** Unloads everything; nothing may be running. */
  synchronized void unload() {
    for (CUmodule module : modules.values()) {
      context.release(() -> JCudaDriver.cuModuleUnload(module), "cuModuleUnload");
    }
    modules.clear();
    kernels.clear();
  }
}
