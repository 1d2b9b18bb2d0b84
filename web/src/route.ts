// Where the page is: `#/view?key=value&key=value`. What a link shares is in the fragment, which
// browsers do not send to any server.
import { signal } from "@preact/signals";

export interface Route {
  view: string;
  values: URLSearchParams;
}

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { view: path || "world", values: new URLSearchParams(query) };
}

export const route = signal(read());
addEventListener("hashchange", () => {
  route.value = read();
});

export function go(view: string, values: Record<string, string> = {}): void {
  const query = new URLSearchParams(values).toString();
  location.hash = `#/${view}${query ? `?${query}` : ""}`;
}
