import type { Fault, Place } from "../protocol";

/** `file:line:column`, as compilers write it. */
export function placeName(place: Place): string {
  if (!place.line) return place.file;
  return place.column ? `${place.file}:${place.line}:${place.column}` : `${place.file}:${place.line}`;
}

/** A fault with all its places. */
export function FaultBox({ title, fault, onClose }: { title: string; fault: Fault; onClose?(): void }) {
  const places = fault.places ?? [];
  return (
    <div class="fault" role="alert">
      <div class="row">
        <strong>{title}</strong>
        {onClose && <button type="button" class="small" onClick={onClose}>Close</button>}
      </div>
      {places.length === 0 ? <p>{fault.what}</p> : (
        <ul>
          {places.map((place, i) => (
            <li key={i}><code>{placeName(place)}</code> {place.text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
