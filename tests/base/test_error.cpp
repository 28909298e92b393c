// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "support/lockstep_test.h"

#include <QTest>

#include <cerrno>
#include <cstring>

namespace lockstep {

class TestError : public QObject
{
    Q_OBJECT

private slots:
    void Fail_withArguments_carriesCodeAndText()
    {
        try {
            fail(ErrorCode::Numeric, "step {}: the loss of tower {} is {}", 12, 3, "nan");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::Numeric);
            QCOMPARE(error.what(), "step 12: the loss of tower 3 is nan");
            return;
        }
        QFAIL("fail() returned");
    }

    void Error_isCaughtAsStandardException()
    {
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, fail(ErrorCode::Io, "disk"));
    }

    void Require_whatHolds_doesNothing() { require(true, "never seen"); }

    void Require_whatDoesNotHold_isAnInternalErrorThatSaysWhat()
    {
        try {
            require(false, "the ring is empty");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::Internal);
            QVERIFY(std::strstr(error.what(), "the ring is empty") != nullptr);
            return;
        }
        QFAIL("require() returned");
    }

    void ErrnoText_isTheSystemsOwnWording()
    {
        errno = ENOSPC;
        QCOMPARE(errnoText(), std::string(" (") + std::strerror(ENOSPC) + ")");
        errno = EACCES;
        QCOMPARE(errnoText(), std::string(" (") + std::strerror(EACCES) + ")");
    }
};

} // namespace lockstep

LOCKSTEP_TEST(lockstep::TestError)
#include "test_error.moc"
