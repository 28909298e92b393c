// SPDX-License-Identifier: Apache-2.0
#include "session/control/run_command.h"

#include "base/error.h"
#include "base/overloaded.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <type_traits>

namespace lockstep {
namespace {

template<class Command>
RunCommand plain(const std::string& name, const std::string& value)
{
    if (!value.empty()) {
        fail(ErrorCode::BadInput, "{} takes no value, but '{}' is given", name, value);
    }
    return Command{};
}

template<class Command, class Number>
RunCommand numbered(const std::string& name, const std::string& value)
{
    Number number{};
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, number);
    if (value.empty() || error != std::errc() || stop != end) {
        fail(
            ErrorCode::BadInput, "{} needs {}, but '{}' is given", name,
            std::is_floating_point_v<Number> ? "a number" : "a whole number", value);
    }
    return Command{number};
}

RunCommand stopAfterEpoch(const std::string& name, const std::string& value)
{
    if (!value.empty() && value != "off") {
        fail(ErrorCode::BadInput, "{} takes 'off' or nothing, but '{}' is given", name, value);
    }
    return command::StopAfterEpoch{value.empty()};
}

struct Form
{
    const char* name;
    RunCommand (*make)(const std::string& name, const std::string& value);
};

/// In the order of RunCommand.
constexpr std::array<Form, 10> kForms{{
    {"status", plain<command::AskStatus>},
    {"pause", plain<command::Pause>},
    {"resume", plain<command::Resume>},
    {"step", plain<command::StepOnce>},
    {"save", plain<command::SaveCheckpoint>},
    {"evaluate", plain<command::Evaluate>},
    {"stop", plain<command::Stop>},
    {"learning-rate", numbered<command::SetLearningRate, double>},
    {"steps", numbered<command::SetSteps, std::int64_t>},
    {"stop-epoch", stopAfterEpoch},
}};

/// With the blank before it.
std::string valueOf(const RunCommand& command)
{
    return std::visit(
        Overloaded{
            [](const command::SetLearningRate& change) { return fmt::format(" {}", change.rate); },
            [](const command::SetSteps& change) { return fmt::format(" {}", change.steps); },
            [](const command::StopAfterEpoch& stop) {
                return std::string(stop.isWanted ? "" : " off");
            },
            [](const auto& /*plain*/) { return std::string(); }},
        command);
}

} // namespace

std::string toLine(const RunCommand& command)
{
    if (command.index() >= kForms.size()) {
        fail(ErrorCode::BadInput, "only the process that trains can save to a file of its own");
    }
    return kForms[command.index()].name + valueOf(command);
}

RunCommand parseRunCommand(const std::string& line)
{
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string name = line.substr(0, blank);
    const auto* const form = std::ranges::find(kForms, name, &Form::name);
    if (form == kForms.end()) {
        fail(ErrorCode::BadInput, "unknown command '{}'", name);
    }
    return form->make(name, line.substr(std::min(blank + 1, line.size())));
}

std::vector<std::string> runCommandNames()
{
    std::vector<std::string> names;
    std::ranges::transform(kForms, std::back_inserter(names), &Form::name);
    return names;
}

} // namespace lockstep
