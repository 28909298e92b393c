// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QString>
#include <QVariant>

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// What the models here add to Qt's roles.
enum TableRole {
    ValueRole =
        Qt::UserRole + 1, ///< the cell's value as a number, date or text: for sorting and copying
    ColorIndexRole,       ///< number of the tower's colour in the theme
    WarningRole,          ///< bool: the row should be noticed
    EmphasisRole,         ///< bool: the row is the one that the window shows
    FileRole,             ///< file name that the row stands for
    BarRole,              ///< 0 to 1: how long the bar is beside the cell's figure
    ExampleRole,          ///< number of the example that the row stands for
    FilterRole,           ///< ClassFilter: the images that the row stands for
    RecordRole, ///< the plain value behind the row, as const void*: valid until the row changes
};

/// How the cells of a column are written: plainly on the left, where nothing else is said.
struct CellFormat
{
    std::function<QString(const QVariant&)> text = {}; ///< none: as QVariant has it
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
};

/// Figures, which stand on the right.
CellFormat figureFormat(std::function<QString(const QVariant&)> text);
// Those in the user's locale.
CellFormat wholeNumbers();
CellFormat decimals(int count);
/// Of examples per second.
CellFormat rates();
/// How many of those are written with: none from 10 on, else one, or so many that it is not 0.
int rateDecimals(double rate);
/// So many digits that count, with a power of ten where it is far from 1.
CellFormat digits(int count);
/// Of shares: 0.125 is "12.5 %".
CellFormat percents(int decimals);
/// Bytes as KiB, MiB …
CellFormat dataSizes();

/// What a column's header says and shows on hover, and how its cells are written.
struct ColumnHead
{
    QString title;
    QString toolTip;
    CellFormat format;
};

/// A column of a table, and what its cells hold.
template<class Row>
struct TableColumn : ColumnHead
{
    using Value = std::function<QVariant(const Row&)>;
    using Text = std::function<QString(const Row&)>;

    TableColumn(
        QString header, QString help, Value values, CellFormat cells = {}, Text texts = nullptr)
        : ColumnHead{std::move(header), std::move(help), std::move(cells)},
          value(std::move(values)), text(std::move(texts))
    {
    }
    TableColumn(QString header, QString help, Value values, Text texts)
        : TableColumn(std::move(header), std::move(help), std::move(values), {}, std::move(texts))
    {
    }

    Value value; ///< not valid: unknown
    Text text;   ///< where it is not that of the value
};

/// For values that may be unknown.
template<class Value>
QVariant known(const std::optional<Value>& value)
{
    return value ? QVariant(*value) : QVariant();
}
/// For those that are negative where they are.
QVariant told(auto number)
{
    return number < 0 ? QVariant() : QVariant(number);
}
/// For those that are not finite where they are: that has no place in an order.
QVariant finite(double number);

/// A table that is read only, whose cells are all described in one way: the text, the value behind
/// it, the alignment, and for screen readers the text with the name of its column.
class TableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role) const override;

protected:
    [[nodiscard]] virtual const ColumnHead& head(int column) const = 0;
    [[nodiscard]] virtual QString text(int row, int column) const = 0;
    [[nodiscard]] virtual QVariant value(int row, int column) const = 0;
    /// Any role that is not answered by the above.
    [[nodiscard]] virtual QVariant other(int row, int column, int role) const = 0;
};

/// A table of plain values, one a row, as its columns say.
template<class Row>
class RowModel : public TableModel
{
public:
    /// What all cells of a row say beside their text and value, by role.
    using Roles = std::map<int, typename TableColumn<Row>::Value>;

    /// `unknown` is the text of a cell without a value.
    explicit RowModel(std::vector<TableColumn<Row>> columns, Roles roles = {}, QString unknown = {})
        : m_columns(std::move(columns)), m_roles(std::move(roles)), m_unknown(std::move(unknown))
    {
    }

    void setRows(std::vector<Row> rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    [[nodiscard]] const std::vector<Row>& rows() const noexcept { return m_rows; }
    [[nodiscard]] const Row& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }

protected:
    /// What stands in a column of the table.
    [[nodiscard]] virtual const TableColumn<Row>& column(int number) const
    {
        return m_columns[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] const ColumnHead& head(int number) const override { return column(number); }
    [[nodiscard]] QString text(int row, int number) const override
    {
        const TableColumn<Row>& shown = column(number);
        if (shown.text) {
            return shown.text(at(row));
        }
        const QVariant cell = shown.value(at(row));
        if (!cell.isValid()) {
            return m_unknown;
        }
        return shown.format.text ? shown.format.text(cell) : cell.toString();
    }
    [[nodiscard]] QVariant value(int row, int number) const override
    {
        return column(number).value(at(row));
    }
    [[nodiscard]] QVariant other(int row, int /*column*/, int role) const override
    {
        const auto said = m_roles.find(role);
        return said == m_roles.end() ? QVariant() : said->second(at(row));
    }
    /// Says that the cells of all rows from one column to another may be others.
    void tellChanged(int first, int last, const QList<int>& roles = {})
    {
        if (!m_rows.empty()) {
            emit dataChanged(index(0, first), index(rowCount() - 1, last), roles);
        }
    }

    std::vector<TableColumn<Row>> m_columns;
    std::vector<Row> m_rows;

private:
    Roles m_roles;
    QString m_unknown;
};

/// The rows of a model that a filter lets through, in the order of a column: those that are largest
/// in one first, until a person chooses another.
template<class Row, class Filter>
class FilterModel : public QSortFilterProxyModel
{
public:
    /// The model is the source, and must outlive this.
    FilterModel(RowModel<Row>& model, int column) : m_model(model)
    {
        setSourceModel(&model);
        setSortRole(ValueRole);
        setSortLocaleAware(true);
        setDynamicSortFilter(true);
        sort(column, Qt::DescendingOrder);
    }

    void setFilter(const Filter& filter)
    {
        m_filter = filter;
        invalidateFilter();
    }
    [[nodiscard]] const Filter& filter() const noexcept { return m_filter; }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& /*parent*/) const override
    {
        return m_filter.isListed(m_model.at(row));
    }

private:
    const RowModel<Row>& m_model;
    Filter m_filter;
};

} // namespace lockstep::ui
