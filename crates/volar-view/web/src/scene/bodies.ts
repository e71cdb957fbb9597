import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Body, Mesh, Meta } from "../data/decode";
import { colour } from "../ui/theme";
import { seriesOf } from "./labels";

/** Neighbouring triangles that meet at less than this are shaded as one surface. */
const CREASE = (35 * Math.PI) / 180;

/** How much of the plot's colour a finger has; the rest is grey. */
const TINT = 0.8;

const COLOURS: Record<Body["role"], number> = {
  object: 0xd9a441,
  palm: 0x5d6b7a,
  finger: 0x7f93a8,
  other: 0x9a9a96,
};

/** The bodies of a scene, shaded, with edges on demand. */
export class Bodies {
  readonly group = new THREE.Group();
  /** One holder per body; patches are hung into them too. */
  readonly holders: THREE.Group[] = [];
  private readonly materials: THREE.MeshStandardMaterial[] = [];
  /** Materials of fingers, and the series whose colour they have. */
  private readonly tinted: [THREE.MeshStandardMaterial, number][] = [];
  private readonly edges: THREE.LineSegments[] = [];
  private readonly edgeMaterial = new THREE.LineBasicMaterial({
    color: 0x101418,
    transparent: true,
    opacity: 0.45,
  });
  private readonly wires = new Map<number, THREE.BufferGeometry>();

  constructor(private readonly meta: Meta) {
    const geometries = meta.meshes.map(geometry);
    for (const body of meta.bodies) {
      const holder = new THREE.Group();
      holder.name = body.name;
      if (body.mesh !== null) {
        const material = new THREE.MeshStandardMaterial({
          color: COLOURS[body.role],
          roughness: 0.72,
          metalness: 0.05,
          polygonOffset: true,
          polygonOffsetFactor: 1,
          polygonOffsetUnits: 1,
        });
        this.materials.push(material);
        const series = seriesOf(body);
        if (series !== null) this.tinted.push([material, series]);
        holder.add(new THREE.Mesh(geometries[body.mesh], material));
      }
      this.holders.push(holder);
      this.group.add(holder);
    }
  }

  /** Seven numbers per body: position, orientation (w, x, y, z). */
  place(poses: Float32Array): void {
    this.holders.forEach((holder, body) => {
      const at = 7 * body;
      holder.position.set(poses[at], poses[at + 1], poses[at + 2]);
      holder.quaternion.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]);
    });
  }

  showEdges(shown: boolean): void {
    if (shown && this.edges.length === 0) {
      this.meta.bodies.forEach((body, number) => {
        if (body.mesh === null) return;
        const lines = new THREE.LineSegments(this.wire(body.mesh), this.edgeMaterial);
        this.edges.push(lines);
        this.holders[number].add(lines);
      });
    }
    for (const lines of this.edges) lines.visible = shown;
  }

  private wire(mesh: number): THREE.BufferGeometry {
    let wire = this.wires.get(mesh);
    if (!wire) {
      wire = new THREE.WireframeGeometry(plain(this.meta.meshes[mesh]));
      this.wires.set(mesh, wire);
    }
    return wire;
  }

  seeThrough(on: boolean): void {
    for (const material of this.materials) {
      material.transparent = on;
      material.opacity = on ? 0.38 : 1;
      material.depthWrite = !on;
      material.needsUpdate = true;
    }
  }

  /** Gives fingers the colours that they have in the plots. */
  tint(): void {
    for (const [material, series] of this.tinted) {
      material.color.set(COLOURS.finger).lerp(new THREE.Color(colour(`series-${series}`)), TINT);
    }
  }

  setEdgeColour(colour: number): void {
    this.edgeMaterial.color.set(colour);
  }
}

function plain(mesh: Mesh): THREE.BufferGeometry {
  const made = new THREE.BufferGeometry();
  made.setAttribute("position", new THREE.BufferAttribute(mesh.vertices, 3));
  made.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
  return made;
}

function geometry(mesh: Mesh): THREE.BufferGeometry {
  return toCreasedNormals(plain(mesh), CREASE);
}
