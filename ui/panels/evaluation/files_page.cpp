// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/files_page.h"

#include "bridge/base/class_words.h"
#include "bridge/base/file_names.h"
#include "models/engine_text.h"
#include "panels/evaluation/example_table.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kBarPixels = 150;
constexpr int kFileWidth = 200;
const ValueFormat kShareOfOne{1.0, 2, {}};

FilePredictionRow rowOf(const FilePrediction& of, qint64 number)
{
    FilePredictionRow row{
        .number = number,
        .name = nameOf(of.file),
        .path = toQString(of.file),
        .problem = engineText(of.problem.c_str())};
    row.problem.remove(row.path + QStringLiteral(": ")); // stands beside it
    if (of.classes.empty()) {
        row.probability = of.score.score;
        row.peak = of.score.peak;
        return row;
    }
    row.prediction = classWords(of.classes.front().name);
    row.probability = of.classes.front().probability;
    QStringList others;
    for (std::size_t i = 1; i < of.classes.size(); ++i) {
        others.append(QStringLiteral("%1 %2").arg(
            classWords(of.classes[i].name), numberText(of.classes[i].probability, kShareOfOne)));
    }
    row.others = others.join(QStringLiteral(" · "));
    return row;
}

} // namespace

FilesPage::FilesPage(QWidget* parent)
    : QWidget(parent), m_state(new NoteLabel(NoteLabel::Tone::Plain, this)),
      m_problem(new NoteLabel(NoteLabel::Tone::Alert, this)), m_bar(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_save(new QPushButton(tr("Save as CSV…"), this)),
      m_close(new QPushButton(tr("Back to the Evaluation"), this)),
      m_table(new ExampleTable(
          QStringLiteral("evaluation_files"), tr("What the network takes the files for"), this))
{
    makeTable();
    columnIn(this, {}, 4, {makeHead(), m_problem, {m_table, 1}});
    connect(&m_series, &TrialSeries::counted, this, [this](qint64 images) {
        m_images = images;
        QStringList left;
        for (const std::string& line : m_account->lines()) {
            left.append(engineText(line));
        }
        m_problem->setNote(left.join(u'\n'));
        showState();
    });
    connect(&m_series, &TrialSeries::arrived, this, [this](const SeriesAnswer& answer) {
        m_predictions.push_back(answer.prediction);
        m_refresh.request();
    });
    connect(&m_series, &TrialSeries::ended, this, &FilesPage::end);
    connect(&m_refresh, &RefreshTimer::due, this, &FilesPage::showRows);
}

void FilesPage::makeTable()
{
    m_order.setSourceModel(&m_model);
    m_order.setSortRole(ValueRole);
    m_order.setSortLocaleAware(true);
    m_table->setOrder(m_order, FilePredictionModel::Probability, FilePredictionModel::Problem);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setSectionResizeMode(FilePredictionModel::File, QHeaderView::Interactive);
    header->resizeSection(FilePredictionModel::File, kFileWidth);
    header->setStretchLastSection(true);
    m_table->sortByColumn(FilePredictionModel::File, Qt::AscendingOrder);
    connect(m_table, &ExampleTable::chosen, this, [this](qint64 number) {
        const FilePrediction& of = m_predictions[static_cast<std::size_t>(number)];
        emit fileWanted(of.file);
    });
}

QLayout* FilesPage::makeHead()
{
    m_state->setObjectName(QStringLiteral("evaluation_files_state"));
    m_problem->setObjectName(QStringLiteral("evaluation_files_problem"));
    m_bar->setAccessibleName(tr("Progress of the predictions"));
    m_bar->setMaximumWidth(kBarPixels);
    m_cancel->setObjectName(QStringLiteral("evaluation_files_cancel"));
    m_save->setObjectName(QStringLiteral("evaluation_files_save"));
    m_close->setObjectName(QStringLiteral("evaluation_files_close"));
    m_save->setToolTip(
        tr("File by file the most probable classes, or the score, and why one can't be read"));
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_series.cancel();
        showRows();
    });
    connect(m_save, &QPushButton::clicked, this, &FilesPage::chooseFile);
    connect(m_close, &QPushButton::clicked, this, [this] {
        clear();
        emit closed();
    });
    return lockstep::ui::rowOf({{m_state, 1}, m_bar, m_cancel, m_save, m_close});
}

