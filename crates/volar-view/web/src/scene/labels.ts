import * as THREE from "three";
import type { Body, Meta } from "../data/decode";
import { element } from "../ui/dom";

/** Names of the fingers beside them, in the colours of the plots. */
export class Labels {
  readonly root = element("div", { class: "labels", "aria-hidden": "true" });
  private readonly labels: { body: number; centre: THREE.Vector3; tag: HTMLElement; width: number }[] = [];
  shown = true;

  constructor(
    meta: Meta,
    private readonly holders: THREE.Group[],
  ) {
    const named = new Set<number>();
    // The last link of a finger is where it touches: it carries the name.
    for (let body = meta.bodies.length - 1; body >= 0; body--) {
      const { role, group, mesh, name, finger } = meta.bodies[body];
      if (role !== "finger" || group === null || mesh === null || named.has(group)) continue;
      named.add(group);
      const tag = element("span", { class: "label" }, finger || name);
      tag.style.setProperty("--own", `var(--series-${group % 8})`);
      this.root.append(tag);
      this.labels.push({ body, centre: centreOf(meta.meshes[mesh].vertices), tag, width: 0 });
    }
  }

  /** Moves all to where their fingers are in a picture of this size. */
  place(camera: THREE.Camera, width: number, height: number): void {
    this.root.hidden = !this.shown;
    if (!this.shown) return;
    const places: Place[] = [];
    for (const label of this.labels) {
      const { body, centre, tag } = label;
      const holder = this.holders[body];
      holder.updateWorldMatrix(true, false);
      const at = centre.clone().applyMatrix4(holder.matrixWorld).project(camera);
      const visible = at.z < 1 && Math.abs(at.x) < 1 && Math.abs(at.y) < 1;
      if (tag.hidden === visible) tag.hidden = !visible;
      if (!visible) continue;
      // Asked for once: the browser lays the page out to answer.
      label.width ||= tag.offsetWidth;
      places.push({ tag, x: ((at.x + 1) / 2) * width, y: ((1 - at.y) / 2) * height, width: label.width });
    }
    spread(places);
    for (const { tag, x, y } of places) tag.style.transform = `translate(${x}px, ${y}px)`;
  }
}

/** Where a label goes in the picture, px. */
type Place = { tag: HTMLElement; x: number; y: number; width: number };

/** From one label to the next below it, px. */
const LINE = 19;

/** Moves labels down, from top to bottom, until none covers another. */
function spread(places: Place[]): void {
  places.sort((a, b) => a.y - b.y || a.x - b.x);
  places.forEach((place, i) => {
    for (const above of places.slice(0, i)) {
      const beside = place.x > above.x + above.width || above.x > place.x + place.width;
      if (!beside && Math.abs(place.y - above.y) < LINE) place.y = above.y + LINE;
    }
  });
}

/** The series of the plots that a body belongs to; none for what is no finger. */
export function seriesOf(body: Body): number | null {
  return body.role === "finger" && body.group !== null ? body.group % 8 : null;
}

function centreOf(vertices: Float32Array): THREE.Vector3 {
  const box = new THREE.Box3().setFromArray(vertices);
  return box.getCenter(new THREE.Vector3());
}
