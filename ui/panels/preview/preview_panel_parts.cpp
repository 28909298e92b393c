// SPDX-License-Identifier: GPL-3.0-or-later
// What the panel is made of.
#include "panels/preview/balance_page.h"
#include "panels/preview/preview_message.h"
#include "panels/preview/preview_panel.h"
#include "panels/preview/preview_steps.h"
#include "panels/preview/study_view.h"
#include "panels/shared/side_by_side.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/wheel_guard.h"
#include "widgets/pictures/image_grid.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace lockstep::ui {
namespace {

constexpr int kLeastHeight = 32; // of the images, which scroll
// While one of them is looked at.
constexpr int kGridWidth = 340;
constexpr int kStudyWidth = 660;

} // namespace

PreviewPanel::PreviewPanel(QWidget* parent)
    : Panel(parent), m_view(new QComboBox(this)),
      m_caption(new NoteLabel(NoteLabel::Tone::Muted, this)), m_steps(new PreviewSteps(this)),
      m_live(new QCheckBox(tr("Live"), this)), m_pages(new QStackedWidget(this)),
      m_message(new PreviewMessage), m_grid(new ImageGrid), m_studyView(new StudyView),
      m_balance(new BalancePage)
{
    m_message->setWaiting(tr("Making the first batch…"));
    m_pages->setMinimumHeight(kLeastHeight);
    m_images = makeImages();
    m_pages->addWidget(m_message);
    m_pages->addWidget(m_images);
    m_pages->addWidget(m_balance);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(makeHead());
    layout->addWidget(m_pages, 1);
    m_timer.setSingleShot(true);
    connectParts();
    showSteps();
}

QLayout* PreviewPanel::makeHead()
{
    m_view->setObjectName(QStringLiteral("preview_view"));
    m_view->setAccessibleName(tr("What is shown of the data"));
    m_view->setToolTip(m_view->accessibleName());
    m_view->addItem(tr("Training"));
    m_view->setItemData(Training, tr("The batch of a step, as the towers get it"), Qt::ToolTipRole);
    m_view->addItem(tr("Evaluation"));
    m_view->setItemData(Evaluation, tr("The test set, as evaluations see it"), Qt::ToolTipRole);
    m_view->addItem(tr("Class balance"));
    m_view->setItemData(Classes, tr("How many examples there are of each class"), Qt::ToolTipRole);
    new WheelGuard(m_view);
    m_caption->setObjectName(QStringLiteral("preview_caption"));
    m_live->setObjectName(QStringLiteral("preview_live"));
    m_live->setChecked(true);
    m_live->setToolTip(tr("While a run goes on, shows the newest step's batch, at most every two "
                          "seconds"));
    auto* const head = new QHBoxLayout;
    head->setContentsMargins(10, 4, 10, 4);
    head->setSpacing(12);
    head->addWidget(m_view);
    head->addWidget(m_steps);
    head->addWidget(m_live);
    head->addWidget(m_caption, 1);
    head->addStretch(0); // while there is no caption
    return head;
}

QWidget* PreviewPanel::makeImages()
{
    QWidget* const parts = sideBySide({{m_grid, kGridWidth}, {m_studyView, kStudyWidth}});
    m_studyView->hide();
    return parts;
}

void PreviewPanel::connectParts()
{
    connect(m_view, &QComboBox::currentIndexChanged, this, &PreviewPanel::setView);
    connect(m_steps, &PreviewSteps::stepChosen, this, &PreviewPanel::chooseStep);
    connect(m_steps, &PreviewSteps::newestWanted, this, &PreviewPanel::refresh);
    connect(m_live, &QCheckBox::toggled, this, &PreviewPanel::setLive);
    connect(m_grid, &ImageGrid::chosen, this, &PreviewPanel::studyTile);
    connect(m_studyView, &StudyView::closed, this, &PreviewPanel::closeStudy);
    connect(m_message, &PreviewMessage::cancelled, this, &PreviewPanel::cancel);
    connect(m_message, &PreviewMessage::again, this, &PreviewPanel::askAnew);
    connect(&m_timer, &QTimer::timeout, this, &PreviewPanel::ask);
    connect(&m_preview, &BatchPreview::loading, this, &PreviewPanel::showLoading);
    connect(&m_preview, &BatchPreview::made, this, &PreviewPanel::showBatch);
    connect(&m_preview, &BatchPreview::studied, this, &PreviewPanel::showStudy);
    connect(&m_preview, &BatchPreview::counted, this, &PreviewPanel::showBalance);
}

} // namespace lockstep::ui
