// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/batch_link.h"

#include "theme/icons.h"
#include "widgets/forms/form_field.h"
#include "widgets/forms/value_editors.h"

#include <QToolButton>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kLockIcon = 14;

WholeNumberBox* boxOf(const FormField* field)
{
    return static_cast<WholeNumberEditor*>(field->editor())->box();
}

/// What the engine takes where nothing is given.
std::int64_t defaultBatchPerTower()
{
    return RunConfig().towerShape().batchPerTower;
}

/// None where it would not fit; such values are refused anyway.
std::optional<qint64> product(std::optional<qint64> towers, std::optional<qint64> perTower)
{
    qint64 result = 0;
    return towers && perTower && !__builtin_mul_overflow(*towers, *perTower, &result)
               ? std::optional(result)
               : std::nullopt;
}

void show(FormField* field, std::optional<std::int64_t> value)
{
    field->editor()->setText(value ? QString::number(*value) : QString());
}

} // namespace

BatchLink::BatchLink(FormField* towers, FormField* perTower, FormField* global, QObject* parent)
    : QObject(parent), m_towers(boxOf(towers)), m_perTower(perTower), m_global(global),
      m_perTowerLock(makeLock(perTower, false)), m_globalLock(makeLock(global, true))
{
    connect(towers->editor(), &FieldEditor::edited, this, &BatchLink::followTowers);
    connect(perTower->editor(), &FieldEditor::edited, this, [this] { give(false); });
    connect(global->editor(), &FieldEditor::edited, this, [this] { give(true); });
}

QToolButton* BatchLink::makeLock(FormField* field, bool isGlobal)
{
    auto* const lock = new QToolButton(field);
    lock->setAutoRaise(true);
    lock->setIconSize({kLockIcon, kLockIcon});
    lock->setFixedWidth(lock->sizeHint().width());
    lock->setCheckable(true);
    describeInput(
        *lock, field->key() + QStringLiteral("_lock"),
        isGlobal ? tr("Keep the global batch") : tr("Keep the batch per tower"),
        isGlobal ? tr("Closed: the global batch stays when the number of towers changes")
                 : tr("Closed: the batch per tower stays when the number of towers changes"));
    connect(lock, &QToolButton::clicked, this, [this, isGlobal] { close(isGlobal); });
    field->editor()->addButton(lock);
    QWidget* const input = field->editor()->input();
    // The lock takes its room from the field, not from the narrowest form.
    input->setMinimumWidth(input->minimumSizeHint().width() - lock->width());
    QWidget::setTabOrder(input, lock);
    return lock;
}

void BatchLink::give(bool isGlobal)
{
    m_isPerTowerGiven = !isGlobal;
    m_isGlobalGiven = isGlobal;
    derive();
    showLocks();
    emit edited();
}

/// A batch per tower that could not be derived, as the global batch is not divisible: the next one
/// below. Else the other one would be derived from nothing, and both would be lost.
void BatchLink::close(bool isGlobal)
{
    const auto towers = std::max<qint64>(1, m_towers->value().value_or(1));
    const auto perTower = boxOf(m_perTower)->value();
    const auto global = boxOf(m_global)->value();
    if (!isGlobal && !perTower) {
        show(
            m_perTower,
            global ? std::max<std::int64_t>(1, *global / towers) : defaultBatchPerTower());
    } else if (isGlobal && !global) {
        show(m_global, product(towers, perTower.value_or(defaultBatchPerTower())));
    }
    give(isGlobal);
}

void BatchLink::showLocks()
{
    const auto show = [](QToolButton* lock, bool isClosed) {
        lock->setChecked(isClosed);
        lock->setIcon(icon(isClosed ? IconName::Lock : IconName::Unlock));
    };
    show(m_perTowerLock, m_isPerTowerGiven || !m_isGlobalGiven);
    show(m_globalLock, m_isGlobalGiven);
}

void BatchLink::fill(const RunConfig& config)
{
    m_isPerTowerGiven = config.batchPerTower.has_value();
    m_isGlobalGiven = config.globalBatch.has_value();
    show(m_global, config.globalBatch);
    if (m_isPerTowerGiven || !m_isGlobalGiven) {
        show(m_perTower, config.batchPerTower.value_or(defaultBatchPerTower()));
    }
    followTowers();
    showLocks();
}

bool BatchLink::isGiven(const FormField* field) const
{
    return field == m_perTower ? m_isPerTowerGiven : field != m_global || m_isGlobalGiven;
}

void BatchLink::followTowers()
{
    const qint64 towers = m_towers->value().value_or(1);
    if (towers > 0) {
        boxOf(m_global)->setRange({towers, 1'000'000'000, towers});
    }
    derive();
}

void BatchLink::derive()
{
    const auto towers = m_towers->value();
    if (m_isGlobalGiven && !m_isPerTowerGiven) {
        const auto global = boxOf(m_global)->value();
        const bool isWhole = global && towers && *towers > 0 && *global % *towers == 0;
        show(m_perTower, isWhole ? std::optional(*global / *towers) : std::nullopt);
    } else if (!m_isGlobalGiven) {
        show(m_global, product(towers, boxOf(m_perTower)->value()));
    }
}

} // namespace lockstep::ui
