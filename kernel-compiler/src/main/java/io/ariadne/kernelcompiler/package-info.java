/**
 * The kernel toolchain: compiles the freestanding kernels of {@code gpu-ops} for every target.
 *
 * <p>{@link io.ariadne.kernelcompiler.KernelCompiler} is the program; {@code KernelBuild} holds the
 * order of the steps; {@code BuildStep} and {@code StepRunner} run only what changed; {@code
 * LlvmDistribution} unpacks the pinned clang and lld; {@code RecordLayouts} and the writers of Java
 * sources turn the kernels' structs and opcodes into {@code io.ariadne.kernel.abi}.
 *
 * <p>It may depend on the JDK, the LLVM programs and JCuda's PTX compiler. It must not know any
 * other module of this project, and nothing of it may be packed into the plugin jar.
 */
package io.ariadne.kernelcompiler;
