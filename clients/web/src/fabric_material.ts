// How cloth looks: a soft, slightly shiny fabric, lit from both sides, with a fine
// weave. The weave is computed from the rest pose, so it stretches and folds with
// the cloth and needs no texture coordinates.
import * as THREE from "three";

/** Colours for cloths that name none, by their order. */
export const CLOTH_COLORS = ["#c93a33", "#3f7fd6", "#e0a03a", "#3fa58a", "#9a5fd0", "#d0688f"];

/** rich: with the sheen of real fabric, which costs. */
export function createFabricMaterial(color: string, restSize: number, rich: boolean): THREE.MeshStandardMaterial {
  const base = { color: new THREE.Color(color), roughness: 0.78, metalness: 0, side: THREE.DoubleSide };
  const material = rich
    ? new THREE.MeshPhysicalMaterial({ ...base, sheen: 0.3, sheenRoughness: 0.4, sheenColor: new THREE.Color(color).lerp(new THREE.Color("#ffffff"), 0.5) })
    : new THREE.MeshStandardMaterial(base);
  // Front and back both cast: a sheet has no inside.
  material.shadowSide = THREE.DoubleSide;
  const threads = { value: 150 / Math.max(restSize, 1e-6) };
  material.onBeforeCompile = (shader) => {
    shader.uniforms["threads"] = threads;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec3 rest;\nvarying vec3 vRest;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvRest = rest;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${WEAVE}`)
      .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb = fabric(diffuseColor.rgb);");
  };
  material.customProgramCacheKey = () => "fabric";
  return material;
}

// rest normal from screen derivatives → the two rest axes to weave along.
const WEAVE = `
uniform float threads;
varying vec3 vRest;
float lines(float x, float width) {
  float w = max(fwidth(x), 1e-5);
  float d = abs(fract(x - 0.5) - 0.5);
  return (1.0 - smoothstep(width, width + w, d)) * clamp(1.0 - w * 1.6, 0.0, 1.0);
}
vec3 fabric(vec3 base) {
  vec3 n = abs(cross(dFdx(vRest), dFdy(vRest)));
  vec2 uv = n.y >= n.x && n.y >= n.z ? vRest.xz : (n.x >= n.z ? vRest.zy : vRest.xy);
  uv *= threads;
  float blur = clamp(1.0 - 1.4 * max(fwidth(uv.x), fwidth(uv.y)), 0.0, 1.0);
  float weave = sin(uv.x * 6.2831853) * sin(uv.y * 6.2831853);
  vec3 color = base * (1.0 + 0.10 * weave * blur);
  vec2 check = uv / 15.0;
  float band = max(lines(check.x, 0.035), lines(check.y, 0.035));
  color = mix(color, color * 1.18 + 0.03, band * 0.55);
  if (!gl_FrontFacing) color = mix(color, vec3(dot(color, vec3(0.3, 0.55, 0.15))), 0.30) * 0.98 + 0.035;
  return color;
}
`;
