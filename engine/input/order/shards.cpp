// SPDX-License-Identifier: Apache-2.0
#include "input/order/shards.h"

#include "base/enum_names.h"

namespace lockstep {
namespace {

constexpr EnumNames<ShardKind, 4> kNames{{"distinct", "same", "skewed", "poisoned"}};

} // namespace

std::string toString(ShardKind kind)
{
    return std::string(kNames.of(kind));
}

ShardKind shardKindByName(const std::string& name)
{
    return kNames.named(
        name, "experiment.shards is '{}', but must be distinct, same, skewed or poisoned");
}

void ShardSettings::validate(const Dataset& dataset, std::int64_t globalBatch) const
{
    if (kind == ShardKind::Distinct) {
        return;
    }
    require(
        towers >= 1 && globalBatch % towers == 0 && tower >= 0 && tower < towers,
        "an experiment on towers that there are not");
    const std::int64_t classes = std::ssize(dataset.info().classNames);
    if (kind == ShardKind::Skewed && (exampleClass < 0 || exampleClass >= classes)) {
        fail(
            ErrorCode::BadInput, "experiment.class is {}, but {} has the classes 0 to {}",
            exampleClass, dataset.info().name, classes - 1);
    }
    if (kind == ShardKind::Poisoned && classes < 1) {
        fail(
            ErrorCode::BadInput, "experiment.shards is poisoned, but {} has no classes",
            dataset.info().name);
    }
}

} // namespace lockstep
