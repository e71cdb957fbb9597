import * as THREE from "three";
import type { Pull } from "../data/server";
import { element, number } from "../ui/dom";
import type { Stage } from "./stage";

/** What is taken hold of, as the server reads it. */
export interface Grip {
  body: number;
  point: number[];
  target: number[];
}

const COLOUR = 0x8e4ec6;

/** A hand in the scene: Ctrl and drag pulls at a body with a spring, whose force is shown. */
export class Hand {
  private readonly line: THREE.Line;
  private readonly tag = element("span", { class: "label force-label" });
  private grip: Grip | null = null;
  private readonly plane = new THREE.Plane();
  private stale = false;

  constructor(
    private readonly stage: Stage,
    private readonly send: (grip: Grip | null) => void,
  ) {
    const geometry = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]);
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: COLOUR, depthTest: false, linewidth: 2 }));
    this.line.renderOrder = 11;
    this.line.frustumCulled = false;
    this.line.visible = false;
    stage.add(this.line);
    this.tag.hidden = true;
    stage.canvas.parentElement?.append(this.tag);
    const { canvas } = stage;
    canvas.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    for (const end of ["pointerup", "pointercancel"] as const) {
      canvas.addEventListener(end, () => this.letGo(), { capture: true });
    }
  }

  private take(event: PointerEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return;
    const hit = this.stage.hit(event);
    if (!hit) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.stage.setTurning(false);
    this.plane.setFromNormalAndCoplanarPoint(this.stage.viewDirection(), hit.at);
    this.grip = { body: hit.body, point: hit.local.toArray(), target: hit.at.toArray() };
    this.tell();
  }

  private move(event: PointerEvent): void {
    if (!this.grip) return;
    event.stopImmediatePropagation();
    const target = this.stage.ray(event).intersectPlane(this.plane, new THREE.Vector3());
    if (!target) return;
    this.grip.target = target.toArray();
    this.tell();
  }

  /** Once per picture at most. */
  private tell(): void {
    if (this.stale) return;
    this.stale = true;
    requestAnimationFrame(() => {
      this.stale = false;
      if (this.grip) this.send(this.grip);
    });
  }

  private letGo(): void {
    if (!this.grip) return;
    this.grip = null;
    this.stage.setTurning(true);
    this.send(null);
  }

  /** Shows the spring as the run has it; none when nobody pulls. */
  show(pull: Pull | null): void {
    this.line.visible = pull !== null;
    this.tag.hidden = pull === null;
    if (pull) {
      const ends = [new THREE.Vector3(...pull.from), new THREE.Vector3(...pull.to)];
      this.line.geometry.setFromPoints(ends);
      const { x, y } = this.stage.pixels(ends[1]);
      this.tag.style.transform = `translate(${x + 8}px, ${y - 24}px)`;
      this.tag.textContent = `${number(pull.force, 3)} N`;
    }
    this.stage.invalidate();
  }
}
