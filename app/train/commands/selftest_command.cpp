// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "console.h"
#include "engine/bench.h"
#include "engine/device.h"
#include "interrupt.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::train {
namespace {

constexpr const char* kSelftestDescription =
    "Proves on this machine that the device computes what it should";

constexpr const char* kSelftestExamples = R"(Examples:
  lockstep-train selftest
  lockstep-train selftest --device cuda:0 --precision bfloat16 --algorithms first
  lockstep-train selftest --device cuda:0 --only "captured against eager"

Compares every kind of layer, forward and backward, on random shapes and on large ones, and the whole
cifar10 network with a plain float64 reference, the derivative of the loss with its difference
quotient, and N towers with one; on a GPU also replayed steps with those that are enqueued anew.
Errors are relative to the norm of the reference. A check that fails or breaks off is a line, and the
next one goes on. Exit status 1 if there is such a line.)";

struct SelftestOptions
{
    explicit SelftestOptions(Command& command)
    {
        command.option("--device", device, "auto|cpu|cuda:I", "Device to test; default auto");
        command
            .option(
                "--precision", precisions, "float32|tf32|bfloat16[,...]",
                "In this order; default: all that the device has, of a GPU bfloat16 first")
            .isCommaSeparated();
        command.option("--only", settings.only, "TEXT", "Only checks with this in their names");
        command
            .option(
                "--algorithms", algorithms, "first",
                "On a GPU: first, NVIDIA's first suggestion instead of the fastest")
            .isOneOf({"first"});
    }

    std::string device = "auto";
    std::vector<std::string> precisions;
    std::string algorithms;
    SelftestSettings settings;
};

std::string lineText(const SelftestLine& line)
{
    if (!line.failure.empty()) {
        return fmt::format("{:<72} FAILED: {}", line.name, line.failure);
    }
    return fmt::format(
        "{:<72} {:9.1e} {:9.1e} {}", line.name, line.error, line.tolerance,
        line.isPassed() ? "ok" : "FAILED");
}

/// What is running, for who stops it: it may be what never comes back.
class RunningCheck
{
public:
    void set(const std::string& name)
    {
        const std::scoped_lock lock(m_mutex);
        m_name = name;
    }
    [[noreturn]] void endProgram()
    {
        const std::scoped_lock lock(m_mutex);
        writeError("interrupted in the check: " + m_name);
        std::_Exit(1);
    }

private:
    std::mutex m_mutex;
    std::string m_name = "none";
};

int selftest(const SelftestOptions& options)
{
    Console console;
    const auto device = openDevice(options.device);
    const DeviceInfo& info = device->info();
    SelftestSettings settings = options.settings;
    for (const std::string& precision : options.precisions) {
        settings.precisions.push_back(precisionByName(precision));
    }
    if (!options.algorithms.empty()) {
        settings.algorithms = {{"*", options.algorithms}};
    }
    console.note(fmt::format("{}: {}, {}", info.name, info.description, info.library));
    console.result(fmt::format("{:<72} {:>9} {:>9}", "check", "error", "allowed"));
    RunningCheck running;
    catchInterrupts();
    const InterruptWatch interrupts([&] { running.endProgram(); });
    const auto lines = runSelftest(
        *device, settings,
        {[&](const std::string& name) { running.set(name); },
         [&](const SelftestLine& line) { console.result(lineText(line)); }});
    const auto failed =
        std::ranges::count_if(lines, [](const SelftestLine& line) { return !line.isPassed(); });
    if (failed > 0) {
        writeError(fmt::format(
            "{} of {} checks failed on {}: don't train on this device", failed, lines.size(),
            info.name));
        return 1;
    }
    console.result(fmt::format("all {} checks passed", lines.size()));
    return 0;
}

} // namespace

void addSelftestCommand(CommandLine& program)
{
    program.add("selftest", kSelftestDescription, kSelftestExamples, selftest);
}

} // namespace lockstep::train
