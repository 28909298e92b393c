// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include "console.h"
#include "engine/base.h"

#include <CLI/CLI.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace lockstep::train {
namespace {

std::vector<std::string> commandNames(const CLI::App& program)
{
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

std::vector<std::string> flagNames(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

/// The first flag of the command line that the command does not have; empty if it has all.
std::string unknownFlag(const std::vector<std::string>& flags, std::span<char*> arguments)
{
    for (const char* const argument : arguments) {
        std::string name = std::string(argument).substr(0, std::string(argument).find('='));
        if (name.starts_with("--") && std::ranges::find(flags, name) == flags.end()) {
            return name;
        }
    }
    return {};
}

/// One line about a command line that can't be read. CLI11 does not name a command that it does not
/// know, and knows of nothing that is spelt alike.
std::string usageError(
    const CLI::App& program, const CLI::ParseError& error, std::span<char*> arguments)
{
    const std::string first = arguments.empty() ? "" : arguments.front();
    if (!program.get_subcommands().empty()) {
        const std::vector<std::string> flags = flagNames(*program.get_subcommands().front());
        const std::string unknown = unknownFlag(flags, arguments);
        return unknown.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr
                   ? fmt::format("{} (see --help)", error.what())
                   : fmt::format(
                       "unknown flag '{}'; did you mean '{}'? (see --help)", unknown,
                       nearestName(unknown, flags));
    }
    if (first.empty() || first.starts_with('-')) {
        return fmt::format("{} (see --help)", error.what());
    }
    const std::vector<std::string> names = commandNames(program);
    return fmt::format(
        "unknown command '{}'; did you mean '{}'? Commands: {}", first, nearestName(first, names),
        fmt::join(names, ", "));
}

} // namespace

Option& Option::isRequired()
{
    m_option->required();
    return *this;
}

Option& Option::valueMayLack()
{
    m_option->expected(0, 1);
    return *this;
}

Option& Option::mayRepeat()
{
    m_option->expected(1)->take_all();
    return *this;
}

Option& Option::isCommaSeparated()
{
    m_option->delimiter(',');
    return *this;
}

Option& Option::excludes(const Option& other)
{
    m_option->excludes(other.m_option);
    return *this;
}

Option& Option::needs(const Option& other)
{
    m_option->needs(other.m_option);
    return *this;
}

// The checks say in the help what the placeholder says already, unless their description is empty.

Option& Option::isOneOf(const std::vector<std::string>& values)
{
    m_option->check(CLI::IsMember(values).description(""));
    return *this;
}

Option& Option::isPositive()
{
    m_option->check(CLI::Validator(CLI::PositiveNumber).description(""));
    return *this;
}

Option& Option::isWithin(double least, double most)
{
    const auto problem = [least, most](const std::string& value) {
        double number = 0.0;
        return CLI::detail::lexical_cast(value, number) && number >= least && number <= most
                   ? std::string()
                   : fmt::format("{} is not a number from {} to {}", value, least, most);
    };
    m_option->check(CLI::Validator(problem, fmt::format("{} to {}", least, most)));
    return *this;
}

Option& Option::isCheckedBy(std::function<std::string(const std::string& value)> problem)
{
    m_option->check(CLI::Validator(std::move(problem), ""));
    return *this;
}

bool Option::isGiven() const
{
    return m_option->count() > 0;
}

Option Command::flag(const char* name, bool& value, const char* help)
{
    return Option(*m_command.add_flag(name, value, help));
}

template<class T>
Option Command::option(const char* name, T& value, const char* placeholder, const char* help)
{
    return Option(*m_command.add_option(name, value, help)->type_name(placeholder));
}

template Option Command::option(const char*, std::string&, const char*, const char*);
template Option Command::option(const char*, int&, const char*, const char*);
template Option Command::option(const char*, std::int64_t&, const char*, const char*);
template Option Command::option(const char*, double&, const char*, const char*);
template Option Command::option(const char*, std::optional<int>&, const char*, const char*);
template Option Command::option(const char*, std::vector<std::string>&, const char*, const char*);
template Option Command::option(const char*, std::vector<int>&, const char*, const char*);
template Option Command::option(const char*, std::vector<std::int64_t>&, const char*, const char*);

Option Command::optionFunction(
    const char* name, const std::function<void(const std::string& value)>& take,
    const char* placeholder, const char* help)
{
    return Option(
        *m_command.add_option_function<std::string>(name, take, help)->type_name(placeholder));
}

Option Command::at(const char* name) const
{
    return Option(*m_command.get_option(name));
}

CommandLine::CommandLine(
    const char* description, const char* footer, const std::function<std::string()>& version)
    : m_program(std::make_unique<CLI::App>(description, "lockstep-train"))
{
    m_program->footer(footer);
    m_program->set_version_flag("--version", version, "Version of this program and its libraries");
    m_program->set_help_flag("-h,--help", "This text");
    m_program->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::addCommand(
    const char* name, const char* description, const std::string& footer)
{
    CLI::App* const command = m_program->add_subcommand(name, description);
    command->footer(footer);
    return Command(*command);
}

void CommandLine::setAction(const char* name, std::function<int()> action)
{
    m_program->get_subcommand(name)->callback(
        [this, action = std::move(action)] { m_chosen = action; });
}

int CommandLine::run(int argc, char** argv)
{
    try {
        m_program->parse(argc, argv);
    } catch (const CLI::Success& request) {
        return m_program->exit(request); // --help, --version
    } catch (const CLI::ParseError& error) {
        constexpr int kBadUsage = 2;
        writeError(usageError(
            *m_program, error,
            std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1U : 0U)));
        return kBadUsage;
    }
    return m_chosen();
}

} // namespace lockstep::train
