// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"

#include <QtTest/QtTest>

#include <hwy/targets.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace lockstep::test {

/// Restricts Highway's dispatch to one instruction set for the life of the object, so that the
/// paths of older processors are tested on a newer one.
class InstructionSet
{
public:
    explicit InstructionSet(std::int64_t target)
    {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    ~InstructionSet()
    {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    InstructionSet(const InstructionSet&) = delete;
    InstructionSet& operator=(const InstructionSet&) = delete;
};

/// A data column `target` with a row for each instruction set that was compiled and that this
/// processor has.
inline void addInstructionSets()
{
    QTest::addColumn<qint64>("target");
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        QTest::newRow(hwy::TargetName(target)) << qint64{target};
    }
}

/// The same, and a column `element`: each instruction set with both number formats.
inline void addInstructionSetsAndElements()
{
    QTest::addColumn<qint64>("target");
    QTest::addColumn<cpu::Element>("element");
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        QTest::addRow("%s, float32", hwy::TargetName(target))
            << qint64{target} << cpu::Element::Float32;
        QTest::addRow("%s, bfloat16", hwy::TargetName(target))
            << qint64{target} << cpu::Element::Bfloat16;
    }
}

/// Numbers of values for a kernel: all short ones, and one that is long and no multiple of
/// anything.
inline std::vector<std::size_t> kernelCounts()
{
    std::vector<std::size_t> all(41);
    std::iota(all.begin(), all.end(), std::size_t{0});
    all.push_back(16384 + 13);
    return all;
}

} // namespace lockstep::test
