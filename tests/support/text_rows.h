// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QtTest>

#include <initializer_list>

namespace lockstep::test {

/// The data of a test whose columns are all texts: the columns' names, then a line a row, its own
/// name first.
inline void addTextRows(
    std::initializer_list<const char*> columns,
    std::initializer_list<std::initializer_list<const char*>> rows)
{
    for (const char* const column : columns) {
        QTest::addColumn<QString>(column);
    }
    for (const auto& row : rows) {
        QTestData& data = QTest::newRow(*row.begin());
        for (const char* const* text = row.begin() + 1; text != row.end(); ++text) {
            data << QString::fromUtf8(*text);
        }
    }
}

} // namespace lockstep::test
