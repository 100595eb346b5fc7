// SPDX-License-Identifier: Apache-2.0
// What a client may ask of its own operation on the data port: GET /_pawl/v1/operations/{ref}. The reference
// is the permission: it is a hash that only those know who were told it. Answers with a word and times,
// never with what is stored. Beside it upstreams report outcomes (callback_port.hpp).
//
//   record                    status
//   in_progress               running
//   open, uncertain           uncertain
//   completed, tombstone      done
//   freed                     failed
#pragma once

#include <string>
#include <string_view>

#include "net/http/service.hpp"
#include "store/port/records.hpp"

namespace pawl::api {

class CallbackPort;

inline constexpr std::string_view kOperationsPrefix = "/_pawl/v1/operations/";

http::Response operation_status(const record::Row& row);

// Serves the reserved prefix itself and leaves everything else to `rest`. All that it is given outlives it.
class DataService final : public http::Service {
  public:
    DataService(store::Records& records, CallbackPort& callbacks, http::Service& rest)
        : records_(records), callbacks_(callbacks), rest_(rest) {}

    http::Plan plan(const http::RequestHead& head, const http::Peer& peer) override;
    http::Serving serve(http::Request request, const http::Peer& peer) override;
    http::Response refuse(int status, std::string_view code, std::string_view detail) override;
    void relayed(const http::RequestHead& head, int status) override {
        rest_.relayed(head, status);
    }

  private:
    Task<http::Response> status_of(Digest identity);

    store::Records& records_;
    CallbackPort& callbacks_;
    http::Service& rest_;
};

}  // namespace pawl::api
