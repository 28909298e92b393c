// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "config_options.h"
#include "console.h"
#include "engine/base.h"
#include "engine/bench.h"
#include "engine/config.h"
#include "format/console_format.h"
#include "format/scaling_format.h"
#include "format/simulation_format.h"
#include "interrupt.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <charconv>
#include <numeric>

namespace lockstep::train {
namespace {

constexpr const char* kScalingDescription =
    "Measures what more towers bring, and where the rest is lost";

constexpr int kMostTowers = 1024;
constexpr double kKibibyte = 1024.0;

constexpr const char* kScalingExamples = R"(Examples:
  lockstep-train scaling
  lockstep-train scaling --towers 1,2,4 --device cuda:0,1,2,3 --precision bfloat16
  lockstep-train scaling --towers 1,2,4,8 --fix global --global-batch 512
  lockstep-train scaling --towers 1,2 --seconds 10 --json
  lockstep-train scaling --simulate --link 10g --towers-per-rank 8
  lockstep-train scaling --simulate --link-latency 0.2ms --link-bandwidth 1Gbit --towers-max 64

Trains on generated data with 1, 2, … towers for --seconds of steps each (a few steps to warm up do
not count), in three turns up and down the list, so that a busy moment of the machine does not fall
on one of them. Shown is the turn in the middle, and in it the mean of the steps whose time lies in
the middle half. On a GPU, whose clock ticks in blocks, the mean of all.

  speed-up    examples/s : those of one tower
  efficiency  speed-up : towers, in per cent
  lost        towers - speed-up: the work of that many towers, and what it went into
  data        the towers waited for their batch
  averaging   averaging and checking the gradients
  update      the optimizer and the moving averages
  waiting     for the slowest tower
  rest        each tower computes more slowly than one alone (shared memory, cores, clock rate,
              a shared GPU), or waits for its turn

Each part is what it takes beyond its fair part of one tower's step; they add up to what is lost. "-":
the device does not tell (a GPU with gpu.without=phase_clock), and the rest has it. On the CPU every
tower gets as many threads as the largest number of towers leaves to each, also where it is alone;
--set threads_per_tower=T gives another number. Amdahl's law is fitted by least squares of
1 / speed-up to three numbers of towers or more that have processors or GPUs of their own. "~0": below
0, but no more than the turns differ.
--fix per-tower: every tower has as much to do (the default); global: all together have, that is
--global-batch, or else the batch per tower times the most towers. Numbers of towers that it can't
be split evenly among are left out.

--simulate: times one tower here, layer by layer, and plays a step of 1, 2, 4, … 1024 towers through
on machines like this one, --towers-per-rank on each, joined by such links; every tower has as much
to do. Gradients travel in buckets of whole layers beside the backward pass: in a chain (a sum from
rank to rank, and back; each number as in one process) or in a ring (NCCL). A link sends and receives
at once.

  efficiency  the step of one tower : this step, in per cent
  hidden      share of the exchange that lies beside the backward pass
  bandwidth   milliseconds that the step would be shorter by if that alone cost nothing;
  latency     what is hidden costs nothing
  adding       (with the work of sending and receiving)
  what limits while towers keep 90 %, what a tower does longest itself; else what of these costs most

Left out: towers that differ in speed, and networks that can't carry all links at once.)";

/// Why this is no number of towers; empty if it is one.
std::string towersProblem(const std::string& text)
{
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && rest == end && number >= 1 && number <= kMostTowers
               ? std::string()
               : fmt::format(
                   "{} is not a list of towers: give whole numbers from 1 to {} with commas "
                   "between, like 1,2,4",
                   text, kMostTowers);
}

struct ScalingOptions
{
    explicit ScalingOptions(Command& command)
        : config(command, {"model.name", "batch_per_tower", "global_batch", "precision", "device"})
    {
        config.addFileAndSet(command);
        const Option list =
            command.option("--towers", towers, "N[,...]", "Numbers of towers: 1,2,4")
                .isCommaSeparated()
                .isCheckedBy(towersProblem);
        command
            .option(
                "--towers-max", most, "N",
                "1 to N towers; default: as many as processors (8 at most) or GPUs; simulated 1, "
                "2, 4, … N")
            .isWithin(2, kMostTowers)
            .excludes(list);
        command
            .option("--seconds", seconds, "S", "Seconds of timed steps for each number; default 4")
            .isWithin(0.01, 3600.0);
        const Option fixed = command.option(
            "--fix", fix, "per-tower|global", "What stays the same; default per-tower");
        command.flag("--json", isJson, "One JSON object instead of text");
        addSimulation(command, fixed);
    }

