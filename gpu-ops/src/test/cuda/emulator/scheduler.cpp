// Runs a launch: starts blocks in random order, runs their warps and lanes in random order, and
// resolves barriers and warp collectives. Every way of not arriving at one is an error.
#include "emulator/collective.hpp"
#include "emulator/fiber.hpp"
#include "emulator/lock.hpp"
#include "emulator/memory.hpp"
#include "emulator/meter.hpp"
#include "emulator/system.hpp"

extern "C" {
extern const kernel_record __start_ariadne_kernels[] __attribute__((visibility("hidden")));
extern const kernel_record __stop_ariadne_kernels[] __attribute__((visibility("hidden")));
}

namespace emulator {

launch_state launch;

namespace {

constexpr u32 kMinResidentBlocks = 3;
constexpr u64 kIdleRounds = 1000;  // fruitless turns of every resident thread before a deadlock

emulator_report report;
u32 next_uid = 1;

// The i-th block to start: a random permutation of the grid, since a GPU promises no order.
class block_order {
 public:
  explicit block_order(u32 grid) : grid_(grid), start_(random_below(grid)), step_(1) {
    do {
      step_ = 1 + random_below(grid);
    } while (common_divisor(step_, grid) != 1);
  }

  u32 block(u32 i) const {
    return static_cast<u32>((start_ + static_cast<u64>(i) * step_) % grid_);
  }

 private:
  static u32 common_divisor(u32 a, u32 b) { return b == 0 ? a : common_divisor(b, a % b); }

