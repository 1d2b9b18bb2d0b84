// Finds out what stands behind this page and opens a session there.
import { lab } from "./lab";
import { SocketLink, served, socketAddress } from "./link/socket";
import { openRoute } from "./open";
import { WorkerLink } from "./worker/link";

/** `?in=browser` runs the world in the page even when a server is there. */
export async function connect(): Promise<void> {
  const wanted = new URLSearchParams(location.search).get("in");
  const server = wanted === "browser" ? null : await served();
  isOnServer = server !== null;
  reconnect();
  document.addEventListener("visibilitychange", () => lab.link.value?.hidden(document.hidden));
  addEventListener("hashchange", () => void openRoute());
  if (await openRoute()) return;
  const asked = new URLSearchParams(location.search).get("load");
  // A server that was started with a scenario has it on the table of every session.
  if (server?.has_beginning && asked === null) return;
  const name = asked ?? "one-life";
  if (!lab.stage.value) await lab.ask({ do: "load", source: { from: "built_in", name } });
}

let isOnServer = false;

/** Opens a new session in place of the one there is, with nothing on its table. */
export function reconnect(): void {
  lab.use(isOnServer ? new SocketLink(lab.listener, socketAddress()) : new WorkerLink(lab.listener));
}
