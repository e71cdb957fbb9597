import * as THREE from "three";
import type { Contact, Meta } from "../data/decode";

const MOST = 256;
/** Length of the longest arrow, in parts of the scene's size. */
const LONGEST = 0.35;
/** Arrows shorter than this part of the longest are not drawn. */
const SHORTEST = 0.03;
const UP = new THREE.Vector3(0, 1, 0);

/**
 * Forces of contacts on the object, and on body `a` where the object takes no part, as
 * arrows whose heads are at the contact. Lengths go with the square root of the force, so
 * that an impact and the forces of holding are both seen and none is cut short.
 */
export class Forces {
  readonly group = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  /** The force whose arrow is the longest, N. */
  largest = 0;
  /** Part of the usual size that arrows have. */
  private near = 1;
  private used = 0;
  private readonly normalColour: THREE.Color;
  private readonly frictionColour: THREE.Color;

  constructor(
    private readonly meta: Meta,
    /** Size of the scene, m: arrows are a part of it. */
    private readonly size: number,
  ) {
    this.normalColour = new THREE.Color(meta.colours.normal_force);
    this.frictionColour = new THREE.Color(meta.colours.friction_force);
    const material = () =>
      new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 });
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1, 1, 16).translate(0, -0.5, 0);
    this.shafts = new THREE.InstancedMesh(shaft, material(), MOST);
    this.heads = new THREE.InstancedMesh(head, material(), MOST);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.renderOrder = 10;
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
  }

  /** Sets the force whose arrow is the longest, N. */
  setLargest(force: number): void {
    this.largest = force;
  }

  /** Makes arrows smaller where the camera is near; true when they must be drawn anew. */
  setNear(part: number): boolean {
    const near = Math.min(part, 1);
    if (Math.abs(near - this.near) < 0.05 * this.near) return false;
    this.near = near;
    return true;
  }

  /** Length of the arrow for a force, N, in m. */
  length(force: number): number {
    return this.largest > 0 ? LONGEST * this.near * this.size * Math.sqrt(force / this.largest) : 0;
  }

  show(contacts: Contact[]): void {
    this.used = 0;
    const isObject = (body: number) => this.meta.bodies[body]?.role === "object";
    for (const contact of contacts) {
      // Forces are recorded as they act on `a`; those on `b` are opposite.
      const sign = isObject(contact.b) ? -1 : 1;
      const { point, normal, normal_force: force, friction_force: friction } = contact.figures;
      this.arrow(point, vector(normal).multiplyScalar(sign * force[0]), this.normalColour);
      this.arrow(point, vector(friction).multiplyScalar(sign), this.frictionColour);
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.used;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  private arrow(point: Float32Array, force: THREE.Vector3, colour: THREE.Color): void {
    const newtons = force.length();
    const length = this.length(newtons);
    const size = this.near * this.size;
    if (this.used >= MOST || !(length > SHORTEST * LONGEST * size)) return;
    const width = 0.012 * size;
    const headLength = Math.min(4 * width, 0.6 * length);
    const direction = force.divideScalar(newtons);
    const turn = new THREE.Quaternion().setFromUnitVectors(UP, direction);
    const tip = vector(point);
    const tail = tip.clone().addScaledVector(direction, -length);
    const shaft = new THREE.Vector3(0.4 * width, length - headLength, 0.4 * width);
    const head = new THREE.Vector3(width, headLength, width);
    this.shafts.setMatrixAt(this.used, new THREE.Matrix4().compose(tail, turn, shaft));
    this.heads.setMatrixAt(this.used, new THREE.Matrix4().compose(tip, turn, head));
    this.shafts.setColorAt(this.used, colour);
    this.heads.setColorAt(this.used, colour);
    this.used++;
  }
}

function vector(values: Float32Array): THREE.Vector3 {
  return new THREE.Vector3(values[0], values[1], values[2]);
}
