// Modules: images of machine code or PTX, of which only the names of the kernels are used.
#include "driver/driver.hpp"

extern "C" {
extern const kernel_record __start_ariadne_kernels[] __attribute__((visibility("hidden")));
extern const kernel_record __stop_ariadne_kernels[] __attribute__((visibility("hidden")));
}

namespace driver {

struct module {
  bool live;
  u8* image;
  u64 bytes;
};

namespace {

constexpr u32 kMaxModules = 256;
constexpr u32 kElfMagic = 0x464c457f;
constexpr u32 kMaxPtxBytes = 16 << 20;
constexpr u32 kSectionTableOffset = 40;
constexpr u32 kFlags = 48;
constexpr u32 kSectionEntrySize = 58;
constexpr i32 kOldestPtxTarget = 80;

module modules[kMaxModules];

template <typename T>
T read(const u8* at) {
  T value;
  memcpy(&value, at, sizeof(T));
  return value;
}

bool same(const char* a, const char* b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

u64 length(const char* text) {
  u64 n = 0;
  while (text[n] != 0) {
    n++;
  }
  return n;
}

bool holds(const u8* image, u64 bytes, const char* name) {
  const u64 n = length(name);
  for (u64 i = 0; i + n <= bytes; i++) {
    u64 k = 0;
    while (k < n && image[i + k] == static_cast<u8>(name[k])) {
      k++;
    }
    if (k == n) {
      return true;
    }
  }
  return false;
}

// Machine code of one architecture runs on it and on later ones of the same generation.
i32 check_machine_code(const u8* image) {
  const i32 architecture = read<u32>(image + kFlags) & 0xff;
  const i32 capability = state.options.capability;
  const bool fits = architecture / 10 == capability / 10 && architecture <= capability;
  return fits ? success : no_binary_for_gpu;
}

}  // namespace

module* load_module(const u8* image, i32* status) {
  u64 bytes = 0;
  if (read<u32>(image) == kElfMagic) {
    bytes = read<u64>(image + kSectionTableOffset) +
            u64{read<u16>(image + kSectionEntrySize)} * read<u16>(image + kSectionEntrySize + 2);
    *status = check_machine_code(image);
  } else {
    bytes = length(reinterpret_cast<const char*>(image));
    const bool is_ptx = bytes < kMaxPtxBytes && holds(image, bytes, ".version");
    *status = !is_ptx                                       ? invalid_image
              : state.options.capability < kOldestPtxTarget ? no_binary_for_gpu
                                                            : success;
  }
  if (*status != success) {
    return nullptr;
  }
  for (module& m : modules) {
    if (!m.live) {
      m = {true, static_cast<u8*>(emulator::map_pages(bytes)), bytes};
      memcpy(m.image, image, bytes);
      return &m;
    }
  }
  *status = out_of_memory;
  return nullptr;
}

bool unload_module(module* m) {
  if (m < modules || m >= modules + kMaxModules || !m->live) {
    return false;
  }
  munmap(m->image, m->bytes);
  m->live = false;
  return true;
}

const kernel_record* find_kernel(const module* m, const char* name) {
  for (const kernel_record* k = __start_ariadne_kernels; k < __stop_ariadne_kernels; k++) {
    if (same(k->name, name) && holds(m->image, m->bytes, name)) {
      return k;
    }
  }
  return nullptr;
}

u64 open_modules() {
  u64 count = 0;
  for (const module& m : modules) {
    count += m.live;
  }
  return count;
}

void unload_all_modules() {
  for (module& m : modules) {
    if (m.live) {
      unload_module(&m);
    }
  }
}

}  // namespace driver
