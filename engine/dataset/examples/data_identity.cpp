// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/data_identity.h"

#include "dataset/files/sha256.h"

#include <cstdlib>
#include <string_view>

namespace lockstep {
namespace {

constexpr const char* kExamples = "data_examples";
constexpr const char* kClasses = "data_classes";
constexpr const char* kClassNamesHash = "data_class_names_sha256";
constexpr const char* kList = "data_list_sha256";
constexpr const char* kTests = "test_examples";
constexpr const char* kTestList = "test_list_sha256";

/// No name holds it, so that two names are never taken for one.
constexpr std::string_view kEnd("\0", 1);

std::optional<bool> isNoted(
    const std::map<std::string, std::string>& notes, const char* key, const std::string& value)
{
    const auto found = notes.find(key);
    return found == notes.end() ? std::nullopt : std::optional(found->second == value);
}

} // namespace

DataIdentity identityOf(const Dataset& dataset)
{
    Sha256 names;
    for (const std::string& name : dataset.info().classNames) {
        names.add(name);
        names.add(kEnd);
    }
    Sha256 list;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        list.add(dataset.exampleName(i));
        list.add(kEnd);
        list.add(std::to_string(dataset.example(i).label));
        list.add(kEnd);
    }
    return {dataset.size(), std::ssize(dataset.info().classNames), names.digits(), list.digits()};
}

std::map<std::string, std::string> notesOf(const DataIdentity& identity)
{
    return {
        {kExamples, std::to_string(identity.examples)},
        {kClasses, std::to_string(identity.classes)},
        {kClassNamesHash, identity.classNames},
        {kList, identity.list}};
}

std::map<std::string, std::string> notesOfTests(const DataIdentity& identity)
{
    return {{kTests, std::to_string(identity.examples)}, {kTestList, identity.list}};
}

std::optional<bool> wasTestedOn(
    const std::map<std::string, std::string>& notes, const DataIdentity& identity)
{
    return isNoted(notes, kTestList, identity.list);
}

std::optional<bool> wasTrainedOn(
    const std::map<std::string, std::string>& notes, const DataIdentity& identity)
{
    return isNoted(notes, kList, identity.list);
}

std::optional<bool> hadTheClassesOf(
    const std::map<std::string, std::string>& notes, const DataIdentity& identity)
{
    return isNoted(notes, kClassNamesHash, identity.classNames);
}

DataIdentity identityFrom(const std::map<std::string, std::string>& notes, const DataIdentity& now)
{
    DataIdentity noted = now;
    const auto number = [&](const char* key, std::int64_t& value) {
        if (const auto found = notes.find(key); found != notes.end()) {
            value = std::strtoll(found->second.c_str(), nullptr, 10);
        }
    };
    const auto text = [&](const char* key, std::string& value) {
        if (const auto found = notes.find(key); found != notes.end()) {
            value = found->second;
        }
    };
    number(kExamples, noted.examples);
    number(kClasses, noted.classes);
    text(kClassNamesHash, noted.classNames);
    text(kList, noted.list);
    return noted;
}

} // namespace lockstep
