# SPDX-License-Identifier: Apache-2.0
"""nginx with one worker: the upstream of every proxy measured here, and the peer that does the same work
without any promise."""

import os

from peers.process import Server, free_port

UPSTREAM_ANSWER = '{"id":"ord_00000001","status":"created"}'

# Kept connections are never closed by count or age on any side, or the peers would be measured reconnecting.
CONFIGURATION = """
daemon off;
{user}
worker_processes 1;
pid {folder}/{name}.pid;
error_log {folder}/{name}.error warn;
events {{ worker_connections 1024; }}
http {{
    {log}
    keepalive_requests 1000000000;
    keepalive_timeout 600s;
    client_body_temp_path {folder}/{name}.body;
    proxy_temp_path {folder}/{name}.proxy;
    fastcgi_temp_path {folder}/{name}.fastcgi;
    uwsgi_temp_path {folder}/{name}.uwsgi;
    scgi_temp_path {folder}/{name}.scgi;
    default_type application/json;
{content}
}}
"""

ANSWERING = """
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        location / {{ return {status} '{answer}'; }}
    }}
"""

PROXYING = """
    upstream behind {{
        server 127.0.0.1:{upstream};
        keepalive 128;
        keepalive_requests 1000000000;
        keepalive_timeout 600s;
    }}
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        location / {{
            proxy_pass http://behind;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }}
    }}
"""


def _start(name, folder, port, content, log="access_log off;"):
    path = os.path.join(folder, name + ".conf")
    user = "user root;" if os.geteuid() == 0 else ""
    with open(path, "w") as file:
        file.write(CONFIGURATION.format(folder=folder, name=name, user=user, content=content, log=log))
    return Server(name, ["nginx", "-p", folder, "-e", f"{folder}/{name}.error", "-c", path], port, folder)


def answering(name, folder, status=200, answer=UPSTREAM_ANSWER):
    port = free_port()
    return _start(name, folder, port, ANSWERING.format(port=port, status=status, answer=answer))


def counting(name, folder, ledger):
    """Answers, and writes the key of each request into the file `ledger`."""
    port = free_port()
    log = f"log_format key '$http_idempotency_key'; access_log {ledger} key buffer=64k flush=1s;"
    content = ANSWERING.format(port=port, status=201, answer=UPSTREAM_ANSWER)
    return _start(name, folder, port, content, log)


def proxying(name, folder, upstream_port):
    port = free_port()
    return _start(name, folder, port, PROXYING.format(port=port, upstream=upstream_port))
