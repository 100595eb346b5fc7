-- SPDX-License-Identifier: Apache-2.0
-- The load: one POST over and over (`same`), each request under a key of its own (`fresh`), keys that were sent
-- before, drawn at random (`known`), or fresh ones of which some are sent again soon after (`mixed`). Without a
-- request function wrk sends one prepared buffer; with one it calls it per request, so the bytes around the
-- key are prepared here and only joined. The last line of the output is the result as JSON.
--
--   wrk ... -s load.lua URL -- same|fresh|known|mixed KEY BODY_FILE [HEADER=VALUE ...] [@OPTION=VALUE ...]
--     @known=KEY:COUNT,...   earlier runs of `fresh` and how many keys each has sent (one thread)
--     @repeats=PERCENT       of `mixed`: how many requests are repeats
--     @pace=MS               mean pause of a connection between two requests
--     @skus=COUNT            the body's SKU-00000000 is one of so many, in turn
--     @ids=FILE              the path's ID-00000000 is one of the file's lines, in turn

local threads = 0
local recent_max = 5000  -- a repeat is one of so many last requests

function setup(thread)
    threads = threads + 1
    thread:set("thread_number", threads)
end

local function options_of(args)
    local options = {}
    for i = 4, #args do
        local name, value = args[i]:match("^(.-)=(.*)$")
        if name:sub(1, 1) == "@" then
            options[name:sub(2)] = value
        else
            wrk.headers[name] = value
        end
    end
    return options
end

-- One of all known keys, each as likely as every other.
local function draw_from(list)
    local runs, all = {}, 0
    for name, count in list:gmatch("([^:,]+):(%d+)") do
        all = all + tonumber(count)
        runs[#runs + 1] = {name = name, below = all, count = tonumber(count)}
    end
    return function()
        local at = math.random(all)
        for _, run in ipairs(runs) do
            if at <= run.below then return run.name .. "-1-" .. (run.below - at + 1) end
        end
    end
end

local function numbers(key, repeats)
    local number = 0
    return function()
        if number > recent_max and math.random(100) <= repeats then
            return key .. (number - math.random(recent_max))
        end
        number = number + 1
        return key .. number
    end
end

-- A text that is always the same, or has something else at `place` each time.
local function in_turn(text, place, next_text)
    local from, to = text:find(place, 1, true)
    if not next_text or not from then return function() return text end end
    local before, behind = text:sub(1, from - 1), text:sub(to + 1)
    return function() return before .. next_text() .. behind end
end

local function counted_to(most)
    local turn = 0
    return most and function()
        turn = turn % tonumber(most) + 1
        return string.format("SKU-%08d", turn - 1)
    end
end

local function lines_of(path)
    if not path then return nil end
    local lines, turn = {}, 0
    for line in io.lines(path) do lines[#lines + 1] = line end
    return function()
        turn = turn % #lines + 1
        return lines[turn]
    end
end

function init(args)
    local file = assert(io.open(args[3], "rb"))
    wrk.method = "POST"
    wrk.body = file:read("*a")
    file:close()
    wrk.headers["Content-Type"] = "application/json"
    local options = options_of(args)
    math.randomseed(thread_number)
    if options.pace then
        local pace = tonumber(options.pace)
        function delay() return math.random(0, math.floor(2 * pace)) end
    end
    wrk.headers["Idempotency-Key"] = args[2]
    if args[1] == "same" then return end

    local mark = "-the-place-of-the-key-"
    wrk.headers["Idempotency-Key"] = mark
    local text = wrk.format()
    local from, to = text:find(mark, 1, true)
    local before = in_turn(text:sub(1, from - 1), "ID-00000000", lines_of(options.ids))
    local behind = in_turn(text:sub(to + 1), "SKU-00000000", counted_to(options.skus))
    local next_key
    if args[1] == "known" then
        next_key = draw_from(options.known)
    else
        local repeats = args[1] == "mixed" and tonumber(options.repeats) or 0
        next_key = numbers(args[2] .. "-" .. thread_number .. "-", repeats)
    end
    function request() return before() .. next_key() .. behind() end
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
