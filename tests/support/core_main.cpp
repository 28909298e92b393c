// SPDX-License-Identifier: Apache-2.0
// Of the test programs that show no window.
#include "support/lockstep_test.h"

#include <QCoreApplication>

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    return lockstep::test::runRegisteredTest(argc, argv);
}
