// Short questions beside a task; the answer can be watched.
import { useState } from "preact/hooks";
import { QUESTIONS } from "./questions-data";
import type { Question } from "./tasks";

export function Questions({ names }: { names: string[] }) {
  const questions = names.flatMap((name) => {
    const question = QUESTIONS[name];
    return question ? [{ name, question }] : [];
  });
  if (questions.length === 0) return null;
  return (
    <section class="panel" aria-label="Questions">
      <h2>{questions.length === 1 ? "A question" : "Questions"}</h2>
      {questions.map(({ name, question }) => <Ask key={name} name={name} question={question} />)}
    </section>
  );
}

function Ask({ name, question }: { name: string; question: Question }) {
  const [chosen, choose] = useState<number | null>(null);
  const isRight = chosen === question.right;
  return (
    <fieldset class="ask">
      <legend>{question.ask}</legend>
      {question.choices.map((choice, i) => (
        <label key={i} class="choice">
          <input type="radio" name={`ask-${name}`} checked={chosen === i} onChange={() => choose(i)} /> {choice}
        </label>
      ))}
      <div role="status">
        {chosen !== null && (
          <p>
            <strong class={isRight ? "good" : "bad"}>{isRight ? "Yes." : "Not quite."}</strong>{" "}
            {isRight ? question.why : "Watch the runs below, then choose again."}
          </p>
        )}
      </div>
      {chosen !== null && (
        <p class="row">
          See it:{" "}
          {question.shows.map(([title, load]) => (
            <a key={load} href={`#/world?load=lesson-${load}`}>{title}</a>
          ))}
        </p>
      )}
    </fieldset>
  );
}
