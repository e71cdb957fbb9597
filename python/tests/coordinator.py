"""What nrp-core does with an engine over REST, from its public interface: a registration
server, the six verbs, packs both ways, and transceiver functions between engines."""

from __future__ import annotations

import http.client
import json
import queue
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

#: nrp-core names types after C++; engines hand them back as they are.
TYPE = "N8nlohmann10basic_jsonE"


class Registrations:
    """A registration server; `take` waits for an engine to say where it is."""

    def __init__(self, refuse: int = 0) -> None:
        told: queue.Queue[dict[str, str]] = queue.Queue()
        left = [refuse]

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                left[0] -= 1
                status = 400 if left[0] >= 0 else 200
                if status == 200:
                    told.put(json.loads(body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._told = told
        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"localhost:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def take(self) -> dict[str, str]:
        return self._told.get(timeout=60)

    def close(self) -> None:
        self._server.shutdown()


class RefusedError(Exception):
    """An answer other than 200."""

    def __init__(self, status: int, what: str) -> None:
        super().__init__(f"{status}: {what}")
        self.status, self.what = status, what


class RestEngine:
    """An engine behind REST verbs, as the coordinator sees it."""

    def __init__(self, name: str, address: str) -> None:
        self.name = name
        self.host, _, port = address.partition(":")
        self.port = int(port)

    def post(self, path: str, body: bytes, **headers: str) -> Any:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status != 200:
            raise RefusedError(answer.status, text)
        return json.loads(text)

    def ask(self, verb: str, data: Any) -> Any:
        # nrp-core puts a slash too many between address and verb.
        return self.post(f"//{verb}", json.dumps(data).encode())

    def initialize(self, **extra: Any) -> None:
        ratio = [1, 1_000_000_000]
        config = {"EngineName": self.name, "EngineType": "python_json", "TimeRatio": ratio}
        self.ask("initialize", {**config, "EngineExtraConfigs": extra})

    def run_loop(self, step_ns: Any) -> int:
        time: int = self.ask("run_loop", {"time_step": step_ns})["time"]
        return time

    def get(self, *names: str) -> dict[str, Any]:
        wanted = {name: {"engine_name": self.name, "type": TYPE} for name in names}
        packs = self.ask("get_datapacks", wanted)
        assert all(pack["engine_name"] == self.name for pack in packs.values())
        assert all(pack["type"] == TYPE for pack in packs.values())
        return {name: pack["data"] for name, pack in packs.items()}

    def set(self, **packs: Any) -> None:
        sent = {
            name: {"engine_name": self.name, "type": TYPE, "data": data}
            for name, data in packs.items()
        }
        self.ask("set_datapacks", sent)

    def reset(self) -> None:
        self.ask("reset", "reset")

    def shutdown(self) -> None:
        self.ask("shutdown", None)

    def raw(self, sent: bytes, *, close: bool = True) -> bytes:
        """Bytes as they are, and all that comes back."""
        with socket.create_connection((self.host, self.port), timeout=60) as connection:
            connection.sendall(sent)
            if close:
                connection.shutdown(socket.SHUT_WR)
            answer = b""
            while chunk := connection.recv(65536):
                answer += chunk
            return answer


class ScriptEngine:
    """An engine script within this process, called as nrp-core's server for Python does."""

    def __init__(self, name: str, script: Any) -> None:
        self.name, self.script = name, script

    def initialize(self, **extra: Any) -> None:
        self.script._name = self.name
        self.script._config = {"EngineName": self.name, "EngineExtraConfigs": extra}
        self.script.initialize()

    def run_loop(self, step_ns: Any) -> int:
        self.script._time_ns += step_ns
        self.script.runLoop(step_ns)
        time: int = self.script._time_ns
        return time

    def get(self, *names: str) -> dict[str, Any]:
        # Through text, as it would be sent.
        return {n: json.loads(json.dumps(self.script._getDataPack(n))) for n in names}

    def set(self, **packs: Any) -> None:
        for name, data in packs.items():
            self.script._setDataPack(name, json.loads(json.dumps(data)))

    def reset(self) -> None:
        self.script.reset()
        self.script._time_ns = 0

    def shutdown(self) -> None:
        self.script.shutdown()


def start(name: str, *arguments: str) -> tuple[subprocess.Popen[str], RestEngine]:
    """Starts an engine as nrp-core does, and waits until it has registered."""
    registrations = Registrations(refuse=1)
    command = [sys.executable, "-m", "volar", "serve", "nrp", *arguments]
    command += [f"--engine={name}", "--serverurl=localhost:0", "--options="]
    command += [f"--regservurl={registrations.address}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    told = registrations.take()
    registrations.close()
    assert told["engine_name"] == name
    return process, RestEngine(name, told["address"])
