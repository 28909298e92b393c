// SPDX-License-Identifier: Apache-2.0
#include "device/registry/host_ceilings.h"

#include "base/clock.h"
#include "base/thread_team.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/kernels/ceiling_kernels.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace lockstep {
namespace {

constexpr int kRepeats = 5;
constexpr double kRepeatSeconds = 0.003;
/// Where other programs keep the processors busy: no further repeat after this.
constexpr double kLimitSeconds = 0.1;
/// Of all arrays that are copied, and of those of one thread at least: a cache forgets a part of
/// them before its turn comes again.
constexpr std::size_t kCopiedBytes = std::size_t{256} << 20U;
constexpr std::size_t kLeastCopiedBytes = std::size_t{32} << 20U;

/// Does a little work and returns how much: FLOP or bytes.
using Kernel = std::function<double()>;

/// Calls that fill the time of a repeat; brings caches and clocks up, too.
int callsFor(const Kernel& kernel)
{
    const Stopwatch watch;
    int calls = 0;
    do {
        static_cast<void>(kernel());
        ++calls;
    } while (watch.seconds() < kRepeatSeconds);
    return calls;
}

/// One repeat on one thread.
struct Share
{
    double begin = 0.0;
    double end = 0.0;
    double work = 0.0;
};

/// All threads at once, each with a kernel of its own that it makes itself.
RateRange measure(ThreadTeam& threads, const std::function<Kernel()>& make)
{
    const auto size = static_cast<std::size_t>(threads.size());
    std::vector<Kernel> kernels(size);
    std::vector<int> calls(size);
    threads.run([&](int thread) {
        const auto place = static_cast<std::size_t>(thread);
        kernels[place] = make();
        calls[place] = callsFor(kernels[place]);
    });
    const int most = std::ranges::max(calls);
    std::vector<Share> shares(size);
    const Stopwatch watch;
    RateRange range;
    for (int repeat = 0; repeat < kRepeats && (repeat == 0 || watch.seconds() < kLimitSeconds);
         ++repeat) {
        threads.run([&](int thread) {
            Share share{watch.seconds()};
            for (int i = 0; i < most; ++i) {
                share.work += kernels[static_cast<std::size_t>(thread)]();
            }
            share.end = watch.seconds();
            shares[static_cast<std::size_t>(thread)] = share;
        });
        double work = 0.0;
        for (const Share& share : shares) {
            work += share.work;
        }
        range.add(
            work
            / (std::ranges::max(shares, {}, &Share::end).end
               - std::ranges::min(shares, {}, &Share::begin).begin));
    }
    return range;
}

RateRange bestOf(const RateRange& left, const RateRange& right)
{
    return left.maximum >= right.maximum ? left : right;
}

} // namespace

void RateRange::add(double rate)
{
    add(RateRange{rate, rate});
}

void RateRange::add(const RateRange& other)
{
    if (other.maximum <= 0.0) {
        return;
    }
    minimum = maximum > 0.0 ? std::min(minimum, other.minimum) : other.minimum;
    maximum = std::max(maximum, other.maximum);
}

void HostCeilings::add(const HostCeilings& other)
{
    threads = other.threads;
    float32.add(other.float32);
    bfloat16.add(other.bfloat16);
    copy.add(other.copy);
}

HostCeilings measureHostCeilings(int threads)
{
    ThreadTeam team("ceiling", std::min(threads, ThreadTeam::processors()), true);
    HostCeilings ceilings;
    ceilings.threads = team.size();
    ceilings.float32 = measure(team, [] { return Kernel(cpu::multiplyAdds); });
    // Elsewhere its products are made in float32.
    ceilings.bfloat16 = cpu::CpuDevice().operandBytes(Precision::Bfloat16) == 0
                            ? ceilings.float32
                            : bestOf(
                                measure(team, [] { return Kernel(cpu::bfloat16DotProducts); }),
                                measure(team, cpu::bfloat16MatrixProduct));
    const std::size_t bytes =
        std::max(kLeastCopiedBytes, kCopiedBytes / static_cast<std::size_t>(team.size())) / 2;
    ceilings.copy = measure(team, [bytes] { return cpu::copyBetween(bytes); });
    return ceilings;
}

} // namespace lockstep
