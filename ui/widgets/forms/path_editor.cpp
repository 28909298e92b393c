// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/path_editor.h"

#include "theme/icons.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QToolButton>

#include <utility>

namespace lockstep::ui {
namespace {

/// Value of the choice that asks for a file. No file has this name.
QString askValue()
{
    return QChar(u'\0');
}

} // namespace

FolderEditor::FolderEditor(QWidget* parent) : TextEditor(parent), m_button(new QToolButton(this))
{
    m_button->setIcon(icon(IconName::Folder));
    m_button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    layout()->addWidget(m_button);
    connect(m_button, &QToolButton::clicked, this, [this] { browse(); });
}

void FolderEditor::describe(const QString& key, const QString& name, const QString& toolTip)
{
    TextEditor::describe(key, name, toolTip);
    m_button->setObjectName(key + QStringLiteral(".browse"));
    m_button->setAccessibleName(tr("Choose: %1").arg(name));
    m_button->setToolTip(tr("Choose a folder…"));
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
            askForFile();
        }
    });
    connect(box(), &QComboBox::currentIndexChanged, this, [this] { m_last = text(); });
}

bool NameOrFileEditor::isAsking() const
{
    return ChoiceEditor::text() == askValue();
}

QString NameOrFileEditor::text() const
{
    return isAsking() ? m_last : ChoiceEditor::text();
}

void NameOrFileEditor::setText(const QString& text)
{
    m_last = text;
    if (box()->findData(text) < 0) {
        insert(box()->count() - 1, {text, QFileInfo(text).fileName(), text});
    }
    ChoiceEditor::setText(text);
}

void NameOrFileEditor::askForFile()
{
    const QString file = QFileDialog::getOpenFileName(
        this, input()->accessibleName(), QFileInfo(m_last).path(), m_filter);
    setText(file.isEmpty() ? m_last : file);
    emit edited();
}

} // namespace lockstep::ui