    void addSimulation(Command& command, const Option& fixed)
    {
        Option simulate = command.flag(
            "--simulate", isSimulated, "Simulates 1, 2, 4, … 1024 towers from the step of one");
        simulate.excludes(fixed);
        const auto add = [&](const char* name, auto& value, const char* placeholder,
                             const char* help) {
            Option option = command.option(name, value, placeholder, help);
            return option.needs(simulate);
        };
        add("--link", link, "NAME", "Of each machine: 1g (default), 10g, 25g, 100g, infiniband")
            .isOneOf(linkNames());
        add("--link-latency", latency, "T", "Other than that link's: 50us, 0.2ms");
        add("--link-bandwidth", bandwidth, "RATE", "Other than that link's: 1Gbit, 117MB/s");
        add("--link-work", workNanoseconds, "NS",
            "Other than that link's: processor time to send or receive a byte")
            .isWithin(0.0, 1e3);
        add("--towers-per-rank", towersPerRank, "N", "Towers of each machine; default 1")
            .isWithin(1, kMostTowers);
        add("--exchange", exchange, "chain|ring", "Default: chain on the CPU, ring on GPUs");
        add("--piece", pieceKibibytes, "KIB",
            "What the chain sends at a time; default: as a training")
            .isWithin(1.0, 1e6);
    }

    [[nodiscard]] ScalingSettings settings() const
    {
        ScalingSettings settings{{towers, seconds}, scalingFixByName(fix)};
        if (most > 0) {
            settings.plan.towers.resize(static_cast<std::size_t>(most));
            std::iota(settings.plan.towers.begin(), settings.plan.towers.end(), 1);
        }
        return settings;
    }

    [[nodiscard]] SimulationSettings simulation() const
    {
        SimulationSettings settings;
        settings.seconds = seconds;
        settings.cluster.towersPerRank = towersPerRank;
        if (pieceKibibytes > 0.0) {
            settings.cluster.pieceBytes = pieceKibibytes * kKibibyte;
        }
        NetworkLink& own = settings.cluster.link;
        own = linkByName(link);
        own.latency = latency.empty() ? own.latency : parseLatency(latency);
        own.bytesPerSecond = bandwidth.empty() ? own.bytesPerSecond : parseBandwidth(bandwidth);
        if (workNanoseconds >= 0.0) {
            own.workPerByte = kNanosecond * workNanoseconds;
        }
        if (!exchange.empty()) {
            settings.method = exchangeMethodByName(exchange);
        }
        settings.towers = most > 0 ? doublingTowers(most) : towers;
        return settings;
    }

    ConfigOptions config;
    std::vector<int> towers;
    int most = 0;
    double seconds = ScalingPlan().seconds;
    std::string fix{toString(ScalingFix::BatchPerTower)};
    bool isJson = false;
    bool isSimulated = false;
    std::string link = "1g";
    std::string latency;
    std::string bandwidth;
    double workNanoseconds = -1.0; ///< that of the link
    int towersPerRank = 1;
    double pieceKibibytes = 0.0; ///< as a training has them
    std::string exchange;        ///< empty: that of the device
};

int simulate(const ScalingOptions& options, const RunConfig& config, Console& console)
{
    const SimulationReport report = runSimulation(config, options.simulation(), [&](double share) {
        console.progress(progressBar(share, "timing 1 tower"));
        return !isInterrupted();
    });
    console.clearProgress();
    console.result(options.isJson ? lineOf(toJson(report)) : simulationText(report));
    return 0;
}

int scaling(const ScalingOptions& options)
{
    catchInterrupts();
    RunConfig config;
    options.config.apply(config);
    Console console;
    if (options.isSimulated) {
        return simulate(options, config, console);
    }
    const ScalingReport report =
        runScaling(config, options.settings(), [&](double share, int towers) {
            console.progress(progressBar(
                share, towers == 1 ? "timing 1 tower" : fmt::format("timing {} towers", towers)));
            return !isInterrupted();
        });
    console.clearProgress();
    console.result(options.isJson ? lineOf(toJson(report)) : scalingText(report));
    return 0;
}

} // namespace

void addScalingCommand(CommandLine& program)
{
    program.add("scaling", kScalingDescription, kScalingExamples, scaling);
}

} // namespace lockstep::train
