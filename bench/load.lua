-- SPDX-License-Identifier: Apache-2.0
-- The load: one POST over and over (`same`), or each request under a key of its own (`fresh`). Without a
-- request function wrk sends one prepared buffer; with one it calls it per request, so the bytes around the
-- key are prepared here and only joined. The last line of the output is the result as JSON.
--
--   wrk ... -s load.lua URL -- same|fresh KEY BODY_FILE [HEADER=VALUE ...]

local threads = 0

function setup(thread)
    threads = threads + 1
    thread:set("thread_number", threads)
end

function init(args)
    local file = assert(io.open(args[3], "rb"))
    wrk.method = "POST"
    wrk.body = file:read("*a")
    file:close()
    wrk.headers["Content-Type"] = "application/json"
    for i = 4, #args do
        local name, value = args[i]:match("^(.-)=(.*)$")
        wrk.headers[name] = value
    end
    wrk.headers["Idempotency-Key"] = args[2]
    if args[1] == "same" then return end

    local mark = "-the-place-of-the-number-"
    wrk.headers["Idempotency-Key"] = mark
    local text = wrk.format()
    local from, to = text:find(mark, 1, true)
    local before = text:sub(1, from - 1) .. args[2] .. "-" .. thread_number .. "-"
    local behind = text:sub(to + 1)
    local number = 0
    function request()
        number = number + 1
        return before .. number .. behind
    end
end

function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests":%d,"seconds":%.6f,"p50_ms":%.4f,"p90_ms":%.4f,"p99_ms":%.4f,"max_ms":%.4f,' ..
        '"connect_errors":%d,"read_errors":%d,"write_errors":%d,"timeouts":%d,"status_errors":%d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(90) / 1e3,
        latency:percentile(99) / 1e3, latency.max / 1e3,
        errors.connect, errors.read, errors.write, errors.timeout, errors.status))
end
