// SPDX-License-Identifier: Apache-2.0
// Of the test programs that show windows.
#include "support/lockstep_test.h"

#include <QApplication>
#include <QTemporaryDir>

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    QApplication::setAttribute(Qt::AA_Use96Dpi); // as QTEST_MAIN does
    const QTemporaryDir cache;                   // as without windows
    qputenv("XDG_CACHE_HOME", cache.path().toLocal8Bit());
    return lockstep::test::runRegisteredTest(argc, argv);
}
