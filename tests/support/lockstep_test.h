// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtTest>

#include <memory>

namespace lockstep::test {

/// How long a test waits for what has to come, in milliseconds. Qt Test's own five seconds are over
/// on a busy machine while one file is being synced.
inline constexpr int kPatience = 120'000;

/// Whether it has become true; events are processed meanwhile.
template<class Condition>
bool waitFor(Condition condition)
{
    return QTest::qWaitFor(condition, kPatience);
}

using TestFactory = std::unique_ptr<QObject> (*)();

/// Tells main() of a test class. LOCKSTEP_TEST makes one for each file, before main() begins.
class RegisteredTest
{
public:
    /// The name of the test is that of its file, `/folder/test_shape.cpp` makes test_shape.
    RegisteredTest(const char* file, TestFactory factory);
};

/// That of a class.
template<class Test>
extern const RegisteredTest kRegistered;

/// What main() of a test program does once the application object is there: runs the test that the
/// first argument names, with those that follow as Qt Test's; where a program has only one test,
/// its name can be left out. Returns the program's exit status: the number of failed functions, or
/// 2 where no test is named, after a list of them. For the main thread.
int runRegisteredTest(int argc, char** argv);

} // namespace lockstep::test

#undef QTRY_VERIFY
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, lockstep::test::kPatience)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(expression, text)                                                             \
    QTRY_VERIFY2_WITH_TIMEOUT(expression, text, lockstep::test::kPatience)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected)                                                             \
    QTRY_COMPARE_WITH_TIMEOUT(actual, expected, lockstep::test::kPatience)

/// In the place of QTEST_MAIN, at the end of a test's file: a test program has many of them. Like
/// QTEST_MAIN it comes with all of Qt Test.
#define LOCKSTEP_TEST(Class)                                                                       \
    template<>                                                                                     \
    const lockstep::test::RegisteredTest lockstep::test::kRegistered<Class>{                       \
        __FILE__, []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); }};
