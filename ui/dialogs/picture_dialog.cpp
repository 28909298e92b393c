// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/picture_dialog.h"

#include "plots/axes/number_text.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr QLatin1String kSize("picture/size_of_");
constexpr QLatin1String kScale("picture/scale");
constexpr QLatin1String kDark("picture/dark");
constexpr QLatin1String kSvg("picture/svg");

} // namespace

PictureDialog::PictureDialog(const Question& question, QSettings& settings, QWidget* parent)
    : QDialog(parent), m_question(question), m_settings(settings), m_format(new QComboBox),
      m_width(new QSpinBox), m_height(new QSpinBox), m_scale(new QComboBox),
      m_colors(new QComboBox), m_result(new NoteLabel(NoteLabel::Tone::Muted))
{
    setObjectName(QStringLiteral("picture_dialog"));
    setWindowTitle(question.title);
    setAttribute(Qt::WA_DeleteOnClose);
    m_format->addItems({tr("PNG: pixels"), tr("SVG: lines, sharp at any size")});
    for (int scale = 1; scale <= PictureChoice::kMostScale; ++scale) {
        m_scale->addItem(tr("%1 ×", "so many pixels for one").arg(scale));
    }
    m_scale->setToolTip(tr("More pixels for the same picture: for screens of high resolution, and "
                           "for print"));
    m_colors->addItems({tr("Light"), tr("Dark")});
    m_format->setObjectName(QStringLiteral("picture_format"));
    m_scale->setObjectName(QStringLiteral("picture_scale"));
    m_colors->setObjectName(QStringLiteral("picture_colors"));
    m_result->setObjectName(QStringLiteral("picture_result"));
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_accept = buttons->addButton(tr("Save &As…"), QDialogButtonBox::AcceptRole);

    auto* const form = new QFormLayout(this);
    form->setContentsMargins(18, 16, 18, 14);
    form->setVerticalSpacing(10);
    form->addRow(tr("&Format"), m_format);
    form->addRow(tr("Si&ze"), makeSize());
    form->addRow(tr("S&cale"), m_scale);
    form->addRow(tr("Co&lours"), m_colors);
    form->addRow(m_result);
    form->addRow(buttons);
    m_accept->setDefault(true);
    qobject_cast<QLabel*>(form->labelForField(form->itemAt(1, QFormLayout::FieldRole)->layout()))
        ->setBuddy(m_width);
    propose();
    for (QComboBox* const box : {m_format, m_scale, m_colors}) {
        box->setAccessibleName(
            qobject_cast<QLabel*>(form->labelForField(box))->text().remove(QLatin1Char('&')));
        connect(box, &QComboBox::currentIndexChanged, this, &PictureDialog::showResult);
    }
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        const PictureChoice kept = choice();
        m_settings.setValue(kSize + m_question.kind, kept.size);
        m_settings.setValue(kScale, kept.scale);
        m_settings.setValue(kDark, kept.isDark);
        m_settings.setValue(kSvg, kept.isSvg);
        accept();
        emit chosen(kept);
    });
    showResult();
}

QLayout* PictureDialog::makeSize()
{
    const auto setUp = [&](QSpinBox* box, const char* name, const QString& text, int least,
                           int most) {
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(text);
        box->setToolTip(text);
        box->setRange(least, most);
        box->setGroupSeparatorShown(true);
        connect(box, &QSpinBox::valueChanged, this, &PictureDialog::showResult);
    };
    constexpr QSize kLeast = PictureChoice::kLeast;
    constexpr QSize kMost = PictureChoice::kMost;
    setUp(m_width, "picture_width", tr("Width in pixels"), kLeast.width(), kMost.width());
    setUp(m_height, "picture_height", tr("Height in pixels"), kLeast.height(), kMost.height());
    auto* const asShown = new QPushButton(tr("As in the &Window"));
    connect(asShown, &QPushButton::clicked, this, [this] {
        m_width->setValue(m_question.shown.size.width());
        m_height->setValue(m_question.shown.size.height());
    });
    return rowOf({m_width, new QLabel(QStringLiteral("×")), m_height, asShown, space()});
}

/// What was chosen last, else what is in the window.
void PictureDialog::propose()
{
    const PictureChoice& shown = m_question.shown;
    const QSize size = m_settings.value(kSize + m_question.kind, shown.size).toSize();
    m_width->setValue(size.width());
    m_height->setValue(size.height());
    m_scale->setCurrentIndex(
        std::clamp(m_settings.value(kScale, shown.scale).toInt(), 1, PictureChoice::kMostScale)
        - 1);
    m_colors->setCurrentIndex(m_settings.value(kDark, shown.isDark).toBool() ? 1 : 0);
    m_format->setCurrentIndex(m_settings.value(kSvg, false).toBool() ? 1 : 0);
}

PictureChoice PictureDialog::choice() const
{
    return {
        {m_width->value(), m_height->value()},
        m_scale->currentIndex() + 1,
        m_colors->currentIndex() == 1,
        m_format->currentIndex() == 1};
}

void PictureDialog::showResult()
{
    const PictureChoice wanted = choice();
    const QSize pixels = wanted.pixels();
    const bool fits = pixels.boundedTo(PictureChoice::kMost) == pixels;
    const QString size =
        tr("%1 × %2 pixels").arg(countText(pixels.width()), countText(pixels.height()));
    m_result->setNote(
        !fits ? tr("%1: more than %2 in one direction can't be written")
                    .arg(size, countText(PictureChoice::kMost.width()))
        : wanted.isSvg ? tr("Laid out for %1").arg(size)
                       : tr("The picture gets %1").arg(size));
    m_scale->setEnabled(!wanted.isSvg);
    m_accept->setEnabled(fits);
}

} // namespace lockstep::ui
