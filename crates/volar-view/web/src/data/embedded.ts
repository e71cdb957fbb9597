import { decodeFrames, decodeMeta, decodePatches, fromBase64, unzipped, type Meta } from "./decode";
import { History } from "./history";

function text(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}

/** The run inside this page, if there is one. */
export async function embedded(): Promise<{ meta: Meta; history: History } | null> {
  const metaText = text("volar-meta");
  if (metaText === null) return null;
  const meta = decodeMeta(metaText);
  const unpacked = async (id: string) => {
    try {
      return await unzipped(fromBase64(text(id) ?? ""));
    } catch {
      throw new Error("The data of this page are damaged: its file seems to be cut off or changed. Write the report anew.");
    }
  };
  const frames = decodeFrames(await unpacked("volar-frames"), meta);
  const patches = decodePatches(await unpacked("volar-patches"));
  return { meta, history: new History(Infinity, frames, patches) };
}
