// Fibers: one hand-written context switch for the System V x86-64 convention.
#include "emulator/fiber.hpp"

#include "emulator/system.hpp"

extern "C" void emulator_switch_stack(void** saved_stack_pointer, void* stack_pointer);

// Saves the callee-saved registers on the current stack and takes up another one.
asm(R"(
.text
.globl emulator_switch_stack
.hidden emulator_switch_stack
.type emulator_switch_stack,@function
emulator_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size emulator_switch_stack, .-emulator_switch_stack
)");

namespace emulator {

u8* map_stacks(u32 count) {
  const usize stride = kStackBytes + kGuardBytes;
  u8* stacks = static_cast<u8*>(map_pages(count * stride));
  for (u32 i = 0; i < count; i++) {
    if (mprotect(stacks + i * stride, kGuardBytes, 0) != 0) {
      abort();
    }
  }
  return stacks + kGuardBytes;
}

static void fiber_main() {
  launch.entry(launch.args);
  launch.self->state = thread_state::done;
  yield();
  abort();  // a finished fiber is never run again
}

void prepare_fiber(thread& t) {
  constexpr u32 saved_registers = 6;
  void** top = reinterpret_cast<void**>(t.stack + kStackBytes - 64);
  *--top = nullptr;  // a return address that is never used; keeps the stack aligned
  *--top = reinterpret_cast<void*>(fiber_main);
  for (u32 i = 0; i < saved_registers; i++) {
    *--top = nullptr;
  }
  t.stack_pointer = top;
}

void run_fiber(thread& t) {
  launch.self = &t;
  launch.report->switches++;
  emulator_switch_stack(&launch.scheduler_stack_pointer, t.stack_pointer);
  launch.self = nullptr;
}

void yield() {
  thread& t = *launch.self;
  t.atomics_since_switch = 0;
  emulator_switch_stack(&t.stack_pointer, launch.scheduler_stack_pointer);
}

}  // namespace emulator

using namespace emulator;

extern "C" {

u32 emulator_thread_index() { return launch.self->thread_index; }
u32 emulator_block_index() { return launch.self->block_index; }
u32 emulator_block_size() { return launch.options.block; }
u32 emulator_grid_size() { return launch.options.grid; }
}
