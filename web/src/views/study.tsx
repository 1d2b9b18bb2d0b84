// A rating study: short clips, unlabelled and in an order of the rater's own; ratings stay in this browser
// until they are downloaded, and so does the study, which goes on by itself when the page is opened again.
import { useEffect, useState } from "preact/hooks";
import { choose, download } from "../ui/text";
import { Clip } from "./study/clip";
import { keep, kept, letGo } from "./study/keep";
import { orderFor, parse, type Study } from "./study/file";
import { answered, csv, forget, remember, stored, type Rating } from "./study/ratings";

export default function StudyView() {
  const [study, setStudy] = useState<Study | null>(null);
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [rater, setRater] = useState("");
  const [isOn, setOn] = useState(false);
  const [problem, setProblem] = useState("");
  const [isSought, setSought] = useState(true);
  const take = (name: string, text: string): boolean => {
    const read = parse(name, text);
    const isSound = typeof read !== "string";
    setProblem(isSound ? "" : read);
    setStudy(isSound ? read : null);
    setFile(isSound ? { name, text } : null);
    setOn(false);
    return isSound;
  };
  useEffect(() => {
    void kept().then((last) => {
      if (last && take(last.name, last.text)) {
        setRater(last.rater);
        setOn(last.isOn);
      } else if (last) {
        // Told once: a file that this page cannot read would be told of at every visit.
        void letGo();
      }
      setSought(false);
    });
  }, []);
  const remain = (isNowOn: boolean) => {
    setOn(isNowOn);
    if (file) void keep({ ...file, rater, isOn: isNowOn });
  };
  const open = async () => {
    const file = await choose(".json,application/json");
    if (!file) return;
    const text = await file.text();
    if (!take(file.name, text)) return;
    if (!(await keep({ name: file.name, text, rater, isOn: false }))) {
      setProblem("This browser keeps no files here: leave the page open, or open the study again when you come back.");
    }
  };
  const shut = () => {
    setStudy(null);
    setFile(null);
    setProblem("");
    void letGo();
  };
  if (isSought) return <p class="quiet" aria-live="polite">Looking for a study that is under way…</p>;
  if (study && isOn) return <Session study={study} rater={rater.trim()} leave={() => remain(false)} />;
  const done = study && rater.trim() ? answered(study, rater.trim()).length : 0;
  return (
    <section class="panel stack">
      <h2>Rating study</h2>
      <p>
        Do creatures of different conditions look differently alive? Clips are shown one by one, without labels. Make a
        study with <code>tropism study make scenarios/organism/one-life.toml --conditions full,no_reflexes,random_walk</code>,
        open its <code>study.json</code> here, and give the downloaded ratings to <code>tropism study report</code>.
      </p>
      <div class="row">
        <button type="button" id="open-study" onClick={() => void open()}>Open a study…</button>
        {study && <span>{study.title}: {study.clips.length} clips of {Math.round(study.clips[0]!.poses.length / study.rate_hz)} s</span>}
        {study && <button type="button" id="close-study" title="Ratings stay" onClick={shut}>Close it</button>}
      </div>
      {problem && <p class="bad" role="alert">{problem}</p>}
      {study && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (rater.trim()) remain(true);
          }}
        >
          <label>
            Your name or number{" "}
            <input id="rater" required maxLength={40} value={rater} onInput={(e) => setRater(e.currentTarget.value)} />
          </label>
          <button type="submit" id="begin" class="primary">{done ? `Go on after ${done} ${done === 1 ? "clip" : "clips"}` : "Begin"}</button>
          {done > 0 && (
            <>
              <button type="button" id="save-ratings" onClick={() => download(`ratings-${rater.trim()}.csv`, csv(study, rater.trim()), "text/csv")}>
                Download {done} {done === 1 ? "rating" : "ratings"}
              </button>
              <button
                type="button"
                onClick={() => {
                  if (confirm(`Forget the ratings of ${rater.trim()} in this browser?`)) forget(study, rater.trim());
                  setRater(`${rater} `);
                }}
              >
                Forget them
              </button>
            </>
          )}
        </form>
      )}
      {study && stored(study).length > 0 && <p class="quiet small">Ratings kept in this browser: {stored(study).join(", ")}.</p>}
    </section>
  );
}

function Session({ study, rater, leave }: { study: Study; rater: string; leave(): void }) {
  const order = orderFor(study, rater);
  const [ratings, setRatings] = useState<Rating[]>(() => answered(study, rater));
  const [chosen, setChosen] = useState<number | null>(null);
  const [seen, setSeen] = useState(false);
  const [since, setSince] = useState(() => performance.now());
  const next = order.find((id) => !ratings.some((r) => r.clip === id));
  useEffect(() => {
    setChosen(null);
    setSeen(false);
    setSince(performance.now());
  }, [next]);
  const clip = study.clips.find((c) => c.id === next);
  if (!clip) {
    return (
      <section class="panel stack" aria-live="polite">
        <h2>Thank you</h2>
        <p>All {ratings.length} clips are rated. Please download the ratings and send the file to whoever asked you.</p>
        <div class="row">
          <button type="button" id="save-ratings" class="primary" onClick={() => download(`ratings-${rater}.csv`, csv(study, rater), "text/csv")}>Download the ratings</button>
          <button type="button" onClick={leave}>Back</button>
        </div>
      </section>
    );
  }
  const answer = () => {
    if (chosen === null) return;
    const rating = { clip: clip.id, rating: chosen, position: ratings.length + 1, seconds: Math.round((performance.now() - since) / 100) / 10 };
    setRatings(remember(study, rater, rating));
  };
  const { min, max, low, high } = study.scale;
  const steps = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  return (
    <section class="panel stack clip">
      <h2>Clip {ratings.length + 1} of {order.length}</h2>
      <Clip key={clip.id} study={study} clip={clip} onEnd={() => setSeen(true)} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answer();
        }}
      >
        <fieldset disabled={!seen}>
          <legend>{study.question}{seen ? "" : " (after the clip)"}</legend>
          <div class="row">
            <span class="quiet">{low}</span>
            {steps.map((step) => (
              <label key={step}>
                <input type="radio" name="rating" value={String(step)} checked={chosen === step} onChange={() => setChosen(step)} /> {step}
              </label>
            ))}
            <span class="quiet">{high}</span>
          </div>
        </fieldset>
        <div class="row">
          <button type="submit" id="answer" class="primary" disabled={!seen || chosen === null}>Next</button>
          <button type="button" onClick={leave}>Stop for now</button>
        </div>
      </form>
    </section>
  );
}
