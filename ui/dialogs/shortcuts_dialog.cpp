// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/shortcuts_dialog.h"

#include "dialogs/library_table.h"
#include "widgets/forms/layouts.h"

#include <QAction>
#include <QHeaderView>
#include <QKeySequence>
#include <QRegularExpression>
#include <QTreeWidget>

#include <utility>

namespace lockstep::ui {
namespace {

enum ShortcutColumn { What, Keys };
constexpr int kKeysWidth = 230;
/// Heights of rows, of that of the font.
constexpr double kGroupHeight = 1.8;
constexpr double kShortcutHeight = 1.15;

/// The text of a menu's entry without its access key: "Save &As" to "Save As", "A && B" to "A & B".
QString plainText(const QString& text)
{
    static const QRegularExpression accessKey(QStringLiteral("&(.)"));
    return QString(text).replace(accessKey, QStringLiteral("\\1"));
}

QString keyText(Qt::Key key)
{
    return QKeySequence(key).toString(QKeySequence::NativeText);
}

QSize rowSize(const QTreeWidget& list, double height)
{
    return {0, static_cast<int>(list.fontMetrics().height() * height)};
}

QTreeWidgetItem* groupOf(QTreeWidget& list, const QString& name)
{
    const auto known = list.findItems(name, Qt::MatchExactly, What);
    if (!known.isEmpty()) {
        return known.front();
    }
    auto* group = new QTreeWidgetItem(&list, {name});
    QFont font = list.font();
    font.setWeight(QFont::DemiBold);
    group->setFont(What, font);
    group->setTextAlignment(What, Qt::AlignLeft | Qt::AlignBottom);
    group->setSizeHint(What, rowSize(list, kGroupHeight));
    group->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    group->setFirstColumnSpanned(true);
    return group;
}

void addRow(QTreeWidgetItem& group, const QString& what, const QString& keys)
{
    auto* row = new QTreeWidgetItem(&group, {what, keys});
    row->setToolTip(What, what);
    row->setSizeHint(What, rowSize(*group.treeWidget(), kShortcutHeight));
    row->setData(
        What, Qt::AccessibleTextRole,
        ShortcutsDialog::tr("%1: %2", "an action: its keys").arg(what, keys));
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent), m_list(new QTreeWidget)
{
    setWindowTitle(tr("Keyboard Shortcuts"));
    m_list->setAccessibleName(tr("Keyboard shortcuts"));
    m_list->setHeaderLabels({tr("Action"), tr("Keys")});
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setRootIsDecorated(false);
    m_list->setItemsExpandable(false);
    m_list->setIndentation(14);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(What, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(Keys, QHeaderView::Fixed);
    m_list->header()->resizeSection(Keys, kKeysWidth);
    for (const QAction* action : actions) {
        if (!action->shortcuts().isEmpty()) {
            const QString group = plainText(action->property("group").toString());
            addRow(
                *groupOf(*m_list, group.isEmpty() ? tr("Other") : group), plainText(action->text()),
                QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText));
        }
    }
    addCharts();
    m_list->expandAll();

    addCloseButtons(*columnIn(this, {16, 14, 16, 14}, 12, {m_list}));
    resize(580, 640);
}

void ShortcutsDialog::addCharts()
{
    QTreeWidgetItem* charts = groupOf(*m_list, tr("Charts"));
    const QString left = keyText(Qt::Key_Left);
    const QString right = keyText(Qt::Key_Right);
    const QList<std::pair<QString, QString>> rows{
        {tr("Zoom to a part of both axes; flat: of the x axis"), tr("Drag")},
        {tr("Zoom to a part of the y axis"), tr("Shift + drag")},
        {tr("Zoom at the pointer"), tr("Wheel")},
        {tr("Zoom the y axis at the pointer"), tr("Ctrl + wheel")},
        {tr("Zoom in, out"), tr("+, −")},
        {tr("Pan"), tr("Middle button or Space, and drag")},
        {tr("Pan sideways"), tr("Shift + wheel")},
        {tr("Half a screen back, on"),
         tr("%1, %2").arg(keyText(Qt::Key_PageUp), keyText(Qt::Key_PageDown))},
        {tr("Fit the whole run"), tr("Double click, %1").arg(keyText(Qt::Key_Home))},
        {tr("Follow the newest step"), keyText(Qt::Key_End)},
        {tr("The part that was shown before"),
         tr("%1, the mouse's button").arg(keyText(Qt::Key_Backspace))},
        {tr("Forward to it again"),
         tr("Shift + %1, the mouse's button").arg(keyText(Qt::Key_Backspace))},
        {tr("Cross-hair to the step before, after"), tr("%1, %2").arg(left, right)},
        {tr("Cross-hair by 100 steps"), tr("Shift + %1, %2").arg(left, right)},
        {tr("To the checkpoint before, after"), tr("Ctrl + %1, %2").arg(left, right)},
        {tr("What can be done with the checkpoint"),
         tr("Click on its pin, %1").arg(keyText(Qt::Key_Return))},
        {tr("To the mark on the x axis before, after"),
         tr("Ctrl + Shift + %1, %2").arg(left, right)},
        {tr("No cross-hair"), keyText(Qt::Key_Escape)},
        {tr("Logarithmic y axis"), keyText(Qt::Key_L)},
        {tr("Outliers off scale, or not"), keyText(Qt::Key_O)},
        {tr("All the room for this chart, or for all"),
         tr("Double click on its title, %1").arg(keyText(Qt::Key_M))},
    };
    for (const auto& [what, keys] : rows) {
        addRow(*charts, what, keys);
    }
}

} // namespace lockstep::ui
