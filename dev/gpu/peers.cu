// What the operations that ours are made of cost elsewhere, on the same machine: CUB's radix sort, select,
// scan and reduce by key, and copies. Compiled and run by `on-device.sh peers`:
//   nvcc -O3 -std=c++17 -arch=native -o peers peers.cu && ./peers [MILLIONS-OF-ROWS]
// Prints one JSON object. Each answer is checked; ends with status 1 when one is wrong.

#include <cub/cub.cuh>
#include <cuda/std/functional>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int rounds = 5;
constexpr int block_size = 256;
constexpr uint32_t selected_of_16 = 4;
constexpr uint32_t rows_of_a_key = 16;

void check(cudaError_t status, const char* what)
{
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(2);
  }
}

#define CHECK(call) check(call, #call)

// Memory of the device, for as long as the object lives.
template <typename T>
class device_array {
 public:
  explicit device_array(size_t count) : count_{count}
  {
    CHECK(cudaMalloc(&data_, std::max<size_t>(1, count) * sizeof(T)));
  }
  device_array(const device_array&)            = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }

  T* data() { return data_; }

  std::vector<T> to_host() const
  {
    std::vector<T> copy(count_);
    CHECK(cudaMemcpy(copy.data(), data_, count_ * sizeof(T), cudaMemcpyDefault));
    return copy;
  }

 private:
  T* data_{};
  size_t count_;
};

// The finalizer of splitmix64: equal input gives equal output on host and device.
__host__ __device__ uint64_t mixed(uint64_t x)
{
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

template <typename T>
__global__ void fill_mixed(T* out, size_t count)
{
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    out[i] = static_cast<T>(mixed(i));
  }
}

__global__ void fill_numbers(uint32_t* out, size_t count, uint32_t divisor)
{
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    out[i] = static_cast<uint32_t>(i) / divisor;
  }
}

__global__ void fill_flags(uint8_t* out, size_t count)
{
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    out[i] = mixed(i) % 16 < selected_of_16;
  }
}

int grid(size_t count) { return static_cast<int>(std::min<size_t>(65536, (count + block_size - 1) / block_size)); }

// Seconds of the fastest of some rounds, between two events.
double best_seconds(const std::function<void()>& work)
{
  cudaEvent_t start, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  double best = 1e30;
  for (int round = 0; round <= rounds; ++round) {
    CHECK(cudaEventRecord(start));
    work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    if (round > 0) { best = std::min(best, milliseconds / 1e3); }
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(end));
  return best;
}

bool all_right = true;
bool is_first  = true;

void report(const std::string& name, size_t rows, double bytes, double seconds, bool is_right)
{
  all_right = all_right && is_right;
  std::printf(
    "%s\n  {\"name\": \"%s\", \"rows\": %zu, \"seconds\": %.9f, \"gigabytesPerSecond\": %.1f, "
    "\"millionRowsPerSecond\": %.1f, \"right\": %s}",
    is_first ? "" : ",",
    name.c_str(),
    rows,
    seconds,
    bytes / seconds / 1e9,
    rows / seconds / 1e6,
    is_right ? "true" : "false");
  is_first = false;
}

// A CUB algorithm with its temporary storage: called without it once, to ask for its size.
class algorithm {
 public:
  explicit algorithm(std::function<cudaError_t(void*, size_t&)> call) : call_{std::move(call)}
  {
    CHECK(call_(nullptr, bytes_));
    CHECK(cudaMalloc(&storage_, std::max<size_t>(1, bytes_)));
  }
  algorithm(const algorithm&)            = delete;
  algorithm& operator=(const algorithm&) = delete;
  ~algorithm() { cudaFree(storage_); }

  void operator()() { CHECK(call_(storage_, bytes_)); }

 private:
  std::function<cudaError_t(void*, size_t&)> call_;
  void* storage_{};
  size_t bytes_{};
};

template <typename Key>
void sort_pairs(const char* name, size_t rows)
{
  device_array<Key> keys(rows), sorted(rows);
  device_array<uint32_t> numbers(rows), order(rows);
  fill_mixed<<<grid(rows), block_size>>>(keys.data(), rows);
  fill_numbers<<<grid(rows), block_size>>>(numbers.data(), rows, 1);
  algorithm sort([&](void* storage, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(
      storage, bytes, keys.data(), sorted.data(), numbers.data(), order.data(), static_cast<int64_t>(rows));
  });
  const double seconds = best_seconds([&] { sort(); });
  const auto answer    = sorted.to_host();
  const auto positions = order.to_host();
  bool is_right        = std::is_sorted(answer.begin(), answer.end());
  for (size_t i = 0; i < rows; i += 997) {
    is_right = is_right && answer[i] == static_cast<Key>(mixed(positions[i]));
  }
  report(name, rows, 2.0 * rows * (sizeof(Key) + sizeof(uint32_t)), seconds, is_right);
}

