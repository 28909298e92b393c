// SPDX-License-Identifier: Apache-2.0
#include "session/launch/run_request_text.h"

#include "base/text_bytes.h"

#include <nlohmann/json.hpp>

namespace lockstep {

std::string toText(const RunRequest& request)
{
    nlohmann::json json{
        {"configuration", toToml(request.config)},
        {"folder", toUtf8(request.folder.string())},
        {"is_resume", request.isResume}};
    if (request.checkpoint) {
        json["checkpoint"] = toUtf8(request.checkpoint->string());
    }
    return json.dump();
}

RunRequest runRequestFrom(const std::string& text)
{
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        RunRequest request;
        parseConfig(request.config, json.at("configuration").get<std::string>(), "configuration");
        request.folder = fromUtf8(json.at("folder").get<std::string>());
        request.isResume = json.at("is_resume").get<bool>();
        if (const auto checkpoint = json.find("checkpoint"); checkpoint != json.end()) {
            request.checkpoint = fromUtf8(checkpoint->get<std::string>());
        }
        return request;
    } catch (const nlohmann::json::exception& error) {
        fail(ErrorCode::BadInput, "this is not the request of a run: {}", error.what());
    }
}

} // namespace lockstep
