import * as THREE from "three";
import type { Contact, Meta } from "../data/decode";

const MOST = 256;
const NORMAL = new THREE.Color(0xe5484d);
const FRICTION = new THREE.Color(0x12a594);
/** Lengths of arrows, in parts of the scene's size. */
const USUAL_LENGTH = 0.2;
const LONGEST = 0.4;
const UP = new THREE.Vector3(0, 1, 0);

/** Forces on what is grasped, as arrows whose heads are at the contact. */
export class Forces {
  readonly group = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  /** The force whose arrow has the usual length, N. */
  private usual = 0;
  private used = 0;

  constructor(
    private readonly meta: Meta,
    /** Size of the scene, m: arrows are a part of it. */
    private readonly size: number,
  ) {
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

  /** Sets the force whose arrow has the usual length, N. */
  setUsual(force: number): void {
    this.usual = force;
  }

  show(contacts: Contact[]): void {
    this.used = 0;
    const isObject = (body: number) => this.meta.bodies[body]?.role === "object";
    const some = this.meta.bodies.some((body) => body.role === "object");
    for (const contact of contacts) {
      if (some && !isObject(contact.a) && !isObject(contact.b)) continue;
      // Forces are told as they act on `a`; `b` feels the opposite.
      const sign = isObject(contact.a) ? 1 : -1;
      const normal = new THREE.Vector3(...contact.normal).multiplyScalar(sign);
      const friction = new THREE.Vector3(...contact.friction).multiplyScalar(sign);
      this.arrow(contact.point, normal.multiplyScalar(contact.normalForce), NORMAL);
      this.arrow(contact.point, friction, FRICTION);
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.used;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  private arrow(point: [number, number, number], force: THREE.Vector3, colour: THREE.Color): void {
    const newtons = force.length();
    if (this.used >= MOST || !(newtons > 0.01 * this.usual)) return;
    // An impact can be a hundred times the usual force: its arrow is cut short.
    const length = this.size * Math.min((USUAL_LENGTH * newtons) / this.usual, LONGEST);
    const width = 0.012 * this.size;
    const headLength = Math.min(4 * width, 0.6 * length);
    const direction = force.divideScalar(newtons);
    const turn = new THREE.Quaternion().setFromUnitVectors(UP, direction);
    const tip = new THREE.Vector3(...point);
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
