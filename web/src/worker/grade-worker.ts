import type { GradeMessage } from "./grade";

onmessage = () => {
  const error = "this build of the page cannot grade in the browser; `tropism grade FILE --task NAME` does";
  postMessage({ error } satisfies GradeMessage);
};
