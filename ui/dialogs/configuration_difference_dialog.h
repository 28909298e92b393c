// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QDialog>
#include <QStringList>

#include <vector>

class QTableWidget;

namespace lockstep::ui {

/// A run's name and configuration.
struct NamedConfiguration
{
    QString name;
    RunConfig config;
};

/// What two runs were set to, side by side: the keys that differ, or all.
class ConfigurationDifferenceDialog : public QDialog
{
    Q_OBJECT

public:
    ConfigurationDifferenceDialog(
        const NamedConfiguration& first, const NamedConfiguration& second,
        QWidget* parent = nullptr);

    /// The rows that are shown, a line each.
    [[nodiscard]] QString toPlainText() const;

private:
    struct Row
    {
        QStringList cells;
        bool isDifferent = false;
    };

    void setAllShown(bool isAll);

    QStringList m_heads;
    std::vector<Row> m_rows; ///< all keys, in the order of the file
    QTableWidget* m_table;
};

} // namespace lockstep::ui