void FilesPage::start(const TrialRequest& of, const std::vector<std::filesystem::path>& places)
{
    clear();
    m_places = places;
    // Written before the images are counted, read after it.
    m_account = std::make_shared<DataAccount>();
    m_series.start(of, [places, account = m_account] {
        const std::vector<std::filesystem::path> files = imageFilesOf(places, *account);
        return TrialSeries::Images(files.begin(), files.end());
    });
    showRows();
}

void FilesPage::again(const TrialRequest& of)
{
    if (!m_places.empty()) {
        start(of, std::vector(m_places)); // which it forgets
    }
}

void FilesPage::clear()
{
    m_series.cancel();
    m_places.clear();
    m_predictions.clear();
    m_images = 0;
    m_problem->setNote({});
    m_table->deselect();
    showRows();
}

void FilesPage::showRows()
{
    std::vector<FilePredictionRow> rows;
    bool isDetecting = false;
    for (const FilePrediction& of : m_predictions) {
        rows.push_back(rowOf(of, std::ssize(rows)));
        isDetecting = isDetecting || (of.classes.empty() && of.problem.empty());
    }
    m_model.setDetecting(isDetecting);
    for (const int column : {FilePredictionModel::Prediction, FilePredictionModel::Others}) {
        m_table->setColumnHidden(column, isDetecting);
    }
    m_table->setColumnHidden(FilePredictionModel::Peak, !isDetecting);
    m_table->setColumnHidden(
        FilePredictionModel::Problem,
        std::ranges::all_of(rows, [](const auto& row) { return row.problem.isEmpty(); }));
    m_table->change([&] { m_model.setRows(std::move(rows)); });
    showState();
}

void FilesPage::showState()
{
    const auto failed = std::ranges::count_if(
        m_predictions, [](const FilePrediction& of) { return !of.problem.empty(); });
    const QString done = countText(std::ssize(m_predictions));
    QString text = m_series.isBusy() && m_images == 0 ? tr("Looking for images…")
                   : std::ssize(m_predictions) < m_images
                       ? tr("%1 of %2 images").arg(done, countText(m_images))
                       : tr("%1 images").arg(done);
    if (failed > 0) {
        text += QStringLiteral(" · ") + tr("%1 can't be read").arg(countText(failed));
    }
    m_state->setNote(text);
    m_bar->setRange(0, static_cast<int>(m_images));
    m_bar->setValue(static_cast<int>(m_predictions.size()));
    m_bar->setVisible(m_series.isBusy());
    m_cancel->setVisible(m_series.isBusy());
    m_save->setEnabled(!m_series.isBusy() && !m_predictions.empty());
}

void FilesPage::end(const QString& problem)
{
    m_problem->setNote(problem);
    m_refresh.cancel(); // it would take the place of what is said next
    showRows();
}

/// The window stays alive meanwhile, and so does a run.
void FilesPage::chooseFile()
{
    auto* const dialog = new QFileDialog(window(), tr("Save Predictions"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->setNameFilter(tr("Tables (*.csv)"));
    dialog->selectFile(QStringLiteral("predictions.csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& name) {
        save(toPath(name));
    });
    dialog->open();
}

void FilesPage::save(const std::filesystem::path& file)
{
    m_saving.start(
        [this, predictions = m_predictions, file]() -> std::function<void()> {
            writePredictions(predictions, file);
            return [this, file] {
                m_problem->setNote({});
                m_state->setNote(tr("Saved as %1").arg(toQString(file)));
            };
        },
        [this](const QString& problem, bool /*isCancelled*/) { m_problem->setNote(problem); });
}

} // namespace lockstep::ui
