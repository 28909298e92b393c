// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/kernel_trace.h"

#include "base/clock.h"
#include "base/error.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/kernel_name.h"

#include <cupti.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::cuda {
namespace {

constexpr std::array kLibraries{"libcupti.so.13", "libcupti.so"};
/// Of a buffer that CUPTI fills; it wants 8-byte aligned ones.
constexpr std::size_t kBufferBytes = std::size_t{4} << 20U;

/// A run of a kernel, by the GPU's clock in nanoseconds.
struct KernelRun
{
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::string name;
};

/// CUPTI's callbacks know nothing but this: one trace at a time.
struct Records
{
    std::mutex mutex;
    std::uint32_t device = 0;
    std::vector<KernelRun> runs;
};

Records& records()
{
    static Records all;
    return all;
}

/// The functions that are used, of the library as it was found.
class Cupti
{
public:
    static const Cupti& instance()
    {
        static const Cupti cupti;
        return cupti;
    }

    decltype(&cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
    decltype(&cuptiActivityEnable) enable = nullptr;
    decltype(&cuptiActivityDisable) disable = nullptr;
    decltype(&cuptiActivityFlushAll) flushAll = nullptr;
    decltype(&cuptiActivityGetNextRecord) nextRecord = nullptr;
    decltype(&cuptiGetResultString) resultString = nullptr;

    void check(CUptiResult result, const char* what) const
    {
        if (result != CUPTI_SUCCESS) {
            const char* text = nullptr;
            resultString(result, &text);
            fail(ErrorCode::Device, "CUPTI: {}: {}", what, text == nullptr ? "failed" : text);
        }
    }

private:
    Cupti()
    {
        void* handle = nullptr;
        for (const char* library : kLibraries) {
            handle = handle == nullptr ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : handle;
        }
        if (handle == nullptr) {
            fail(
                ErrorCode::Device,
                "kernels can't be observed: CUPTI (libcupti.so.13) was not found");
        }
        load(handle, registerCallbacks, "cuptiActivityRegisterCallbacks");
        load(handle, enable, "cuptiActivityEnable");
        load(handle, disable, "cuptiActivityDisable");
        load(handle, flushAll, "cuptiActivityFlushAll");
        load(handle, nextRecord, "cuptiActivityGetNextRecord");
        load(handle, resultString, "cuptiGetResultString");
    }

    template<class Function>
    static void load(void* handle, Function& function, const char* name)
    {
        function = reinterpret_cast<Function>(dlsym(handle, name));
        if (function == nullptr) {
            fail(ErrorCode::Device, "kernels can't be observed: CUPTI has no {}", name);
        }
    }
};

void CUPTIAPI giveBuffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* mostRecords)
{
    *buffer = static_cast<std::uint8_t*>(std::malloc(kBufferBytes));
    *bytes = *buffer == nullptr ? 0 : kBufferBytes;
    *mostRecords = 0;
}

void CUPTIAPI takeBuffer(
    CUcontext /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer, std::size_t /*bytes*/,
    std::size_t filled)
{
    const std::scoped_lock lock(records().mutex);
    CUpti_Activity* record = nullptr;
    while (filled > 0 && Cupti::instance().nextRecord(buffer, filled, &record) == CUPTI_SUCCESS) {
        if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            continue;
        }
        const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel10*>(record);
        if (kernel.deviceId == records().device && kernel.end > 0) {
            records().runs.push_back({kernel.start, kernel.end, kernel.name});
        }
    }
    std::free(buffer);
}

double busySeconds(std::vector<KernelRun>& runs)
{
    std::ranges::sort(runs, {}, &KernelRun::start);
    std::uint64_t busy = 0;
    std::uint64_t until = 0;
    for (const KernelRun& run : runs) {
        const std::uint64_t begin = std::max(run.start, until);
        busy += run.end > begin ? run.end - begin : 0;
        until = std::max(until, run.end);
    }
    return static_cast<double>(busy) * kNanosecond;
}

KernelTrace summarize(std::vector<KernelRun>& runs)
{
    KernelTrace trace;
    trace.busySeconds = busySeconds(runs);
    std::map<std::string, KernelTime> byName;
    for (const KernelRun& run : runs) {
        KernelTime& time = byName[run.name];
        time.runs += 1;
        time.seconds += static_cast<double>(run.end - run.start) * kNanosecond;
    }
    for (auto& [name, time] : byName) {
        time.name = demangled(name.c_str());
        trace.kernels.push_back(time);
    }
    std::ranges::sort(trace.kernels, std::ranges::greater(), &KernelTime::seconds);
    return trace;
}

} // namespace

KernelTrace traceKernels(int device, const std::function<void()>& work)
{
    const Cupti& cupti = Cupti::instance();
    {
        const std::scoped_lock lock(records().mutex);
        records().device = static_cast<std::uint32_t>(device);
        records().runs.clear();
    }
    cupti.check(cupti.registerCallbacks(giveBuffer, takeBuffer), "beginning a trace");
    cupti.check(cupti.enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "beginning a trace");
    try {
        work();
    } catch (...) {
        cupti.disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        throw;
    }
    checkCuda(cudaDeviceSynchronize(), "waiting for the GPU");
    cupti.check(cupti.flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "ending a trace");
    cupti.check(cupti.disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "ending a trace");
    const std::scoped_lock lock(records().mutex);
    return summarize(records().runs);
}

} // namespace lockstep::cuda
