// Starts `serve_demo`, the example of volar-view. Its path is in SERVE_DEMO.

import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

function program() {
  const target = process.env.CARGO_TARGET_DIR ?? `${root}/target`;
  const paths = [process.env.SERVE_DEMO, `${target}/quick/examples/serve_demo`, `${target}/release/examples/serve_demo`];
  const found = paths.find((path) => path && existsSync(path));
  if (!found) {
    throw new Error("serve_demo is not built: cargo build --profile quick -p volar-view --example serve_demo");
  }
  return found;
}

/** Writes a report into a directory. */
export function writeReport(dir) {
  execFileSync(program(), ["report", dir]);
  return `file://${dir}/report.html`;
}

const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** A server; `address` is what it printed. */
export async function serve(what, port = 0) {
  const child = spawn(program(), [what], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  running.add(child);
  const ended = new Promise((resolve) => child.once("exit", resolve)).finally(() => running.delete(child));
  const lines = createInterface({ input: child.stdout });
  const address = await Promise.race([
    new Promise((resolve) => lines.once("line", resolve)),
    ended.then((code) => Promise.reject(new Error(`serve_demo ended with ${code}`))),
  ]);
  child.stdout.unref();
  child.unref();
  const stop = () => {
    child.stdin.end();
    return ended;
  };
  return { address, stop };
}
