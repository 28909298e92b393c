// SPDX-License-Identifier: Apache-2.0
#include "support/lockstep_test.h"

#include <QCoreApplication>
#include <QLocale>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace lockstep::test {
namespace {

std::map<std::string, TestFactory>& tests()
{
    static std::map<std::string, TestFactory> registered;
    return registered;
}

int listTests(const char* program)
{
    std::fprintf(stderr, "usage: %s TEST [argument of Qt Test…], where TEST is one of\n", program);
    for (const auto& [name, factory] : tests()) {
        std::fprintf(stderr, "  %s\n", name.c_str());
    }
    return 2;
}

/// Under its own name, by which Qt files what a program keeps for itself.
int run(const std::string& name, TestFactory factory, int argc, char** argv)
{
    QCoreApplication::setApplicationName(QString::fromStdString(name));
    // Qt Test waits three times as long before it says what did not come.
    if (constexpr auto kLimit = "QTEST_FUNCTION_TIMEOUT"; !qEnvironmentVariableIsSet(kLimit)) {
        qputenv(kLimit, QByteArray::number(5 * kPatience));
    }
    QLocale::setDefault({QLocale::English, QLocale::UnitedStates}); // whoever the machine's user is
    return QTest::qExec(factory().get(), argc, argv);
}

} // namespace

RegisteredTest::RegisteredTest(const char* file, TestFactory factory)
{
    tests().emplace(std::filesystem::path(file).stem().string(), factory);
}

int runRegisteredTest(int argc, char** argv)
{
    if (const auto named = argc > 1 ? tests().find(argv[1]) : tests().end();
        named != tests().end()) {
        argv[1] = argv[0];
        return run(named->first, named->second, argc - 1, argv + 1);
    }
    if (tests().size() == 1) {
        return run(tests().begin()->first, tests().begin()->second, argc, argv);
    }
    return listTests(argv[0]);
}

} // namespace lockstep::test
