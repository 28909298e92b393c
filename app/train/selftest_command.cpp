// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "console.h"
#include "engine.h"

#include <algorithm>
#include <memory>

namespace lockstep::train {
namespace {

constexpr const char* kDescription =
    "Proves on this machine that the device computes what it should";

constexpr const char* kExamples = R"(Examples:
  lockstep-train selftest
  lockstep-train selftest --device cuda:0

Compares every kind of layer, forward and backward, on random shapes and the whole cifar10 network
with a plain float64 reference, the derivative of the loss with its difference quotient, and N towers
with one. Errors are relative to the norm of the reference. Exit status 1 if one is too large.)";

int selftest(const std::string& name)
{
    Console console;
    const auto device = openDevice(name);
    const DeviceInfo& info = device->info();
    console.note(fmt::format("{}: {}, {}", info.name, info.description, info.library));
    console.result(fmt::format("{:<72} {:>9} {:>9}", "check", "error", "allowed"));
    const auto lines = runSelftest(*device, [&](const SelftestLine& line) {
        console.result(fmt::format(
            "{:<72} {:9.1e} {:9.1e} {}", line.name, line.error, line.tolerance,
            line.isPassed() ? "ok" : "FAILED"));
    });
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

void addSelftestCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("selftest", kDescription);
    command->footer(kExamples);
    const auto device = std::make_shared<std::string>("auto");
    command->add_option("--device", *device, "Device to test; default auto")
        ->type_name("auto|cpu|cuda:I");
    command->callback([device, &action] { action = [device] { return selftest(*device); }; });
}

} // namespace lockstep::train
