import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Contact, Frame, Meta, Patch } from "../data/decode";
import { colour, onTheme, theme } from "../ui/theme";
import { Bodies } from "./bodies";
import { Forces } from "./forces";
import { Labels } from "./labels";
import { Patches } from "./patches";

/** What is shown beside the bodies. */
export interface Layers {
  edges: boolean;
  forces: boolean;
  pressure: boolean;
  overlap: boolean;
  seeThrough: boolean;
  follow: boolean;
  labels: boolean;
}

/** The scene in three dimensions. Drawn only when something has changed. */
export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly patches: Patches;
  /** Pictures drawn so far; the canvas tells it as `data-drawn`. */
  private drawn = 0;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.001, 100);
  private readonly controls: OrbitControls;
  private readonly bodies: Bodies;
  private readonly labels: Labels;
  readonly forces: Forces;
  private readonly home = { target: new THREE.Vector3(), distance: 1 };
  private readonly followed: number;
  private followedAt: THREE.Vector3 | null = null;
  private grid: THREE.GridHelper | null = null;
  private floor = 0;
  private size = 1;
  private stale = true;
  /** Whose forces are drawn. */
  private contacts: Contact[] = [];

  constructor(
    private readonly holder: HTMLElement,
    private readonly meta: Meta,
    readonly layers: Layers,
    frames: Frame[],
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true });
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute(
      "aria-label",
      "Scene in three dimensions. Arrow keys turn it, Shift and arrow keys move it, plus and minus zoom.",
    );
    holder.append(this.canvas);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.invalidate());

    this.bodies = new Bodies(meta);
    this.scene.add(this.bodies.group);
    this.patches = new Patches(this.bodies.holders);
    this.patches.greatest = meta.greatest_pressure ?? 0;
    this.labels = new Labels(meta, this.bodies.holders);
    holder.append(this.labels.root);
    this.frame(frames);
    this.forces = new Forces(meta, this.size);
    this.scene.add(this.forces.group);
    const palm = meta.bodies.findIndex((body) => body.role === "palm");
    this.followed = palm >= 0 ? palm : meta.bodies.findIndex((body) => body.role === "object");

    this.light();
    this.applyLayers();
    this.applyTheme();
    onTheme(() => this.applyTheme());
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
    const loop = () => {
      requestAnimationFrame(loop);
      if (!this.stale) return;
      this.render();
    };
    loop();
  }

  private render(): void {
    this.stale = false;
    if (this.forces.setNear(this.reach() / this.home.distance)) this.forces.show(this.contacts);
    this.renderer.render(this.scene, this.camera);
    this.labels.place(this.camera, this.holder.clientWidth, this.holder.clientHeight);
    this.canvas.dataset.drawn = String(++this.drawn);
  }

  /** The scene as it is, as a picture so many pixels wide on paper. */
  picture(width: number): string {
    const height = Math.round(0.62 * width);
    this.fit(width, height, 2);
    this.render();
    const image = this.canvas.toDataURL("image/png");
    this.resize();
    return image;
  }

  /** From the camera to what it looks at, m. */
  private reach(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /** How long the arrow of a force (N) is on the screen, in pixels, at the middle of the scene. */
  arrowPixels(force: number): number {
    const high = 2 * this.reach() * Math.tan((this.camera.fov * Math.PI) / 360);
    return (this.forces.length(force) / high) * this.holder.clientHeight;
  }

  /** Goes near a point of the world, m, so that about `size`, m, is in sight. */
  visit(at: ArrayLike<number>, along: ArrayLike<number>, size: number): void {
    const point = new THREE.Vector3().fromArray(Array.from(at));
    const normal = new THREE.Vector3().fromArray(Array.from(along));
    const side = new THREE.Vector3(0, 0, 1).cross(normal);
    if (side.length() < 0.1) side.set(1, 0, 0).cross(normal);
    // From the side, a little from above: along the normal one body hides the other.
    const direction = side.normalize().multiplyScalar(0.9).addScaledVector(normal, 0.25);
    direction.z += 0.35;
    const distance = Math.max(size / Math.sin((this.camera.fov * Math.PI) / 360), this.controls.minDistance);
    this.controls.target.copy(point);
    this.camera.position.copy(point).addScaledVector(direction.normalize(), distance);
    this.followedAt = null;
    this.controls.update();
    this.invalidate();
  }

  show(poses: Float32Array, frame: Frame): void {
    this.bodies.place(poses);
    this.contacts = frame.contacts();
    this.forces.show(this.contacts);
    this.follow();
    this.invalidate();
  }

  showPatches(patches: Patch[]): void {
    this.patches.show(patches);
    this.invalidate();
  }

  add(thing: THREE.Object3D): void {
    this.scene.add(thing);
  }

  /** Whether dragging turns the scene. */
  setTurning(on: boolean): void {
    this.controls.enabled = on;
  }

  /** Where the camera looks. */
  viewDirection(): THREE.Vector3 {
    return this.camera.getWorldDirection(new THREE.Vector3());
  }

  /** From the camera through the mouse. */
  ray(event: PointerEvent): THREE.Ray {
    const box = this.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(x, y), this.camera);
    return caster.ray;
  }

  /** The body under the mouse, the point hit in the world and in the body's frame, m. */
  hit(event: PointerEvent): { body: number; at: THREE.Vector3; local: THREE.Vector3 } | null {
    const caster = new THREE.Raycaster();
    caster.ray.copy(this.ray(event));
    this.bodies.group.updateMatrixWorld(true);
    for (const { object, point } of caster.intersectObject(this.bodies.group, true)) {
      // Patches hang in the holders too; they belong to the body.
      const number = this.bodies.holders.findIndex((holder) => holder === object.parent);
      if (number < 0 || !(object instanceof THREE.Mesh)) continue;
      return { body: number, at: point, local: this.bodies.holders[number].worldToLocal(point.clone()) };
    }
    return null;
  }

  /** Where a point of the world is in the picture, px. */
  pixels(point: THREE.Vector3): { x: number; y: number } {
    const at = point.clone().project(this.camera);
    const { clientWidth, clientHeight } = this.holder;
    return { x: ((at.x + 1) / 2) * clientWidth, y: ((1 - at.y) / 2) * clientHeight };
  }

  applyLayers(): void {
    this.bodies.showEdges(this.layers.edges);
    this.bodies.seeThrough(this.layers.seeThrough);
    this.forces.group.visible = this.layers.forces;
    this.labels.shown = this.layers.labels;
    this.patches.pressureShown = this.layers.pressure;
    this.patches.overlapShown = this.layers.overlap;
    this.followedAt = null;
    this.invalidate();
  }

  invalidate(): void {
    this.stale = true;
  }

  /** Looks at the scene from a direction; from the front, right and above by default. */
  look(from: [number, number, number] = [0.55, -1, 0.42]): void {
    const direction = new THREE.Vector3(...from).normalize();
    this.controls.target.copy(this.home.target);
    this.camera.position.copy(this.home.target).addScaledVector(direction, this.home.distance);
    this.followedAt = null;
    this.controls.update();
    this.invalidate();
  }

  /** Turns the view, in radians. */
  turn(across: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const around = Math.atan2(offset.y, offset.x) + across;
    const flat = Math.hypot(offset.x, offset.y);
    const height = Math.min(Math.max(Math.atan2(offset.z, flat) + up, -1.5), 1.5);
    const radius = offset.length();
    offset.set(Math.cos(height) * Math.cos(around), Math.cos(height) * Math.sin(around), Math.sin(height));
    this.camera.position.copy(this.controls.target).addScaledVector(offset, radius);
    this.controls.update();
    this.invalidate();
  }

  /** Moves the view, in parts of what is in sight. */
  pan(across: number, up: number): void {
    const shift = new THREE.Vector3(across, up, 0)
      .multiplyScalar(0.5 * this.reach())
      .applyQuaternion(this.camera.quaternion);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(offset, factor);
    this.controls.update();
    this.invalidate();
  }

  private follow(): void {
    if (!this.layers.follow || this.followed < 0) return;
    const now = this.bodies.holders[this.followed].position;
    if (this.followedAt) {
      const shift = now.clone().sub(this.followedAt);
      this.camera.position.add(shift);
      this.controls.target.add(shift);
      this.controls.update();
    }
    this.followedAt = now.clone();
  }

  /** Chooses the view so that gripper and object fill it, wherever they go. */
  private frame(frames: Frame[]): void {
    const box = new THREE.Box3();
    const all = new THREE.Box3();
    const stride = Math.max(1, Math.floor(frames.length / 20));
    for (let at = frames.length - 1; at >= 0; at -= stride) {
      this.bodies.place(frames[at].poses);
      this.bodies.group.updateMatrixWorld(true);
      this.bodies.holders.forEach((holder, body) => {
        const own = new THREE.Box3().setFromObject(holder);
        if (this.meta.bodies[body].role !== "other") box.union(own);
        // The ground is a slab many metres wide.
        if (own.getSize(new THREE.Vector3()).length() < 5) all.union(own);
      });
    }
    if (box.isEmpty()) box.copy(all);
    if (box.isEmpty()) box.set(new THREE.Vector3(-0.1, -0.1, -0.1), new THREE.Vector3(0.1, 0.1, 0.1));
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    this.size = 2 * sphere.radius;
    this.floor = (all.isEmpty() ? box : all).min.z;
    this.home.target.copy(sphere.center);
    this.home.distance = (1.05 * sphere.radius) / Math.sin((this.camera.fov * Math.PI) / 360);
    this.camera.near = 0.002 * this.home.distance;
    this.camera.far = 100 * this.home.distance;
    this.controls.minDistance = 0.02 * this.home.distance;
    this.controls.maxDistance = 20 * this.home.distance;
    this.look();
  }

  private light(): void {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xa9b0b8, 2.3));
    const sun = new THREE.DirectionalLight(0xffffff, 1.7);
    sun.position.set(1, -2.2, 1.8);
    const back = new THREE.DirectionalLight(0xffffff, 0.5);
    back.position.set(-1.5, 1, 0.5);
    this.scene.add(sun, back);
  }

  private applyTheme(): void {
    const dark = theme() === "dark";
    this.scene.background = new THREE.Color(colour("stage"));
    this.bodies.tint();
    this.bodies.setEdgeColour(dark ? 0xc8d4e0 : 0x101418);
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    // A grid of whole centimetres, or decimetres for large scenes.
    const cell = this.size > 1.5 ? 0.1 : 0.01;
    const cells = 2 * Math.ceil(this.size / cell);
    this.grid = new THREE.GridHelper(cells * cell, cells, dark ? 0x4b5563 : 0xb4bcc6, dark ? 0x29313b : 0xdde2e7);
    this.grid.rotateX(Math.PI / 2);
    this.grid.position.set(this.home.target.x, this.home.target.y, this.floor);
    this.scene.add(this.grid);
    this.invalidate();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (width > 0 && height > 0) this.fit(width, height, Math.min(devicePixelRatio, 2));
  }

  private fit(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    // A narrow view sees as much across as a wide one sees up.
    this.camera.fov = width < height ? (2 * Math.atan(Math.tan((35 * Math.PI) / 360) * (height / width)) * 180) / Math.PI : 35;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }
}
