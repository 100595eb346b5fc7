# SPDX-License-Identifier: Apache-2.0
"""Restate with one service in its TypeScript SDK: the server and the SDK as they come from npm, the handler does
nothing. Called with an idempotency key, Restate runs it once and answers repeats with its result."""

import json
import os
import platform
import shutil
import subprocess

from peers.process import Server, ask, connects, free_port

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "restate")


def install(out):
    """The folder with both packages. Errors: RuntimeError."""
    target = os.path.join(out, "restate")
    wanted, there = os.path.join(HERE, "package.json"), os.path.join(target, "package.json")
    same = os.path.exists(there) and open(there).read() == open(wanted).read()
    os.makedirs(target, exist_ok=True)
    shutil.copy(os.path.join(HERE, "orders.mjs"), target)
    if same and os.path.isdir(os.path.join(target, "node_modules")):
        return target
    shutil.copy(wanted, target)
    try:
        subprocess.run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"],
                       cwd=target, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        os.unlink(there)
        raise RuntimeError(f"npm could not install Restate: {getattr(error, 'stderr', error)}")
    return target


class Restate(Server):
    """The server, with its handler beside it."""

    def __init__(self, installed, folder):
        handler_port, admin, fabric, ingress = free_port(), free_port(), free_port(), free_port()
        self.handler = Server("restate-handler", ["node", "orders.mjs"], handler_port, folder, ready=connects,
                              environment=os.environ | {"PORT": str(handler_port)}, cwd=installed)
        settings = {"DO_NOT_TRACK": "1", "RESTATE_DISABLE_TELEMETRY": "true", "RESTATE_LISTEN_MODE": "tcp",
                    "RESTATE_BIND_IP": "127.0.0.1", "RESTATE_BIND_PORT": str(fabric),
                    "RESTATE_INGRESS__BIND_PORT": str(ingress), "RESTATE_ADMIN__BIND_PORT": str(admin),
                    "RESTATE_BASE_DIR": os.path.join(folder, "restate-data"), "RESTATE_NODE_NAME": "bench",
                    "RUST_LOG": "warn"}
        kind = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
        program = os.path.join(installed, f"node_modules/@restatedev/restate-server-linux-{kind}/bin/restate-server")
        try:
            super().__init__("restate", [program, "--no-logo"], ingress, folder, environment=os.environ | settings,
                             ready=lambda _: self._register(admin, handler_port))
        except BaseException:
            self.handler.stop()
            raise
        self.beside = (self.handler,)

    @staticmethod
    def _register(admin, handler_port):
        """Known once the server has looked at its handler and answered a call."""
        body = json.dumps({"uri": f"http://127.0.0.1:{handler_port}", "force": True})
        status, _, said = ask(admin, "POST", "/deployments", body, {"Content-Type": "application/json"})
        if status not in (200, 201):
            raise OSError(f"not registered: {status} {said[:200]}")

    def stop(self):
        code = super().stop()
        self.handler.stop()
        return code
