// SPDX-License-Identifier: Apache-2.0
// Of the test programs that show no window.
#include "support/lockstep_test.h"

#include <QCoreApplication>
#include <QTemporaryDir>

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    // What is measured here, beside other tests and perhaps under a sanitizer, is of no use to
    // others.
    const QTemporaryDir cache;
    qputenv("XDG_CACHE_HOME", cache.path().toLocal8Bit());
    return lockstep::test::runRegisteredTest(argc, argv);
}
