// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/validation/run_validation.h"
#include "models/runs/run_table_model.h"

#include <QDialog>
#include <QStringList>

#include <vector>

class QTableWidget;

namespace lockstep::ui {

/// A run's name and settings, all of them.
struct ComparedRun
{
    QString name;
    QList<SettingInWords> settings;
};

/// Two runs side by side: what came of them, and what they were set to, of which the settings that
/// differ, or all.
class ConfigurationDifferenceDialog : public QDialog
{
    Q_OBJECT

public:
    ConfigurationDifferenceDialog(
        const ComparedRun& first, const ComparedRun& second,
        const std::vector<ComparedResult>& results, QWidget* parent = nullptr);

    /// The rows that are shown, a line each.
    [[nodiscard]] QString toPlainText() const;

private:
    struct Row
    {
        QStringList cells;
        QString toolTip; ///< of the first
        bool isDifferent = false;
        int better = 0; ///< of a result, which is always shown
        bool isResult = false;
    };

    void setAllShown(bool isAll);

    QStringList m_heads;
    std::vector<Row> m_rows; ///< results, then all settings, in the order of the form
    QTableWidget* m_table;
};

} // namespace lockstep::ui
