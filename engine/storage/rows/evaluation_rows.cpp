// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/evaluation_rows.h"

#include "storage/rows/objective_columns.h"
#include "storage/sqlite/checked_query.h"

#include <fmt/format.h>

#include <optional>
#include <tuple>

namespace lockstep {
namespace {

constexpr int kFirstObjective = 8;
constexpr int kFirstDetection = kFirstObjective + static_cast<int>(ObjectiveLosses::kMost);
constexpr int kInTopFive = kFirstDetection + 9;

/// What the network detects, as columns; NULL if it does not.
auto detectionColumns(const std::optional<DetectionScores>& detection)
{
    const auto column = [&](auto member) {
        return detection ? std::optional(member(*detection)) : std::nullopt;
    };
    using Scores = const DetectionScores&;
    return std::tuple{
        column([](Scores scores) { return scores.averagePrecision; }),
        column([](Scores scores) { return scores.best.threshold; }),
        column([](Scores scores) { return scores.best.truePositives; }),
        column([](Scores scores) { return scores.best.falsePositives; }),
        column([](Scores scores) { return scores.best.falseNegatives; }),
        column([](Scores scores) { return scores.fullRecall.threshold; }),
        column([](Scores scores) { return scores.fullRecall.truePositives; }),
        column([](Scores scores) { return scores.fullRecall.falsePositives; }),
        column([](Scores scores) { return scores.peaksInside; })};
}

std::optional<DetectionScores> readDetection(const SqliteStatement& row)
{
    constexpr int kFirst = kFirstDetection;
    if (row.isNull(kFirst)) {
        return std::nullopt;
    }
    return DetectionScores{
        row.real(kFirst),
        {row.real(kFirst + 1), row.integer(kFirst + 2), row.integer(kFirst + 3),
         row.integer(kFirst + 4)},
        {row.real(kFirst + 5), row.integer(kFirst + 6), row.integer(kFirst + 7), 0},
        row.integer(kFirst + 8)};
}

EvaluationRecord readEvaluation(const SqliteStatement& row, std::size_t objectives)
{
    EvaluationRecord record;
    record.step = row.integer(1);
    record.weights =
        row.text(2) == toString(WeightsKind::Raw) ? WeightsKind::Raw : WeightsKind::Average;
    record.examples = row.integer(3);
    record.correct = row.integer(4);
    record.accuracy = row.real(5);
    record.loss = row.real(6);
    record.seconds = row.real(7);
    record.objectives = readObjectives(row, kFirstObjective, objectives);
    record.detection = readDetection(row);
    if (!row.isNull(kInTopFive)) {
        record.inTopFive = row.integer(kInTopFive);
    }
    return record;
}

} // namespace

EvaluationRowWriter::EvaluationRowWriter(const SqliteDatabase& database)
    : m_evaluation(database.prepare("INSERT OR REPLACE INTO evaluation VALUES"
                                    " (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      m_forgetImages(database.prepare(
          "DELETE FROM image_score WHERE branch = ? AND step = ? AND weights = ?")),
      m_image(database.prepare("INSERT INTO image_score VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"))
{
}

void EvaluationRowWriter::write(std::int64_t branch, const EvaluationRecord& record)
{
    const std::tuple row{branch,          record.step,    toString(record.weights),
                         record.examples, record.correct, record.accuracy,
                         record.loss,     record.seconds};
    std::apply(
        [this](const auto&... value) {
            (m_checksum.add(value), ...);
            m_evaluation.run(value..., m_checksum.take());
        },
        std::tuple_cat(
            row, objectiveColumns(record.objectives), detectionColumns(record.detection),
            std::tuple{record.inTopFive}));
    m_forgetImages.run(branch, record.step, toString(record.weights));
    for (const ImageScore& image : record.images) {
        writeImage(branch, record, image);
    }
}

void EvaluationRowWriter::writeImage(
    std::int64_t branch, const EvaluationRecord& record, const ImageScore& image)
{
    const auto insert = [this](const auto&... value) {
        (m_checksum.add(value), ...);
        m_image.run(value..., m_checksum.take());
    };
    insert(
        branch, record.step, toString(record.weights), image.example, std::string_view(image.name),
        static_cast<int>(image.isPositive), image.score, image.loss, image.peak, image.peakRow,
        image.peakColumn, static_cast<int>(image.isPeakInside));
}

std::vector<EvaluationRecord> readEvaluations(const SqliteDatabase& database)
{
    const std::size_t objectives = objectivesOf(database);
    std::vector<EvaluationRecord> evaluations;
    CheckedQuery query(
        database, "evaluation",
        "branch, step, weights, examples, correct, accuracy, loss, seconds, objective_loss_0,"
        " objective_loss_1, objective_loss_2, objective_loss_3, average_precision, best_threshold,"
        " best_true_positives, best_false_positives, best_false_negatives, full_recall_threshold,"
        " full_recall_true_positives, full_recall_false_positives, peaks_inside,"
        " in_top_five",
        "JOIN current_line USING (branch) WHERE step >= first_step AND step <= end_step"
        " ORDER BY step, weights, branch");
    while (query.next()) {
        EvaluationRecord next = readEvaluation(query.row(), objectives);
        // The state after n updates belongs to the branch that ends at n as well as to the one that
        // begins there; the newer one's word counts.
        if (!evaluations.empty() && evaluations.back().step == next.step
            && evaluations.back().weights == next.weights) {
            evaluations.pop_back();
        }
        evaluations.push_back(std::move(next));
    }
    return evaluations;
}

std::vector<ImageScore> readImageScores(
    const SqliteDatabase& database, std::int64_t step, WeightsKind weights)
{
    std::vector<ImageScore> images;
    const std::string which = fmt::format("step = {} AND weights = '{}'", step, toString(weights));
    CheckedQuery query(
        database, "image_score",
        "branch, step, weights, example, name, is_positive, score, loss, peak, peak_row,"
        " peak_column, is_peak_inside",
        fmt::format(
            "WHERE {0} AND branch = (SELECT max(branch) FROM evaluation JOIN current_line USING"
            " (branch) WHERE {0} AND step >= first_step AND step <= end_step) ORDER BY example",
            which));
    while (query.next()) {
        const SqliteStatement& row = query.row();
        images.push_back(
            {row.integer(3), row.text(4), row.integer(5) != 0, row.real(6), row.real(7),
             row.real(8), row.integer(9), row.integer(10), row.integer(11) != 0});
    }
    return images;
}

} // namespace lockstep
