// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/damaged_images.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace lockstep {

void DamageLog::open(
    DamagedImages rule, std::string where, std::int64_t images, std::vector<std::string> leftOut)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_rule = rule;
        m_where = std::move(where);
        m_images = images;
        m_reasons = std::move(leftOut);
        m_told = m_reasons.size();
    }
    check();
}

void DamageLog::take(std::int64_t index, const std::string& reason)
{
    const std::scoped_lock lock(m_mutex);
    if (m_found.insert(index).second) {
        m_reasons.push_back(reason);
        m_hasNew = true;
    }
}

void DamageLog::check() const
{
    constexpr std::int64_t kOneInSoMany = 100;
    constexpr std::size_t kMostNamed = 3;
    const std::scoped_lock lock(m_mutex);
    const std::int64_t damaged = std::ssize(m_reasons);
    if (damaged == 0 || m_rule == DamagedImages::SkipAll
        || (m_rule == DamagedImages::Skip && damaged * kOneInSoMany <= m_images)) {
        return;
    }
    if (m_rule == DamagedImages::Refuse) {
        fail(ErrorCode::Data, "{}", m_reasons.front());
    }
    std::string named;
    for (std::size_t i = 0; i < std::min(kMostNamed, m_reasons.size()); ++i) {
        named += (i > 0 ? "; " : "") + m_reasons[i];
    }
    fail(
        ErrorCode::Data,
        "{}: {} of {} images can't be used, more than one in a hundred: {}{}. Remove or replace "
        "them, or go on without them (dataset.damaged = skip_all)",
        m_where, damaged, m_images, named, m_reasons.size() > kMostNamed ? "; …" : "");
}

std::vector<std::string> DamageLog::takeNew()
{
    if (!m_hasNew.exchange(false)) {
        return {};
    }
    const std::scoped_lock lock(m_mutex);
    const auto first = m_reasons.begin() + static_cast<std::ptrdiff_t>(m_told);
    m_told = m_reasons.size();
    return {first, m_reasons.end()};
}

} // namespace lockstep
