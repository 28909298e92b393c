// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/chart_controls.h"

#include "plots/axes/x_range.h"
#include "plots/view/plot_view.h"
#include "theme/icons.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/value_editors.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QToolButton>

#include <map>

namespace lockstep::ui {
namespace {

constexpr int kLeastSlider = 20;
constexpr int kMostSlider = 140;

QToolButton* flatButton(IconName name, const QString& text, const QString& toolTip)
{
    auto* const button = new QToolButton;
    button->setIcon(icon(name));
    button->setText(text);
    button->setAutoRaise(true);
    button->setToolTip(toolTip);
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

ChartControls::ChartControls(XRange& range, PlotView& loss, QWidget* parent)
    : QWidget(parent), m_range(range), m_loss(loss),
      m_smoothingLabel(new QLabel(tr("Smoothing"), this)),
      m_axisLabel(new QLabel(tr("&X axis"), this))
{
    makeSmoothing();
    makeAxis();
    makeLogarithm();
    makePlaces();
    m_smoothingLabel->setBuddy(m_smoothing);
    m_axisLabel->setBuddy(m_axis);
    auto* const row = rowIn(
        this, {4, 0, 4, 0}, kUsualSpacing,
        {m_smoothingLabel, m_smoothing, m_smoothingText, m_axisLabel, m_axis, space(), m_logarithm,
         m_fit, m_follow});
    setWords(false);
    m_wordsWidth = -row->minimumSize().width();
    setWords(true);
    m_wordsWidth += row->minimumSize().width();
}

void ChartControls::makeSmoothing()
{
    m_smoothing = new QSlider(Qt::Horizontal);
    m_smoothing->setRange(0, kMostSmoothing);
    m_smoothing->setMinimumWidth(kLeastSlider);
    m_smoothing->setMaximumWidth(kMostSlider);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(
        tr("The lines are the trend over the steps around each, which count less the farther they "
           "are: by this\n"
           "factor a step, less while a run is short. The values as they are stay visible behind "
           "them."));
    new WheelGuard(m_smoothing);
    m_smoothingText = new QLabel;
    m_smoothingText->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.000")));
    connect(m_smoothing, &QSlider::valueChanged, this, &ChartControls::smoothingChosen);
}

void ChartControls::makeAxis()
{
    m_axis = new QComboBox;
    fillAxis();
    connect(&m_range, &XRange::axesChanged, this, &ChartControls::fillAxis);
    connect(m_axis, &QComboBox::currentTextChanged, this, &ChartControls::fitAxis);
    fitAxis();
    m_axis->setAccessibleName(tr("X axis of all charts"));
    m_axis->setToolTip(tr("What the x axis of all charts counts"));
    new WheelGuard(m_axis);
    connect(m_axis, &QComboBox::activated, this, [this](int row) {
        m_range.setAxis(static_cast<XAxis>(m_axis->itemData(row).toInt()));
    });
    connect(&m_range, &XRange::axisChanged, this, [this] {
        m_axis->setCurrentIndex(m_axis->findData(static_cast<int>(m_range.axis())));
    });
}

void ChartControls::fillAxis()
{
    const std::map<XAxis, QString> texts{
        {XAxis::Step, tr("Step")},
        {XAxis::Epoch, tr("Epoch")},
        {XAxis::Examples, tr("Examples")},
        {XAxis::WallTime, tr("Training time")}};
    m_axis->clear();
    for (const XAxis axis : axesOf(m_range)) {
        m_axis->addItem(texts.at(axis), static_cast<int>(axis));
    }
    m_axis->setCurrentIndex(m_axis->findData(static_cast<int>(m_range.axis())));
}

/// Where room is short, what is chosen can be read, and no more.
void ChartControls::fitAxis()
{
    constexpr int kAnyWidth = 400;
    QStyleOptionComboBox option;
    option.initFrom(m_axis);
    option.rect = QRect(0, 0, kAnyWidth, m_axis->sizeHint().height());
    const QRect field =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, m_axis);
    m_axis->setMinimumWidth(
        kAnyWidth - field.width() + fontMetrics().horizontalAdvance(m_axis->currentText()));
}

/// A click is about the loss; the menu has what is asked for less often.
void ChartControls::makeLogarithm()
{
    m_logarithm = flatButton(
        IconName::LogScale, tr("Log"), tr("Logarithmic y axis of the loss (L in the chart)"));
    m_logarithm->setCheckable(true);
    connect(m_logarithm, &QToolButton::toggled, &m_loss, &PlotView::setLogarithmic);
    connect(&m_loss, &PlotView::logarithmicChanged, m_logarithm, &QToolButton::setChecked);
    auto* const menu = new QMenu(m_logarithm);
    QAction* const logarithmicX = menu->addAction(tr("Logarithmic &x Axis"));
    QAction* const robust = menu->addAction(tr("Leave &Outliers off Scale (O in the chart)"));
    for (QAction* const action : {logarithmicX, robust}) {
        action->setCheckable(true);
    }
    robust->setChecked(m_range.isRobust());
    connect(logarithmicX, &QAction::toggled, &m_range, &XRange::setLogarithmic);
    connect(robust, &QAction::toggled, &m_range, &XRange::setRobust);
    connect(&m_range, &XRange::axisChanged, logarithmicX, [this, logarithmicX] {
        logarithmicX->setChecked(m_range.isLogarithmic());
    });
    connect(&m_range, &XRange::robustChanged, robust, [this, robust] {
        robust->setChecked(m_range.isRobust());
    });
    m_logarithm->setMenu(menu);
    m_logarithm->setPopupMode(QToolButton::MenuButtonPopup);
}

void ChartControls::makePlaces()
{
    m_fit = flatButton(IconName::Fit, tr("Fit"), tr("Show the whole run (Home)"));
    connect(m_fit, &QToolButton::clicked, &m_range, &XRange::fit);
    m_follow = flatButton(
        IconName::Follow, tr("Follow"), tr("Keep the zoom and move with the newest step (End)"));
    m_follow->setCheckable(true);
    connect(m_follow, &QToolButton::clicked, this, [this](bool isOn) {
        isOn ? m_range.follow() : m_range.fit();
    });
    connect(&m_range, &XRange::modeChanged, this, [this] {
        m_follow->setChecked(m_range.mode() == XRange::Mode::Follow);
    });
}

void ChartControls::showSmoothing(double weight)
{
    const QSignalBlocker blocker(m_smoothing);
    m_smoothing->setValue(qRound(weight * 100.0));
    m_smoothingText->setText(QLocale().toString(weight, 'f', 2));
}

void ChartControls::setWords(bool areShown)
{
    m_hasWords = areShown; // before anybody asks how small it may be
    for (QToolButton* const button : {m_logarithm, m_fit, m_follow}) {
        button->setToolButtonStyle(
            areShown ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    }
    for (QLabel* const label : {m_smoothingLabel, m_axisLabel}) {
        label->setVisible(areShown);
    }
}

QSize ChartControls::minimumSizeHint() const
{
    const QSize hint = QWidget::minimumSizeHint();
    return m_hasWords ? hint - QSize(m_wordsWidth, 0) : hint;
}

void ChartControls::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (const bool hasRoom = width() >= minimumSizeHint().width() + m_wordsWidth;
        hasRoom != m_hasWords) {
        setWords(hasRoom);
    }
}

} // namespace lockstep::ui
