// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QDialog>
#include <QString>

#include <vector>

class QTableWidget;

namespace lockstep::ui {

/// A run's name and configuration.
struct NamedConfiguration
{
    QString name;
    RunConfig config;
};

/// A key of two configurations.
struct ComparedKey
{
    QString key;
    QString first; ///< as TOML; empty where it is not set
    QString second;
    QString meaning;

    [[nodiscard]] bool isDifferent() const { return first != second; }
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
    void makeTable();
    void setAllShown(bool isAll);

    QString m_firstName;
    QString m_secondName;
    std::vector<ComparedKey> m_keys;
    QTableWidget* m_table;
};

} // namespace lockstep::ui
