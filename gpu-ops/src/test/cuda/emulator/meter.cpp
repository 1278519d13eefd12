#include "emulator/meter.hpp"

#include "emulator/system.hpp"

extern "C" {
extern const u8 __ehdr_start[] __attribute__((visibility("hidden")));
}

namespace emulator {

namespace {

constexpr u32 kSectorBytes = 32;
constexpr u32 kWindowBytes = 2048;  // bytes around the first access that a request tells apart
constexpr u32 kWindowWords = kWindowBytes / 64;
constexpr u32 kRequestsPerChunk = 16;
constexpr u32 kChunks = 256;
constexpr u32 kSitesPerWarp = 1024;
constexpr u32 kTotals = 4096;
constexpr u64 kNoOccurrence = ~0ull;

struct request {
  u64 occurrence;
  u64 window;  // address of the first byte of the bitmap
  u64 bytes[kWindowWords];
  u64 far_sectors;  // sectors and bytes outside the window, not told apart
  u64 far_bytes;
  u64 last_far_sector;
};

struct chunk {
  request requests[kRequestsPerChunk];
  chunk* next_free;
};

// Requests of one warp at one place in the code.
struct warp_site {
  const void* site;
  u32 phase;     // of the warp, when these requests began
  u32 requests;  // occurrences seen in this phase
  u32 lane_count[kLanes];
  chunk* chunks[kChunks];
};

struct warp_meter {
  warp_site* table;  // kSitesPerWarp, open addressing by site
  u32 used[kSitesPerWarp];
  u32 used_count;
};

struct site_total {
  const void* site;
  u64 sectors;
  u64 bytes;
};

warp_meter* meters;  // kMaxResidentBlocks * kMaxWarps
chunk* free_chunks;
site_total* totals;

u32 hash_site(const void* site) {
  return static_cast<u32>(reinterpret_cast<u64>(site) * 0x9e3779b97f4a7c15ULL >> 40);
}

site_total& total_of(const void* site) {
  u32 slot = hash_site(site) % kTotals;
  while (totals[slot].site != nullptr && totals[slot].site != site) {
    slot = (slot + 1) % kTotals;
  }
  totals[slot].site = site;
  return totals[slot];
}

chunk* take_chunk() {
  chunk* c = free_chunks;
  if (c == nullptr) {
    constexpr u32 batch = 64;
    c = map_array<chunk>(batch);
    for (u32 i = 0; i + 1 < batch; i++) {
      c[i].next_free = i + 2 < batch ? &c[i + 1] : nullptr;
    }
    free_chunks = c;
    return &c[batch - 1];
  }
  free_chunks = c->next_free;
  return c;
}

u32 count_sectors(u64 word) {
  return (static_cast<u32>(word) != 0) + (static_cast<u32>(word >> 32) != 0);
}

void finish(request& r, site_total& total) {
  if (r.occurrence == kNoOccurrence) {
    return;
  }
  total.sectors += r.far_sectors;
  total.bytes += r.far_bytes;
  for (u64 word : r.bytes) {
    total.sectors += count_sectors(word);
    total.bytes += static_cast<u64>(__builtin_popcountll(word));
  }
  r.occurrence = kNoOccurrence;
}

void start(request& r, u64 occurrence, u64 address) {
  memset(&r, 0, sizeof(r));
  r.occurrence = occurrence;
  r.window = address / kSectorBytes * kSectorBytes - kWindowBytes / 2;
  r.last_far_sector = ~0ull;
}

void add(request& r, u64 address, u32 bytes) {
  const u64 offset = address - r.window;
  if (offset > kWindowBytes - bytes) {  // below the window wraps around
    const u64 sector = address / kSectorBytes;
    r.far_sectors += sector != r.last_far_sector;
    r.last_far_sector = sector;
    r.far_bytes += bytes;
    return;
  }
  const u64 mask = (1ull << bytes) - 1;
  const u32 word = static_cast<u32>(offset / 64);
  const u32 shift = static_cast<u32>(offset % 64);
  r.bytes[word] |= mask << shift;
  if (shift + bytes > 64) {
    r.bytes[word + 1] |= mask >> (64 - shift);
  }
}

warp_site& site_of(warp_meter& m, const void* site) {
  u32 slot = hash_site(site) % kSitesPerWarp;
  while (m.table[slot].site != site) {
    if (m.table[slot].site == nullptr) {
      m.table[slot].site = site;
      m.table[slot].requests = 0;
      m.used[m.used_count++] = slot;
      break;
    }
    slot = (slot + 1) % kSitesPerWarp;
  }
  return m.table[slot];
}

warp_meter& meter_of(u32 slot, u32 warp) { return meters[slot * kMaxWarps + warp]; }

// Adds up the requests of the phase that has ended.
void finish_phase(warp_site& s) {
  site_total& total = total_of(s.site);
  const u32 kept =
      s.requests < kChunks * kRequestsPerChunk ? s.requests : kChunks * kRequestsPerChunk;
  for (u32 i = 0; i < kept; i++) {
    finish(s.chunks[i / kRequestsPerChunk]->requests[i % kRequestsPerChunk], total);
  }
  memset(s.lane_count, 0, sizeof(s.lane_count));
  s.requests = 0;
}

void finish_site(warp_site& s) {
  finish_phase(s);
  for (chunk*& c : s.chunks) {
    if (c == nullptr) {
      break;
    }
    c->next_free = free_chunks;
    free_chunks = c;
    c = nullptr;
  }
  s.site = nullptr;
}

}  // namespace

void reset_meter() {
  if (meters == nullptr) {
    meters = map_array<warp_meter>(kMaxResidentBlocks * kMaxWarps);
    totals = map_array<site_total>(kTotals);
    for (u32 i = 0; i < kMaxResidentBlocks * kMaxWarps; i++) {
      meters[i].table = map_array<warp_site>(kSitesPerWarp);
    }
  }
  for (const block& b : launch.blocks) {
    finish_meter(b);
  }
  memset(totals, 0, kTotals * sizeof(site_total));
}

void meter_access(const void* address, u32 bytes, const void* site) {
  const thread& t = *launch.self;
  warp_site& s = site_of(meter_of(launch.running->slot, warp_of(t)), site);
  const u32 phase = launch.running->warp_of[warp_of(t)].phase;
  if (s.phase != phase) {
    finish_phase(s);
    s.phase = phase;
  }
  const u32 occurrence = s.lane_count[t.thread_index % kLanes]++;
  s.requests = s.requests > occurrence ? s.requests : occurrence + 1;
  chunk*& c = s.chunks[occurrence / kRequestsPerChunk % kChunks];
  if (c == nullptr) {
    c = take_chunk();
    for (request& r : c->requests) {
      r.occurrence = kNoOccurrence;
    }
  }
  request& r = c->requests[occurrence % kRequestsPerChunk];
  const u64 at = reinterpret_cast<u64>(address);
  if (r.occurrence != occurrence) {
    finish(r, total_of(site));
    start(r, occurrence, at);
  }
  add(r, at, bytes);
}

void finish_meter(const block& b) {
  for (u32 w = 0; w < kMaxWarps; w++) {
    warp_meter& m = meter_of(b.slot, w);
    for (u32 i = 0; i < m.used_count; i++) {
      finish_site(m.table[m.used[i]]);
    }
    m.used_count = 0;
  }
}

void report_meter(emulator_report& report) {
  u64 worst = 0;
  for (u32 i = 0; i < kTotals; i++) {
    const site_total& t = totals[i];
    report.sectors += t.sectors;
    report.bytes_needed += t.bytes;
    const u64 moved = t.sectors * kSectorBytes;
    const u64 waste = moved > t.bytes ? moved - t.bytes : 0;
    if (t.site != nullptr && waste > worst) {
      worst = waste;
      report.worst_site = static_cast<u64>(static_cast<const u8*>(t.site) - __ehdr_start);
      report.worst_site_sectors = t.sectors;
      report.worst_site_bytes = t.bytes;
    }
  }
}

}  // namespace emulator
