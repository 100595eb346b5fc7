// SPDX-License-Identifier: Apache-2.0
#include "store/port/flow_store.hpp"

namespace pawl::store {
namespace {

template <class T>
Result<T> as(ErrandReply reply) {
    if (!reply) return fail(std::move(reply.error()));
    if constexpr (std::is_same_v<T, bool>)
        return *reply != 0;
    else
        return static_cast<T>(*reply);
}

Status done(ErrandReply reply) {
    if (!reply) return fail(std::move(reply.error()));
    return {};
}

}  // namespace

Task<Result<Closing>> FlowStore::close_attention(CloseAttention word) {
    co_return as<Closing>(co_await send(std::move(word)));
}

Task<Result<std::size_t>> FlowStore::retire(std::size_t limit, std::int64_t older_than_ms,
                                            bool keeps_entities) {
    co_return as<std::size_t>(co_await send(Retire{limit, older_than_ms, keeps_entities}));
}

Task<Result<bool>> FlowStore::move(SagaMove move) {
    co_return as<bool>(co_await send(std::move(move)));
}

Task<Result<std::vector<OutboxRow>>> FlowStore::unsent(std::string sink, bool from_the_beginning,
                                                       std::size_t limit) {
    Result<OutboxLook> seen = co_await look(sink, limit);
    if (seen && !seen->known) {
        const auto opened = co_await send(OpenSink{sink, from_the_beginning});
        if (!opened) co_return fail(opened.error());
        seen = co_await look(sink, limit);
    }
    if (!seen) co_return fail(std::move(seen.error()));
    // What it could not be done for now is done another time.
    if (seen->passes) (void)co_await send(Delivered{sink, {}});
    co_return std::move(seen->rows);
}

Task<Status> FlowStore::delivered(std::string sink, std::vector<Delivery> deliveries) {
    co_return done(co_await send(Delivered{std::move(sink), std::move(deliveries)}));
}

Task<Result<std::size_t>> FlowStore::redrive(std::string sink) {
    co_return as<std::size_t>(co_await send(Redrive{std::move(sink)}));
}

Task<Status> FlowStore::drop_sink(std::string sink) {
    co_return done(co_await send(DropSink{std::move(sink)}));
}

Task<Result<std::int64_t>> FlowStore::extend(id::Machine machine, std::int64_t until_ms) {
    co_return co_await send(ExtendWindow{machine, until_ms});
}

}  // namespace pawl::store
