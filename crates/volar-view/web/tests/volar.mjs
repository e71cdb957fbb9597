// Starts `volar`. Its path is in VOLAR, or it is looked for where cargo puts it.

import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

function program() {
  const target = process.env.CARGO_TARGET_DIR ?? `${root}/target`;
  const paths = [process.env.VOLAR, `${target}/quick/volar`, `${target}/release/volar`];
  const found = paths.find((path) => path && existsSync(path));
  if (!found) {
    throw new Error("volar is not built: cargo build --profile quick --bin volar");
  }
  return found;
}

/** Three fingers hold the bunny for 4 s, recorded at 250 Hz into a directory; the address of the report. */
export function record(dir) {
  const scene = ["g3r-bunny", "--duration", "4", "--set", "record.rate=250.0"];
  execFileSync(program(), ["run", ...scene, "--out", dir, "--json"], { stdio: "pipe" });
  return `file://${dir}/report.html`;
}

/** Two pads hold a cube that is too heavy for a tenth of their friction. */
export const SQUEEZE = ["g2p-cube", "--set", "body.cube.mass=0.5"];

const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** `volar view` of a recording or of a scene; `address` is what it printed. */
export async function view(...what) {
  const child = spawn(program(), ["view", "--no-open", ...what], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const ended = new Promise((resolve) => child.once("exit", resolve)).finally(() => running.delete(child));
  const lines = createInterface({ input: child.stdout });
  const address = await Promise.race([
    new Promise((resolve) => lines.once("line", resolve)),
    ended.then((code) => Promise.reject(new Error(`volar view ended with ${code}`))),
  ]);
  child.stdout.unref();
  child.unref();
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { address, stop };
}
