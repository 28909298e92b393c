// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QtTest>

#include <initializer_list>

namespace lockstep::test {

/// The data of a test whose columns are all texts: the columns' names, then a line a row, its own
/// name first; a row without one is named by its texts.
inline void addTextRows(
    std::initializer_list<const char*> columns,
    std::initializer_list<std::initializer_list<const char*>> rows)
{
    for (const char* const column : columns) {
        QTest::addColumn<QString>(column);
    }
    for (const auto& row : rows) {
        QStringList texts;
        for (const char* const text : row) {
            texts.append(QString::fromUtf8(text));
        }
        const bool isNamed = row.size() > columns.size();
        QTestData& data =
            QTest::newRow(isNamed ? *row.begin() : qPrintable(texts.join(QLatin1Char(' '))));
        for (qsizetype i = isNamed ? 1 : 0; i < texts.size(); ++i) {
            data << texts[i];
        }
    }
}

} // namespace lockstep::test
