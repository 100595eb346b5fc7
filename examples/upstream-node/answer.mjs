// SPDX-License-Identifier: Apache-2.0
// Answers as values, and how they are written. A request may say what it wants to be answered (header
// X-Answer, JSON in base64): tests of replay need answers of every shape.
//
//   { status, headers: [[name, value]...], body (base64), body_repeat, chunked, trailers: [[name, value]...] }

export function orderAnswer(order) {
    return {
        status: 201,
        headers: [["Content-Type", "application/json"], ["Location", `/orders/${order.order_id}`]],
        body: Buffer.from(JSON.stringify(order) + "\n").toString("base64"),
    };
}

export function jsonAnswer(status, value, headers = []) {
    return {
        status,
        headers: [["Content-Type", "application/json"], ...headers],
        body: Buffer.from(JSON.stringify(value) + "\n").toString("base64"),
    };
}

// What the request asks to be answered, or the order itself.
export function shapeOf(request) {
    const wanted = request.headers["x-answer"];
    if (!wanted) return orderAnswer;
    const answer = JSON.parse(Buffer.from(wanted, "base64").toString("utf8"));
    return () => ({ status: 200, headers: [], body: "", ...answer });
}

function bytesOf(answer) {
    const bytes = Buffer.from(answer.body ?? "", "base64");
    return answer.body_repeat ? Buffer.alloc(answer.body_repeat, bytes) : bytes;
}

export function send(response, answer, { extra = [], half = false } = {}) {
    const body = bytesOf(answer);
    const lines = [...answer.headers, ...extra];
    const empty = answer.status === 204 || answer.status === 304;
    if (answer.trailers) lines.push(["Trailer", answer.trailers.map(([name]) => name).join(", ")]);
    if (!answer.chunked && !empty) lines.push(["Content-Length", String(body.length)]);
    response.writeHead(answer.status, lines.flat());
    if (half) {
        response.write(body.subarray(0, body.length >> 1), () => response.destroy());
        return;
    }
    if (answer.chunked) {
        for (let at = 0; at < body.length; at += 5) response.write(body.subarray(at, at + 5));
        if (answer.trailers) response.addTrailers(answer.trailers);
        response.end();
        return;
    }
    response.end(body);
}
