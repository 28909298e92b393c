// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/runs/run_summaries.h"
#include "dialogs/library_table.h"
#include "engine/base.h"
#include "panels/charts/chart_picture.h"
#include "panels/charts/chart_stack.h"
#include "panels/charts/charts_panel.h"
#include "panels/run_form/run_form.h"
#include "panels/shared/run_text.h"
#include "plots/view/plot_view.h"
#include "theme/palette.h"
#include "window/commands/files.h"
#include "window/commands/window_commands.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QLocale>
#include <QPainter>
#include <QSaveFile>
#include <QTextDocument>

#include <algorithm>

namespace lockstep::ui {
namespace {

/// Of the page, in pixels.
constexpr int kPageWidth = 1000;
constexpr int kPageMargin = 24;
constexpr int kChartHeight = 230;
constexpr double kPagePixels = 2.0; ///< for each, in a picture

class SummaryCommand : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::SummaryCommand)

public:
    explicit SummaryCommand(const WindowParts& parts) : QObject(&parts.owner), m_parts(parts)
    {
        connect(parts.actions.exportSummary, &QAction::triggered, this, [this] {
            const QString name = chartPictureWords(m_parts.run).title + QStringLiteral(".html");
            chooseTarget(
                m_parts.window, m_parts.settings.settings(), QStandardPaths::DocumentsLocation,
                {tr("Save Summary"), tr("Web pages and pictures (*.html *.png)"),
                 QStringLiteral("html"), toPath(name)},
                [this](const std::filesystem::path& file) {
                    m_parts.notices.attempt([&] { write(file); });
                });
        });
    }

private:
    void write(const std::filesystem::path& file) const
    {
        const QString html = page();
        QSaveFile saved(toQString(file));
        const QByteArray text = html.toUtf8();
        const bool isWritten = saved.open(QIODevice::WriteOnly)
                               && (file.extension() == ".png" ? painted(html).save(&saved, "PNG")
                                                              : saved.write(text) == text.size())
                               && saved.commit(); // synced
        if (!isWritten) {
            fail(
                ErrorCode::Io, "{}: can't be written ({}); choose another folder or make room",
                file.string(), saved.errorString().toStdString());
        }
        m_parts.notices.inform(tr("Written: %1").arg(toQString(file)));
    }

    /// What a browser shows and QTextDocument does.
    [[nodiscard]] QString page() const
    {
        const ChartPictureWords words = chartPictureWords(m_parts.run);
        return QStringLiteral(
                   "<!DOCTYPE html><html lang=\"%1\"><head><meta charset=\"utf-8\"><title>%2"
                   "</title><style>body { font-family: sans-serif; max-width: %3px; margin: %4px; }"
                   " td { padding: 2px 16px 2px 0; vertical-align: top; }</style></head><body>"
                   "<h1>%2</h1><p>%5</p>")
                   .arg(QLocale().bcp47Name(), words.title.toHtmlEscaped())
                   .arg(kPageWidth)
                   .arg(kPageMargin)
                   .arg(words.caption.toHtmlEscaped())
               + verdicts() + curves(words) + part(tr("Results"), results())
               + (m_parts.run.isRecorded() // whose settings nobody told us
                      ? QString()
                      : part(tr("Settings"), settings()))
               + QStringLiteral("<p><small>Lockstep %1 · %2</small></p></body></html>")
                     .arg(
                         programVersion().toHtmlEscaped(),
                         QLocale().toString(QDateTime::currentDateTime(), QLocale::ShortFormat));
    }

    static QString part(const QString& title, const QString& table)
    {
        return QStringLiteral("<h2>%1</h2>%2").arg(title.toHtmlEscaped(), table);
    }

    static QString rows(const QList<std::pair<QString, QString>>& facts)
    {
        QString table = QStringLiteral("<table>");
        for (const auto& [name, value] : facts) {
            table += QStringLiteral("<tr><td>%1</td><td>%2</td></tr>")
                         .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
        }
        return table + QStringLiteral("</table>");
    }

