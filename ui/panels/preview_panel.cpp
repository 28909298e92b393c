// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview_panel.h"

#include "widgets/image_grid.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kLeastHeight = 32; // of the images, which scroll

constexpr int kImagesPerTower = 12;
/// A person who types is not asked for after every digit.
constexpr int kSettleMilliseconds = 250;

std::int64_t globalBatchOf(const RunConfig& config)
{
    try {
        config.validate();
        return config.towerShape().globalBatch();
    } catch (const Error&) {
        return 0; // BatchPreview says why
    }
}

} // namespace

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent), m_globalBatch(globalBatchOf(m_config)), m_caption(new QLabel),
      m_live(new QCheckBox(tr("Live"))), m_refresh(new QPushButton(tr("Refresh"))),
      m_pages(new QStackedWidget), m_grid(new ImageGrid), m_message(new QLabel)
{
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setMargin(16);
    m_message->setBackgroundRole(QPalette::Base);
    m_message->setAutoFillBackground(true);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_message->setAccessibleName(tr("Data preview"));
    m_message->setText(tr("Making the first batch…"));
    m_pages->setMinimumHeight(kLeastHeight);
    m_pages->addWidget(m_message);
    m_pages->addWidget(m_grid);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(makeHead());
    layout->addWidget(m_pages, 1);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PreviewPanel::ask);
    connect(&m_preview, &BatchPreview::ready, this, &PreviewPanel::showImages);
    connect(&m_preview, &BatchPreview::failed, this, &PreviewPanel::showFailure);
}

QLayout* PreviewPanel::makeHead()
{
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setToolTip(tr("Cropped, flipped and with other brightness and contrast, as the "
                             "network sees them; stretched from the darkest value to the "
                             "brightest"));
    m_live->setChecked(true);
    m_live->setToolTip(tr("While a run goes on, shows the newest step's batch, at most every two "
                          "seconds"));
    m_refresh->setEnabled(false);
    m_refresh->setToolTip(tr("Shows the newest step's batch"));
    connect(m_live, &QCheckBox::toggled, this, &PreviewPanel::setLive);
    connect(m_refresh, &QPushButton::clicked, this, &PreviewPanel::refresh);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 4, 10, 4);
    head->setSpacing(12);
    head->addWidget(m_caption, 1);
    head->addWidget(m_live);
    head->addWidget(m_refresh);
    return head;
}

void PreviewPanel::setConfig(const RunConfig& config)
{
    m_config = config;
    m_globalBatch = globalBatchOf(config);
    m_examples.reset();
    m_isStale = true;
    m_timer.stop();
    askIn(kSettleMilliseconds);
}

void PreviewPanel::setPosition(std::int64_t examples)
{
    m_examples = examples;
    if (m_live->isChecked()) {
        m_isStale = true;
        askIn(m_sinceAsked.isValid() ? kLiveMilliseconds - m_sinceAsked.elapsed() : 0);
    }
}

void PreviewPanel::setLive(bool isLive)
{
    m_refresh->setEnabled(!isLive);
    if (isLive && m_examples) {
        setPosition(*m_examples);
    }
}

void PreviewPanel::refresh()
{
    m_isStale = true;
    m_timer.stop();
    ask();
}

void PreviewPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    askIn(0);
}

void PreviewPanel::askIn(qint64 milliseconds)
{
    if (isVisible() && m_isStale && !m_timer.isActive()) {
        m_timer.start(static_cast<int>(std::max<qint64>(0, milliseconds)));
    }
}

void PreviewPanel::ask()
{
    if (!isVisible() || !m_isStale) {
        return;
    }
    m_isStale = false;
    m_sinceAsked.start();
    const std::int64_t begin =
        m_examples ? std::max<std::int64_t>(0, *m_examples - m_globalBatch) : 0;
    m_preview.request({m_config, begin, kImagesPerTower});
    emit requested(begin);
}

QString PreviewPanel::captionFor(std::int64_t position) const
{
    if (!m_examples) {
        return tr("First step: what each tower will get");
    }
    const std::int64_t step = m_globalBatch > 0 ? position / m_globalBatch : 0;
    return tr("Step %1: what each tower got").arg(QLocale().toString(qlonglong{step}));
}

void PreviewPanel::showImages(qint64 position, const std::vector<PreviewImage>& images)
{
    std::vector<ImageTile> tiles;
    tiles.reserve(images.size());
    for (const PreviewImage& image : images) {
        tiles.push_back({image.image, image.label, image.tower, image.example, image.batchText});
    }
    m_grid->setTiles(std::move(tiles));
    m_caption->setText(captionFor(position));
    m_pages->setCurrentWidget(m_grid);
}

void PreviewPanel::showFailure(const QString& text)
{
    m_caption->setText({});
    m_message->setText(tr("There is nothing to preview: %1").arg(text));
    m_pages->setCurrentWidget(m_message);
}

} // namespace lockstep::ui
