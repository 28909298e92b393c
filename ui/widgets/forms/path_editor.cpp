// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/path_editor.h"

#include "theme/icons.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPainter>
#include <QStyleOptionFrame>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kPathMargin = 6;

/// Value of the choice that asks for a file. No file has this name.
QString askValue()
{
    return QChar(u'\0');
}

/// While nobody types in it, a path that is too long for it is cut in front, where it says least.
class PathLine : public QLineEdit
{
protected:
    void paintEvent(QPaintEvent* event) override
    {
        const QRect room = rect().adjusted(kPathMargin, 0, -kPathMargin, 0);
        const QString cut = fontMetrics().elidedText(text(), Qt::ElideLeft, room.width());
        if (hasFocus() || cut == text()) {
            return QLineEdit::paintEvent(event);
        }
        QStyleOptionFrame frame;
        initStyleOption(&frame);
        QPainter painter(this);
        style()->drawPrimitive(QStyle::PE_PanelLineEdit, &frame, &painter, this);
        const auto slash = cut.indexOf(QLatin1Char('/')); // whole names, as far as there are some
        const QString names = slash > 0 ? QChar(u'…') + cut.mid(slash) : cut;
        style()->drawItemText(
            &painter, room, Qt::AlignLeft | Qt::AlignVCenter, palette(), isEnabled(), names,
            QPalette::Text);
    }
};

} // namespace

FolderEditor::FolderEditor(QWidget* parent)
    : TextEditor(parent, new PathLine), m_button(new QToolButton(this))
{
    m_button->setIcon(icon(IconName::Folder));
    m_button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    layout()->addWidget(m_button);
    connect(m_button, &QToolButton::clicked, this, [this] { browse(); });
}

void FolderEditor::describe(const QString& key, const QString& name, const QString& toolTip)
{
    TextEditor::describe(key, name, toolTip);
    describeInput(
        *m_button, key + QStringLiteral(".browse"), tr("Choose: %1").arg(name),
        tr("Choose a folder…"));
}

void FolderEditor::offerFile(const QString& title, const QString& filter)
{
    m_button->disconnect(this);
    auto* const menu = new QMenu(m_button);
    menu->addAction(tr("Folder…"), this, [this] { browse(); });
    menu->addAction(title, this, [this, filter] { browse(filter); });
    m_button->setMenu(menu);
    m_button->setPopupMode(QToolButton::InstantPopup);
}

void FolderEditor::browse(const QString& filter)
{
    const QString title = input()->accessibleName();
    const QString now = line()->text();
    const QString chosen =
        filter.isEmpty() ? QFileDialog::getExistingDirectory(this, title, now)
                         : QFileDialog::getOpenFileName(this, title, QFileInfo(now).path(), filter);
    if (!chosen.isEmpty()) {
        line()->setText(chosen);
    }
}

NameOrFileEditor::NameOrFileEditor(
    const QList<Choice>& names, const QString& fileChoice, QString filter, QWidget* parent)
    : ChoiceEditor(parent), m_filter(std::move(filter))
{
    setChoices(names + QList<Choice>{{askValue(), fileChoice, fileChoice}});
    m_last = text();
    connect(box(), &QComboBox::activated, this, [this] {
        if (isAsking()) {
            const QString file = QFileDialog::getOpenFileName(
                this, input()->accessibleName(), QFileInfo(m_last).path(), m_filter);
            setText(file.isEmpty() ? m_last : file);
            emit edited();
        }
    });
    connect(box(), &QComboBox::currentIndexChanged, this, [this] { m_last = text(); });
}

bool NameOrFileEditor::isAsking() const
{
    return ChoiceEditor::text() == askValue();
}

void NameOrFileEditor::setText(const QString& text)
{
    m_last = text;
    if (box()->findData(text) < 0) {
        insert(box()->count() - 1, {text, QFileInfo(text).fileName(), text});
    }
    ChoiceEditor::setText(text);
}

} // namespace lockstep::ui
