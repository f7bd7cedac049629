// window.clothd: what tests read of the page. Reading only; documented in README.md.
import { toScreen, type Vec3 } from "./picking";
import type { Motion } from "./motion";
import type { SceneView } from "./scene_view";
import type { Session } from "./session";
import type { Stage } from "./stage";
import type { Store } from "./store";

export interface PageState {
  connection: string;
  role: string;
  world: string;
  scene: string | null;
  running: boolean;
  tick: number;
  /** Binary messages decoded, pictures drawn, segments lost. */
  frames: number;
  drawn: number;
  lost: number;
  /** The picture shows the newest state and nothing is about to be drawn. */
  resting: boolean;
  /** The eye's position and the point it looks at. */
  camera: { eye: Vec3; target: Vec3 };
  settings: Record<string, unknown>;
  solver: Record<string, unknown>;
  cloths: { name: string; epoch: number; vertexCount: number; pins: number[]; pinsTick: number; hash: string; first: number[]; asleep: boolean; settings: Record<string, unknown> }[];
  colliders: { name: string; motion: string; asleep: boolean; position: Vec3; screen: { x: number; y: number } | null }[];
}

declare global {
  interface Window {
    clothd?: {
      state(): PageState;
      /** Page coordinates of a vertex, null when it is not in view. */
      vertexOnScreen(cloth: string, vertex: number): { x: number; y: number } | null;
      /** Decoded positions of a cloth, xyz per vertex, as the newest tick has them. */
      positions(cloth: string): number[];
    };
  }
}

export function installHooks(parts: { store: Store; stage: Stage; view: SceneView; motion: Motion; session: Session; counts: { frames: number; drawn: number } }): void {
  const { store, stage, view, motion, session, counts } = parts;
  const onScreen = (point: Vec3): { x: number; y: number } | null => {
    const { width, height } = view.size();
    const at = toScreen(view.viewProjection(), point, width, height);
    const box = view.renderer.domElement.getBoundingClientRect();
    return at ? { x: at.x + box.left, y: at.y + box.top } : null;
  };
  window.clothd = {
    state: () => ({
      connection: store.connection,
      role: store.role,
      world: store.world,
      scene: store.currentScene(),
      running: store.running,
      tick: store.tick,
      frames: counts.frames,
      drawn: counts.drawn,
      lost: session.lost,
      resting: view.isResting() && motion.alpha(performance.now()) >= 1,
      camera: { eye: view.camera.position.toArray(), target: view.controls.target.toArray() },
      settings: store.settings,
      solver: store.solver,
      cloths: [...store.cloths.values()].map((cloth) => {
        const positions = motion.get(cloth.object)?.to.positions ?? new Float32Array();
        return {
          name: cloth.name,
          epoch: cloth.epoch,
          vertexCount: cloth.vertexCount,
          pins: [...cloth.pins].sort((a, b) => a - b),
          pinsTick: cloth.pinsTick,
          hash: hashOf(positions),
          first: [...positions.subarray(0, 9)],
          asleep: cloth.asleep,
          settings: cloth.settings,
        };
      }),
      colliders: [...store.colliders.values()].map((collider) => ({
        name: collider.name,
        motion: collider.motion,
        asleep: collider.asleep,
        position: collider.position,
        screen: onScreen(stage.colliders.get(collider.object)?.group.position.toArray() ?? collider.position),
      })),
    }),
    vertexOnScreen: (name, vertex) => {
      const cloth = store.clothByName(name);
      const drawn = cloth ? stage.cloths.get(cloth.object)?.view.drawn : undefined;
      if (!drawn || 3 * vertex + 2 >= drawn.length) return null;
      return onScreen([drawn[3 * vertex]!, drawn[3 * vertex + 1]!, drawn[3 * vertex + 2]!]);
    },
    positions: (name) => {
      const cloth = store.clothByName(name);
      return cloth ? [...(motion.get(cloth.object)?.to.positions ?? [])] : [];
    },
  };
}

/** FNV-1a over the bytes of positions: equal bits, equal hash. */
export function hashOf(positions: Float32Array): string {
  const bytes = new Uint8Array(positions.buffer, positions.byteOffset, positions.byteLength);
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
