// SPDX-License-Identifier: Apache-2.0
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <cerrno>
#include <cstring>

namespace lockstep {

class TestError : public QObject
{
    Q_OBJECT

private slots:
    void Fail_withArguments_carriesCodeAndText()
    {
        const auto error = test::errorOf(
            [] { fail(ErrorCode::Numeric, "step {}: the loss of tower {} is {}", 12, 3, "nan"); });
        QVERIFY(test::tells(error, ErrorCode::Numeric));
        QCOMPARE(error->what(), "step 12: the loss of tower 3 is nan");
    }

    void Error_isCaughtAsStandardException()
    {
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, fail(ErrorCode::Io, "disk"));
    }

    void Require_whatHolds_doesNothing() { require(true, "never seen"); }

    void Require_whatDoesNotHold_isAnInternalErrorThatSaysWhat()
    {
        const auto error = test::errorOf([] { require(false, "the ring is empty"); });
        QVERIFY(test::tells(error, ErrorCode::Internal, "the ring is empty"));
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
