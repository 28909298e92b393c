// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/preview_message.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace lockstep::ui {
namespace {

constexpr int kPercent = 100;
constexpr int kBarWidth = 240;
constexpr int kMessageMargin = 16;

} // namespace

PreviewMessage::PreviewMessage(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_bar(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)), m_again(new QPushButton(tr("Try Again"), this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setAccessibleName(tr("Data preview"));
    m_bar->setObjectName(QStringLiteral("preview_progress"));
    m_bar->setRange(0, kPercent);
    m_bar->setMaximumWidth(kBarWidth);
    m_cancel->setObjectName(QStringLiteral("preview_cancel"));
    m_cancel->setToolTip(tr("Ends the loading of the data set"));
    m_again->setObjectName(QStringLiteral("preview_again"));
    m_again->setToolTip(tr("Opens the data set and makes the preview again"));
    connect(m_cancel, &QPushButton::clicked, this, &PreviewMessage::cancelled);
    connect(m_again, &QPushButton::clicked, this, &PreviewMessage::again);
    auto* const row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_bar);
    row->addWidget(m_cancel);
    row->addWidget(m_again);
    row->addStretch(1);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(
        kMessageMargin, kMessageMargin / 2, kMessageMargin, kMessageMargin / 2);
    layout->addStretch(1);
    layout->addWidget(m_text);
    layout->addLayout(row);
    layout->addStretch(1);
}

void PreviewMessage::setWaiting(const QString& text)
{
    showParts(text, false, false);
}

void PreviewMessage::setLoading(const QString& text, double share)
{
    showParts(text, true, false);
    m_bar->setValue(static_cast<int>(std::lround(share * kPercent)));
}

void PreviewMessage::setProblem(const QString& text)
{
    showParts(text, false, true);
}

void PreviewMessage::showParts(const QString& text, bool isLoading, bool isProblem)
{
    m_text->setText(text);
    m_bar->setVisible(isLoading);
    m_cancel->setVisible(isLoading);
    m_again->setVisible(isProblem);
}

} // namespace lockstep::ui
