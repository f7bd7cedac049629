// What colliders look like. One sees which ones move: static bodies are dark, those that
// move when told are steel, dynamic ones are wood in two tones, so that they seem to roll.
import * as THREE from "three";
import type { BodyMotion } from "./protocol_types";

const LOOKS: Record<BodyMotion, { color: string; roughness: number; metalness: number }> = {
  static: { color: "#5c6370", roughness: 0.6, metalness: 0.05 },
  kinematic: { color: "#8fa3bf", roughness: 0.28, metalness: 0.15 },
  dynamic: { color: "#d8a766", roughness: 0.5, metalness: 0 },
};

/** A smooth solid. In depth it is drawn by push metres farther than it is: between two
 * vertices a coarse cloth cuts through a round body, and the body must not show there. */
export function createSolidMaterial(motion: BodyMotion, push: number): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial(LOOKS[motion]);
  const twoTone = motion === "dynamic";
  material.onBeforeCompile = (shader) => {
    shader.uniforms["push"] = { value: push };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\nuniform float push;\n${twoTone ? "varying vec3 vLocal;" : ""}`)
      .replace("#include <begin_vertex>", `#include <begin_vertex>\n${twoTone ? "vLocal = position;" : ""}`)
      .replace(
        "#include <project_vertex>",
        `#include <project_vertex>
        vec4 pushed = projectionMatrix * vec4(mvPosition.xyz * (1.0 + push / length(mvPosition.xyz)), 1.0);
        gl_Position.z = pushed.z * gl_Position.w / pushed.w;`,
      );
    if (!twoTone) return;
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${TWO_TONE}`)
      .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb = twoTone(diffuseColor.rgb);");
  };
  material.customProgramCacheKey = () => (twoTone ? "two-tone" : "body");
  return material;
}

/** The sides of a mesh that look away from the eye: hardly there. */
export function faintMaterial(motion: BodyMotion): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({ color: LOOKS[motion].color, side: THREE.BackSide, transparent: true, opacity: 0.1, depthWrite: false });
}

/** A floor that fades out into the background, with a quiet grid of whole metres. */
export function createFloorMaterial(stageRadius: number): THREE.MeshLambertMaterial {
  // It covers most of the picture: matt and in a single pass, since each of its pixels counts.
  const material = new THREE.MeshLambertMaterial({ color: "#323846", transparent: true, side: THREE.DoubleSide, forceSinglePass: true });
  const cell = 10 ** Math.round(Math.log10(stageRadius / 2));
  material.onBeforeCompile = (shader) => {
    shader.uniforms["reach"] = { value: stageRadius * 6 };
    shader.uniforms["cell"] = { value: cell };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 vFloor;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvFloor = position.xy;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${FLOOR}`)
      .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor = floorColor(diffuseColor);");
  };
  material.customProgramCacheKey = () => "floor";
  return material;
}

// The eight octants of the body's own frame, light and dark in turn.
const TWO_TONE = `
varying vec3 vLocal;
vec3 twoTone(vec3 base) {
  vec3 side = clamp(vLocal / max(fwidth(vLocal), vec3(1e-6)), -1.0, 1.0);
  return base * mix(0.62, 1.0, 0.5 + 0.5 * side.x * side.y * side.z);
}
`;
const FLOOR = `
uniform float reach;
uniform float cell;
varying vec2 vFloor;
float gridLine(vec2 at) {
  vec2 w = max(fwidth(at), vec2(1e-5));
  vec2 d = abs(fract(at - 0.5) - 0.5) / w;
  return clamp(1.0 - min(d.x, d.y), 0.0, 1.0) * clamp(1.0 - 2.0 * max(w.x, w.y), 0.0, 1.0);
}
vec4 floorColor(vec4 base) {
  float grid = max(0.035 * gridLine(vFloor / cell * 2.0), 0.085 * gridLine(vFloor / cell));
  float fade = 1.0 - smoothstep(0.25, 1.0, length(vFloor) / reach);
  return vec4(base.rgb + vec3(grid) * vec3(0.55, 0.65, 0.85), base.a * fade * fade);
}
`;
