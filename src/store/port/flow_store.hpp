// SPDX-License-Identifier: Apache-2.0
// Every port of flows as one store has them, and what of them is the same whatever lies between a caller and the
// store: errands are sent one way, and a sink that has no name there yet gets one before it is asked for.
#pragma once

#include "store/port/errand.hpp"
#include "store/port/errand_rows.hpp"
#include "store/port/timers.hpp"

namespace pawl::store {

class FlowStore : public Flows, public Timers, public Sagas, public Outbox, public IdWindows {
  public:
    Task<Result<Closing>> close_attention(CloseAttention word) final;
    Task<Result<std::size_t>> retire(std::size_t limit, std::int64_t older_than_ms,
                                     bool keeps_entities = false) final;
    Task<Result<bool>> move(SagaMove move) final;
    Task<Result<std::vector<OutboxRow>>> unsent(std::string sink, bool from_the_beginning,
                                                std::size_t limit) final;
    Task<Status> delivered(std::string sink, std::vector<Delivery> deliveries) final;
    Task<Result<std::size_t>> redrive(std::string sink) final;
    Task<Status> drop_sink(std::string sink) final;
    Task<Result<std::int64_t>> extend(id::Machine machine, std::int64_t until_ms) final;

    // What the calls above are made of, for whoever stands before a store.
    // Errors, Durable, Cancel: as Flows::commit.
    virtual Task<ErrandReply> send(Errand errand) = 0;
    virtual Task<Result<OutboxLook>> look(std::string sink, std::size_t limit) = 0;
};

}  // namespace pawl::store