    /// A dot in the colour of each light, and its sentence; before them the fault on purpose.
    [[nodiscard]] QString verdicts() const
    {
        const RunVerdicts* const lights = m_parts.run.verdicts();
        if (lights == nullptr) {
            return {};
        }
        const auto row = [this](const char* title, const Verdict& verdict) {
            const Judgement judgement = judgementOf(verdict.light);
            const ThemeColors theme = themeColors(lightPalette());
            return QStringLiteral(
                       "<tr><td><span style=\"color:%1\">●</span> <b>%2</b></td><td>%3</td></tr>")
                .arg(
                    (judgement == Judgement::None ? theme.mutedText
                                                  : judgementColor(judgement, theme))
                        .name(),
                    QCoreApplication::translate("lockstep::ui::TowerPanel", title).toHtmlEscaped(),
                    sentenceOf(verdict, m_parts.run.seats()).toHtmlEscaped());
        };
        const QString fault = experimentText(m_parts.run.config(), lights);
        return (fault.isEmpty() ? QString()
                                : QStringLiteral("<p>%1</p>").arg(fault.toHtmlEscaped()))
               + QStringLiteral("<table>%1%2%3</table>")
                     .arg(
                         row("Learning", lights->learning()), row("Data", lights->data()),
                         row("Pace", lights->pace()));
    }

    [[nodiscard]] QString curves(const ChartPictureWords& words) const
    {
        const ChartStack& charts = m_parts.charts.charts();
        const auto shown = std::ranges::count_if(
            charts.allPlots(), [&](const PlotView* plot) { return charts.isShown(*plot); });
        const QSize size(kPageWidth, kChartHeight * std::max(static_cast<int>(shown), 1));
        QByteArray bytes;
        QBuffer buffer(&bytes);
        imageOf(pictureOf(charts, words, {size, false}), kPagePixels).save(&buffer, "PNG");
        return QStringLiteral("<p><img alt=\"%1\" width=\"%2\" height=\"%3\" "
                              "src=\"data:image/png;base64,%4\"></p>")
            .arg(tr("Curves").toHtmlEscaped())
            .arg(size.width())
            .arg(size.height())
            .arg(QString::fromLatin1(bytes.toBase64()));
    }

    [[nodiscard]] QString settings() const
    {
        QList<std::pair<QString, QString>> facts;
        for (const SettingInWords& setting : RunForm::settingsInWords(m_parts.run.config())) {
            if (setting.isNotable) {
                facts.append({setting.title, setting.text});
            }
        }
        return rows(facts);
    }

    /// As the table of runs has them.
    [[nodiscard]] QString results() const
    {
        RunTableModel model;
        model.setRows({readRunSummary(m_parts.run.folder())});
        QList<std::pair<QString, QString>> facts;
        for (const int column :
             {RunTableModel::State, RunTableModel::Steps, RunTableModel::LastLoss,
              RunTableModel::LowestLoss, RunTableModel::LastAccuracy, RunTableModel::BestAccuracy,
              RunTableModel::ExamplesPerSecond, RunTableModel::Started}) {
            const QString value = model.index(0, column).data().toString();
            if (!value.isEmpty()) {
                facts.append(
                    {model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), value});
            }
        }
        return rows(facts);
    }

    /// Dark on white, whatever the window does.
    static QImage painted(const QString& html)
    {
        QTextDocument document;
        document.setHtml(html);
        document.setDocumentMargin(kPageMargin);
        document.setTextWidth(kPageWidth + 2 * kPageMargin);
        QImage image((document.size() * kPagePixels).toSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.scale(kPagePixels, kPagePixels);
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette = lightPalette();
        document.documentLayout()->draw(&painter, context);
        return image;
    }

    const WindowParts m_parts;
};

} // namespace

void addSummaryCommand(const WindowParts& parts)
{
    new SummaryCommand(parts);
}

} // namespace lockstep::ui
