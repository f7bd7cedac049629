// What happened in the world, in sentences for people.
import type { EventMessage } from "./protocol_types";

/** A happening in the world as a sentence; null for those that need none. */
export function describeHappening(event: EventMessage): string | null {
  switch (event.event) {
    case "diverged":
      return `The cloth “${String(event["cloth"])}” diverged at vertex ${String(event["vertex"])} and was frozen; reset brings it back.`;
    case "initial_overlap":
      return describeOverlap(event);
    case "clamped":
      return `${event["cloth"] === undefined || event["cloth"] === null ? `The body “${String(event["collider"])}”` : `The cloth “${String(event["cloth"])}”`} was faster than allowed and was slowed to ${String(event["max"])} m/s.`;
    case "precision":
      return `The cloth “${String(event["cloth"])}” lies so far from the origin that its motion loses precision.`;
    case "going_away":
      return "The server is about to stop.";
    default:
      return null;
  }
}

/** Which two overlap: cloth and collider, two cloths, a cloth and itself, or two bodies. */
function describeOverlap(event: EventMessage): string {
  const name = (member: string): string | null => (typeof event[member] === "string" ? event[member] : null);
  const count = String(event["count"]);
  const [cloth, collider, other] = [name("cloth"), name("collider"), name("other")];
  if (cloth === null) return `The bodies “${collider ?? "?"}” and “${name("other_collider") ?? other ?? "?"}” start inside one another.`;
  if (collider !== null) return `The cloth “${cloth}” starts inside the collider “${collider}” with ${count} vertices.`;
  if (other === cloth) return `The cloth “${cloth}” starts tangled: ${count} of its triangles pass through each other.`;
  return `The cloths “${cloth}” and “${other ?? "?"}” start tangled: ${count} of their triangles pass through each other.`;
}
