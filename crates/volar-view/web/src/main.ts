import "./style.css";
import { embedded } from "./data/embedded";
import { fetchHistory, fetchMeta, LiveConnection } from "./data/server";
import { History } from "./data/history";
import { LivePlayer } from "./scene/live";
import { Replay } from "./scene/player";
import { element } from "./ui/dom";
import { startTheme } from "./ui/theme";
import { View } from "./view";

/** With more frames of a live run than this the page asks for all again, thinned out by the server. */
const LIVE_FRAMES = 12000;

/** Says on the page why it cannot show anything. */
function complain(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(
    element("main", { class: "complaint", role: "alert" }, element("h1", {}, "Nothing to show"), element("p", {}, text)),
  );
}

async function start(): Promise<void> {
  startTheme();
  const run = await embedded();
  if (run) {
    new View(run.meta, run.history, new Replay(run.history), null);
    return;
  }
  const meta = await fetchMeta();
  if (meta.mode !== "live") {
    const history = await fetchHistory(meta);
    new View(meta, history, new Replay(history), null);
    return;
  }
  const history = new History(LIVE_FRAMES);
  const wait = element("p", { class: "complaint", role: "status" }, "Waiting for the first frame…");
  document.body.append(wait);
  const connection = new LiveConnection(meta);
  // The scene is built with the first frames.
  connection.onFrames = (frames, patches) => {
    wait.remove();
    history.append(frames);
    const player = new LivePlayer(history, connection);
    const view = new View(meta, history, player, connection);
    if (patches) view.takePatches(patches);
    pending.forEach((message) => connection.onState(message));
    connection.onConnected(true);
  };
  const pending: Parameters<LiveConnection["onState"]>[0][] = [];
  connection.onState = (state) => pending.push(state);
  connection.connect();
}

addEventListener("error", (event) => console.error(event.message));
start().catch(complain);
