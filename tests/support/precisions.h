// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/cpu_device.h"

#include <QtTest/QtTest>

namespace lockstep::test {

/// Global data with a row for each precision that the CPU of this machine has: every function of a
/// test runs once with each.
inline void addPrecisions()
{
    QTest::addColumn<Precision>("precision");
    const cpu::CpuDevice device;
    for (const Precision precision : device.info().precisions) {
        QTest::newRow(toString(precision).c_str()) << precision;
    }
}

} // namespace lockstep::test
