// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QObject>

class QToolButton;

namespace lockstep::ui {

class FormField;
class WholeNumberBox;

/// Keeps batch per tower and global batch in step: one of them is given to the run and stays when
/// the number of towers changes, the other follows from it. It is the one that was edited last, or
/// whose lock was closed. What the configuration gives stays as it is until then.
class BatchLink : public QObject
{
    Q_OBJECT

public:
    /// The fields outlive the link.
    BatchLink(FormField* towers, FormField* perTower, FormField* global, QObject* parent);

    /// Shows the batch of the configuration. The field of the towers is filled already.
    void fill(const RunConfig& config);
    [[nodiscard]] bool isBatch(const FormField* field) const
    {
        return field == m_perTower || field == m_global;
    }
    /// Whether this field's value is one that the run is given; true for any other field.
    [[nodiscard]] bool isGiven(const FormField* field) const;

signals:
    void edited();

private:
    [[nodiscard]] QToolButton* makeLock(FormField* field, bool isGlobal);
    /// From now on this one is given.
    void give(bool isGlobal);
    /// As give(), by a click on its lock: an empty field gets a value first.
    void close(bool isGlobal);
    void derive();
    void followTowers();
    void showLocks();

    WholeNumberBox* m_towers;
    FormField* m_perTower;
    FormField* m_global;
    QToolButton* m_perTowerLock;
    QToolButton* m_globalLock;
    bool m_isPerTowerGiven = false;
    bool m_isGlobalGiven = false;
};

} // namespace lockstep::ui
