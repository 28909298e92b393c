// SPDX-License-Identifier: Apache-2.0
// Of the test programs that show windows.
#include "support/lockstep_test.h"

#include <QApplication>

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    QApplication::setAttribute(Qt::AA_Use96Dpi); // as QTEST_MAIN does
    return lockstep::test::runRegisteredTest(argc, argv);
}
