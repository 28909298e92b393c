// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/field_editor.h"

#include "widgets/forms/wheel_guard.h"

#include <QHBoxLayout>
#include <QLineEdit>

namespace lockstep::ui {

void describeInput(QWidget& input, const QString& key, const QString& name, const QString& toolTip)
{
    input.setObjectName(key);
    QList<QWidget*> parts{&input};
    const auto inner = input.findChildren<QLineEdit*>();
    parts.append({inner.begin(), inner.end()});
    for (QWidget* const part : parts) {
        part->setAccessibleName(name);
        part->setToolTip(toolTip);
    }
}

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
    describeInput(*m_input, key, name, toolTip);
}

} // namespace lockstep::ui