void select(size_t rows)
{
  device_array<uint32_t> numbers(rows), selected(rows);
  device_array<uint8_t> flags(rows);
  device_array<int64_t> count(1);
  fill_numbers<<<grid(rows), block_size>>>(numbers.data(), rows, 1);
  fill_flags<<<grid(rows), block_size>>>(flags.data(), rows);
  algorithm run([&](void* storage, size_t& bytes) {
    return cub::DeviceSelect::Flagged(
      storage, bytes, numbers.data(), flags.data(), selected.data(), count.data(), static_cast<int64_t>(rows));
  });
  const double seconds = best_seconds([&] { run(); });
  const auto answer    = selected.to_host();
  size_t expected      = 0;
  bool is_right        = true;
  for (size_t i = 0; i < rows; ++i) {
    if (mixed(i) % 16 < selected_of_16) { is_right = is_right && answer[expected++] == i; }
  }
  is_right = is_right && static_cast<size_t>(count.to_host()[0]) == expected;
  report("select u32 by flags, a quarter", rows, rows * 5.0 + expected * 4.0, seconds, is_right);
}

void scan(size_t rows)
{
  device_array<uint32_t> values(rows);
  device_array<uint64_t> sums(rows);
  fill_mixed<<<grid(rows), block_size>>>(values.data(), rows);
  algorithm run([&](void* storage, size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(
      storage, bytes, values.data(), sums.data(), cuda::std::plus<>{}, uint64_t{0}, static_cast<int64_t>(rows));
  });
  const double seconds = best_seconds([&] { run(); });
  const auto answer    = sums.to_host();
  uint64_t expected    = 0;
  bool is_right        = true;
  for (size_t i = 0; i < rows; ++i) {
    is_right = is_right && answer[i] == expected;
    expected += static_cast<uint32_t>(mixed(i));
  }
  report("exclusive sum u32 to u64", rows, rows * 12.0, seconds, is_right);
}

void reduce_by_key(size_t rows)
{
  device_array<uint32_t> keys(rows), unique(rows);
  device_array<uint64_t> values(rows), sums(rows);
  device_array<int64_t> count(1);
  fill_numbers<<<grid(rows), block_size>>>(keys.data(), rows, rows_of_a_key);
  fill_mixed<<<grid(rows), block_size>>>(values.data(), rows);
  algorithm run([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(storage,
                                          bytes,
                                          keys.data(),
                                          unique.data(),
                                          values.data(),
                                          sums.data(),
                                          count.data(),
                                          cuda::std::plus<>{},
                                          static_cast<int64_t>(rows));
  });
  const double seconds = best_seconds([&] { run(); });
  const auto answer    = sums.to_host();
  const size_t groups  = (rows + rows_of_a_key - 1) / rows_of_a_key;
  bool is_right        = static_cast<size_t>(count.to_host()[0]) == groups;
  for (size_t group = 0; group < groups; group += 101) {
    uint64_t expected = 0;
    for (size_t i = group * rows_of_a_key; i < std::min(rows, (group + 1) * rows_of_a_key); ++i) {
      expected += mixed(i);
    }
    is_right = is_right && answer[group] == expected;
  }
  report("reduce by key u32, sums of u64, 16 rows each", rows, rows * 12.0 + groups * 12.0, seconds, is_right);
}

void copies(size_t bytes)
{
  device_array<uint8_t> source(bytes), target(bytes);
  CHECK(cudaMemset(source.data(), 7, bytes));
  const double inside =
    best_seconds([&] { CHECK(cudaMemcpyAsync(target.data(), source.data(), bytes, cudaMemcpyDeviceToDevice)); });
  report("copy inside the device, read and written", bytes, 2.0 * bytes, inside, true);
  uint8_t* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, bytes));
  std::vector<uint8_t> pageable(bytes, 1);
  const auto copy = [&](const char* name, void* to, const void* from, cudaMemcpyKind kind) {
    const double seconds = best_seconds([&] { CHECK(cudaMemcpyAsync(to, from, bytes, kind)); });
    report(name, bytes, static_cast<double>(bytes), seconds, true);
  };
  copy("copy from pinned memory", target.data(), pinned, cudaMemcpyHostToDevice);
  copy("copy to pinned memory", pinned, target.data(), cudaMemcpyDeviceToHost);
  copy("copy from pageable memory", target.data(), pageable.data(), cudaMemcpyHostToDevice);
  copy("copy to pageable memory", pageable.data(), target.data(), cudaMemcpyDeviceToHost);
  CHECK(cudaFreeHost(pinned));
}

}  // namespace

int main(int argc, char** argv)
{
  const size_t millions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 128;
  const size_t rows     = millions * 1000 * 1000;
  cudaDeviceProp properties{};
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("{\"device\": \"%s\", \"results\": [", properties.name);
  sort_pairs<uint32_t>("radix sort, u32 with row numbers", rows);
  sort_pairs<uint64_t>("radix sort, u64 with row numbers", rows);
  select(rows);
  scan(rows);
  reduce_by_key(rows);
  copies(size_t{1} << 30);
  std::printf("\n]}\n");
  return all_right ? 0 : 1;
}
