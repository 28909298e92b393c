// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/field_editor.h"

#include "widgets/forms/wheel_guard.h"

#include <QHBoxLayout>
#include <QLineEdit>

namespace lockstep::ui {

FieldEditor::FieldEditor(QWidget* parent) : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
}

void FieldEditor::setInput(QWidget* input)
{
    m_input = input;
    setFocusProxy(input);
    new WheelGuard(input);
    layout()->addWidget(input);
}

void FieldEditor::addButton(QWidget* button)
{
    layout()->addWidget(button);
}

void FieldEditor::describe(const QString& key, const QString& name, const QString& toolTip)
{
    m_input->setObjectName(key);
    QList<QWidget*> parts{m_input};
    const auto inner = m_input->findChildren<QLineEdit*>(); // of a spin box
    parts.append({inner.begin(), inner.end()});
    for (QWidget* part : parts) {
        part->setAccessibleName(name);
        part->setToolTip(toolTip);
    }
}

} // namespace lockstep::ui
