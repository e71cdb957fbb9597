import * as THREE from "three";
import type { Patch } from "../data/decode";

/** From dark violet over red to light yellow, even in lightness. */
const RAMP = [0x2a0a5e, 0x7a1b6d, 0xc43c4e, 0xf57d15, 0xfac62d, 0xfcffa4].map(
  (colour) => new THREE.Color(colour),
);

export function rampColour(part: number): THREE.Color {
  const place = Math.min(Math.max(part, 0), 1) * (RAMP.length - 1);
  const index = Math.min(Math.floor(place), RAMP.length - 2);
  return RAMP[index].clone().lerp(RAMP[index + 1], place - index);
}

/** Colours tell pressures apart over so many powers of ten. */
export const DECADES = 2;

/** Where a pressure is on the ramp: logarithmic, an impact is a hundred times the holding. */
export function rampPlace(pressure: number, greatest: number): number {
  if (!(pressure > 0 && greatest > 0)) return 0;
  return 1 + Math.log10(pressure / greatest) / DECADES;
}

/** The colours of pressure as a background of a legend. */
export const RAMP_CSS = `linear-gradient(to right, ${RAMP.map((c) => `#${c.getHexString()}`).join(", ")})`;

/** Overlaps of bodies: their surface coloured by pressure, and their volume. */
export class Patches {
  pressureShown = true;
  overlapShown = false;
  /** Colours reach up to this pressure, Pa. It only grows, so that one colour means one pressure. */
  greatest = 0;
  private drawn: THREE.Mesh[] = [];
  private readonly pressureMaterial = new THREE.MeshBasicMaterial({
    vertexColors: true,
    side: THREE.DoubleSide,
    depthTest: false,
    transparent: true,
    opacity: 0.9,
  });
  private readonly overlapMaterial = new THREE.MeshBasicMaterial({
    color: 0xf76b15,
    side: THREE.DoubleSide,
    depthTest: false,
    transparent: true,
    opacity: 0.55,
  });

  constructor(private readonly holders: THREE.Group[]) {}

  show(patches: Patch[]): void {
    for (const mesh of this.drawn) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
    }
    this.drawn = [];
    for (const patch of patches) {
      for (let i = 0; i < patch.onA; i++) {
        this.greatest = Math.max(this.greatest, patch.pressures[i]);
      }
    }
    for (const patch of patches) {
      if (this.overlapShown) this.hang(patch, patch.corners, null, this.overlapMaterial, 5);
      if (this.pressureShown) {
        const corners = patch.corners.subarray(0, 9 * patch.onA);
        this.hang(patch, corners, this.colours(patch), this.pressureMaterial, 6);
      }
    }
  }

  private colours(patch: Patch): Float32Array {
    const colours = new Float32Array(9 * patch.onA);
    for (let i = 0; i < patch.onA; i++) {
      const { r, g, b } = rampColour(rampPlace(patch.pressures[i], this.greatest));
      for (let corner = 0; corner < 3; corner++) colours.set([r, g, b], 9 * i + 3 * corner);
    }
    return colours;
  }

  private hang(
    patch: Patch,
    corners: Float32Array,
    colours: Float32Array | null,
    material: THREE.Material,
    order: number,
  ): void {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    if (colours) geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    const mesh = new THREE.Mesh(geometry, material);
    mesh.renderOrder = order;
    this.holders[patch.a]?.add(mesh);
    this.drawn.push(mesh);
  }
}
