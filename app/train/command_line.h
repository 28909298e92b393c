// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the name is CLI11's
class App;
class Option;
} // namespace CLI

namespace lockstep::train {

/// A flag, an option or a place of a command. CLI11 reads them; its header costs seconds in every
/// file, so that command_line.cpp alone includes it. Valid as long as the command line is.
class Option
{
public:
    explicit Option(CLI::Option& option) : m_option(&option) {}

    // Each returns the option itself.
    Option& isRequired();
    /// It stands alone, or with one value.
    Option& valueMayLack();
    /// May be given several times, each time with one value.
    Option& mayRepeat();
    /// Its values stand in one word, with commas between them.
    Option& isCommaSeparated();
    Option& excludes(const Option& other);
    Option& needs(const Option& other);
    Option& isOneOf(const std::vector<std::string>& values);
    Option& isPositive();
    Option& isWithin(double least, double most);
    /// `problem` says what is wrong with a value; nothing: it is fine.
    Option& isCheckedBy(std::function<std::string(const std::string& value)> problem);

    [[nodiscard]] bool isGiven() const;

private:
    CLI::Option* m_option;
};

/// One command of the program, which its options are declared at. Values are read into variables
/// that must outlive the reading. `placeholder` stands for the value in the help.
class Command
{
public:
    explicit Command(CLI::App& command) : m_command(command) {}

    Option flag(const char* name, bool& value, const char* help);
    /// T: std::string, int, std::int64_t, double, std::optional<int>, or a vector of strings or
    /// numbers. A name without dashes is a place.
    template<class T>
    Option option(const char* name, T& value, const char* placeholder, const char* help);
    Option optionFunction(
        const char* name, const std::function<void(const std::string& value)>& take,
        const char* placeholder, const char* help);
    /// One that was declared before.
    [[nodiscard]] Option at(const char* name) const;

private:
    CLI::App& m_command;
};

/// The command line of the program: its commands, of which one is chosen.
class CommandLine
{
public:
    /// `version` makes the lines of --version.
    CommandLine(
        const char* description, const char* footer, const std::function<std::string()>& version);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    /// Adds a command. Options declares its flags in its constructor, at a Command; `action` is
    /// what the command does with them, and returns the exit status.
    template<class Options>
    void add(
        const char* name, const char* description, const std::string& footer,
        int (*action)(const Options&))
    {
        Command command = addCommand(name, description, footer);
        const auto options = std::make_shared<Options>(command);
        setAction(name, [options, action] { return action(*options); });
    }

    /// Reads the command line and does what it says. Returns the exit status: that of the command,
    /// 0 after --help and --version, 2 after one line about a command line that can't be read.
    int run(int argc, char** argv);

private:
    Command addCommand(const char* name, const char* description, const std::string& footer);
    void setAction(const char* name, std::function<int()> action);

    std::unique_ptr<CLI::App> m_program;
    std::function<int()> m_chosen; ///< what the command does that was read
};

} // namespace lockstep::train
