import { useEffect, useState } from "preact/hooks";
import type { ComponentType } from "preact";
import { lab } from "./lab";
import { go, route } from "./route";
import { Transport } from "./ui/transport";
import { views } from "./views";

const firstViewOf = { robots: "world", dynamics: "dynamics", octopus: "octopus" } as const;

export function App() {
  const kind = lab.kind.value;
  // What was loaded decides which views make sense.
  useEffect(() => {
    const view = views.find((v) => v.id === route.value.view);
    if (kind && (!view || (view.kinds.length > 0 && !view.kinds.includes(kind)))) {
      go(firstViewOf[kind]);
    }
  }, [kind]);
  return (
    <>
      <a class="skip" href="#main">Skip to the view</a>
      <header>
        <h1>tropism</h1>
        <nav aria-label="Views">
          {views.map((view) => {
            const isFit = !kind || view.kinds.length === 0 || view.kinds.includes(kind);
            return (
              <a
                href={`#/${view.id}`}
                class={isFit ? "" : "unfit"}
                aria-current={route.value.view === view.id ? "page" : undefined}
                title={isFit ? undefined : `shows ${view.kinds.join(", ")}; load one first`}
              >
                {view.title}
              </a>
            );
          })}
        </nav>
      </header>
      <section aria-label="Run"><Transport /></section>
      <main id="main" tabIndex={-1}>
        <Shown id={route.value.view} />
      </main>
      <Notices />
      <Link />
    </>
  );
}

function Shown({ id }: { id: string }) {
  const [shown, show] = useState<{ id: string; View: ComponentType } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const view = views.find((v) => v.id === id);
    void view?.load().then((module) => {
      if (isWanted) show({ id, View: module.default });
    });
    return () => {
      isWanted = false;
    };
  }, [id]);
  if (!views.some((v) => v.id === id)) return <p>There is no view {id}; choose one above.</p>;
  return shown?.id === id ? <shown.View /> : <p class="quiet">Loading…</p>;
}

function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {lab.notices.value.map((notice) => (
        <div key={notice.id} class={`notice ${notice.kind}`}>
          <span>{notice.text}</span>
          <button type="button" aria-label="Dismiss" onClick={() => lab.dismiss(notice.id)}>×</button>
        </div>
      ))}
    </div>
  );
}

function Link() {
  const state = lab.linkState.value;
  const where = lab.link.value?.kind === "server" ? "on the server" : "in this browser";
  return (
    <footer>
      {state.at === "closed" ? (
        <strong>No session: {state.why}</strong>
      ) : (
        <span>{lab.program.value} · runs {where}</span>
      )}
    </footer>
  );
}