  u32 grid_;
  u32 start_;
  u32 step_;
};

void start_block(block& b, u32 slot, u32 index) {
  const emulator_launch_options& options = launch.options;
  b.live = true;
  b.slot = slot;
  b.uid = launch.first_uid + index;
  b.barrier_time = launch.time;
  b.warps = options.block / kLanes;
  b.waiting = 0;
  b.done = 0;
  b.known = nullptr;
  for (u32 w = 0; w < b.warps; w++) {
    b.warp_of[w] = {kLanes, 0, launch.time, 0};
  }
  for (u32 i = 0; i < options.block; i++) {
    thread& t = b.threads[i];
    u8* const stack = t.stack;
    t = {};
    t.stack = stack;
    t.thread_index = i;
    t.block_index = index;
    prepare_fiber(t);
  }
  poison_shared_memory(b);
}

void finish_block(block& b) {
  for (u32 i = 0; i < launch.options.block; i++) {
    const u64 accesses = b.threads[i].accesses;
    report.accesses += accesses;
    if (accesses > report.max_thread_accesses) {
      report.max_thread_accesses = accesses;
    }
  }
  if ((launch.options.flags & emulator_no_meter) == 0) {
    finish_meter(b);
  }
  b.live = false;
}

// Runs the ready lanes once, in random order.
void run_lanes(block& b, u32 w) {
  const u32 flip = random_below(kLanes);
  thread* lanes = b.threads + w * kLanes;
  for (u32 i = 0; i < kLanes && report.failed == 0; i++) {
    thread& t = lanes[i ^ flip];
    if (t.state != thread_state::ready) {
      continue;
    }
    run_fiber(t);
    if (t.state != thread_state::ready) {
      b.warp_of[w].ready--;
    }
    if (t.state == thread_state::at_block_barrier) {
      b.waiting++;
    } else if (t.state == thread_state::done) {
      b.warp_of[w].done++;
      b.done++;
      launch.idle = 0;
    }
  }
}

// Runs a warp until its lanes wait for other warps, or now and then only for a while.
void run_warp(block& b, u32 w) {
  do {
    run_lanes(b, w);
    if (report.failed != 0) {
      return;
    }
    if (b.warp_of[w].ready == 0 && resolve_collective(b, w)) {
      launch.idle = 0;
    }
  } while (report.failed == 0 && b.warp_of[w].ready > 0 && random_below(4) != 0);
}

void release_block_barrier(block& b) {
  launch.time++;
  b.barrier_time = launch.time;
  b.waiting = 0;
  for (u32 i = 0; i < launch.options.block; i++) {
    b.known = merge(b.known, b.threads[i].known);
  }
  for (u32 i = 0; i < launch.options.block; i++) {
    b.threads[i].known = b.known;
    b.threads[i].state = thread_state::ready;
  }
  for (u32 w = 0; w < b.warps; w++) {
    b.warp_of[w].ready = kLanes;
    b.warp_of[w].barrier_time = launch.time;
    b.warp_of[w].phase++;
  }
  launch.idle = 0;
}

const thread& waiting_thread(const block& b) {
  u32 i = 0;
  while (b.threads[i].state != thread_state::at_block_barrier) {
    i++;
  }
  return b.threads[i];
}

// Once no lane can run: opens the block barrier, or tells why it cannot be opened.
void resolve_block(block& b) {
  const u32 size = launch.options.block;
  if (b.done == size) {
    finish_block(b);
    return;
  }
  if (b.waiting == 0 || b.waiting + b.done < size) {
    return;
  }
  const thread& first = waiting_thread(b);
  if (b.done > 0) {
    record_error("divergent: block barrier that some threads never reach", &first, first.site,
                 nullptr, " (they have returned)");
    return;
  }
  for (u32 i = 0; i < size; i++) {
    if (b.threads[i].site != first.site) {
      record_error("divergent: threads of one block wait at different block barriers",
                   &b.threads[i], b.threads[i].site, nullptr);
      return;
    }
  }
  release_block_barrier(b);
}

// A random warp of the block that can run, or none.
bool run_some_warp(block& b) {
  const u32 first = random_below(b.warps);
  for (u32 i = 0; i < b.warps; i++) {
    const u32 w = (first + i) % b.warps;
    if (b.warp_of[w].ready > 0) {
      launch.running = &b;
      run_warp(b, w);
      return true;
    }
  }
  return false;
}

void run_blocks(u32 resident) {
  const u32 grid = launch.options.grid;
  const block_order order(grid);
  u32 started = 0;
  u32 live = 0;
  const u64 idle_limit = kIdleRounds * resident * launch.options.block;
  for (;;) {
    for (u32 slot = 0; slot < resident; slot++) {
      if (!launch.blocks[slot].live && started < grid) {
        start_block(launch.blocks[slot], slot, order.block(started++));
        live++;
      }
    }
    if (live == 0) {
      return;
    }
    block& b = launch.blocks[random_below(resident)];
    if (!b.live) {
      continue;
    }
    const bool ran = run_some_warp(b);
    if (report.failed == 0) {
      resolve_block(b);
    }
    if (report.failed != 0) {
      return;
    }
    live -= !b.live;
    launch.idle += !ran && b.live;
    if (launch.idle > idle_limit) {
      record_error("deadlock: the resident blocks wait and nothing changes", &b.threads[0], nullptr,
                   nullptr);
      return;
    }
  }
}

void prepare(void (*entry)(const void*), const void* args, u32 args_size,
             const emulator_launch_options& options) {
  if (launch.blocks[0].threads == nullptr) {
    thread* threads = map_array<thread>(kMaxResidentBlocks * kMaxBlockSize);
    u8* stacks = map_stacks(kMaxResidentBlocks * kMaxBlockSize);
    for (u32 i = 0; i < kMaxResidentBlocks * kMaxBlockSize; i++) {
      threads[i].stack = stacks + i * kStackStride;
    }
    for (u32 i = 0; i < kMaxResidentBlocks; i++) {
      launch.blocks[i].threads = threads + i * kMaxBlockSize;
    }
  }
  launch.entry = entry;
  launch.args = static_cast<const u8*>(args);
  launch.args_size = args_size;
  launch.options = options;
  launch.report = &report;
  launch.time = 1;
  launch.idle = 0;
  launch.first_uid = next_uid;
  next_uid += options.grid;
  launch.random = (options.seed + 1) * 0x9e3779b97f4a7c15ULL | 1;
  report = {};
  report.seed = options.seed;
  report.threads = u64{options.grid} * options.block;
  for (u32 i = 0; i < kMaxResidentBlocks; i++) {
    launch.blocks[i].live = false;
    launch.blocks[i].slot = i;
  }
  reset_order();
  reset_shared_memory();
  reset_meter();
}

const char* invalid_launch(const kernel_record* kernel, const emulator_launch_options& options) {
  if (kernel == nullptr) {
    return "launch: not a kernel of this library";
  }
  if (options.grid == 0 || options.block == 0 || options.block > kMaxBlockSize ||
      options.block % kLanes != 0) {
    return "launch: grid must be positive and block a multiple of 32 up to 1024";
  }
  if (options.block > kernel->block) {
    return "launch: block larger than the kernel's launch bound";
  }
  if (options.dynamic_shared > kDynamicSharedBytes) {
    return "launch: dynamic shared memory above 227 KiB";
  }
  return nullptr;
}

const kernel_record* find_kernel(void (*entry)(const void*)) {
  for (const kernel_record* k = __start_ariadne_kernels; k < __stop_ariadne_kernels; k++) {
    if (k->entry == entry) {
      return k;
    }
  }
  return nullptr;
}

}  // namespace

}  // namespace emulator

using namespace emulator;

extern "C" {

int ariadne_emulator_launch(void (*entry)(const void*), const void* args,
                            const emulator_launch_options* options) {
  locked guard;
  const kernel_record* kernel = find_kernel(entry);
  const char* invalid = invalid_launch(kernel, *options);
  if (invalid != nullptr) {
    report = {};
    launch.report = &report;
    record_error(invalid, nullptr, nullptr, nullptr);
    return 1;
  }
  prepare(entry, args, kernel->args_size, *options);
  const u32 wanted = kMinResidentBlocks + random_below(kMaxResidentBlocks - kMinResidentBlocks + 1);
  run_blocks(options->grid < wanted ? options->grid : wanted);
  if (report.failed == 0) {
    report_meter(report);
  }
  return report.failed != 0;
}

emulator_report* ariadne_emulator_report() { return &report; }
}
