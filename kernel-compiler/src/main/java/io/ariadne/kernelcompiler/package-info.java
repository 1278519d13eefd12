/**
 * The kernel toolchain: compiles the freestanding kernels of {@code gpu-ops} for every target.
 *
 * <p>{@link io.ariadne.kernelcompiler.KernelCompiler} is the main program; {@code KernelBuild} runs
 * the steps in order; {@code BuildStep} and {@code StepRunner} run only what changed; {@code
 * LlvmDistribution} unpacks the pinned clang and lld; {@code RecordLayouts} and the writers of Java
 * sources convert the kernels' structs and opcodes to {@code io.ariadne.kernel.abi}.
 *
 * <p>May depend on the JDK, the LLVM programs and JCuda's PTX compiler, and on no other module of
 * this project. The plugin's jar has no class of it.
 */
package io.ariadne.kernelcompiler;
