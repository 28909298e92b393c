// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QtTest>

#include <initializer_list>
#include <tuple>

namespace lockstep::test {

/// The data of a test: the columns' names, then a line a row, its own name first.
template<class... Values>
void addRows(
    std::initializer_list<const char*> columns,
    std::initializer_list<std::tuple<const char*, Values...>> rows)
{
    auto column = columns.begin();
    (QTest::addColumn<Values>(*column++), ...);
    for (const auto& row : rows) {
        std::apply(
            [](const char* name, const auto&... values) { (QTest::newRow(name) << ... << values); },
            row);
    }
}

/// Where all columns are texts; a row without a name is named by its texts.
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

/// The data of a test with one column: a row for each number, which is its name.
template<class Number>
void addNumberRows(const char* column, std::initializer_list<Number> numbers)
{
    QTest::addColumn<Number>(column);
    for (const Number number : numbers) {
        QTest::newRow(qPrintable(QString::number(number))) << number;
    }
}

} // namespace lockstep::test
