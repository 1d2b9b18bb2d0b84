// The script of the contract: everything a session can be asked, on every kind of table.

/** Requests that are meant to be refused. */
const wrong = [];

/** All requests; `read` gives the text of a file of this tree. */
export function requests(read) {
  let id = 0;
  const all = [];
  const ask = (command) => all.push({ id: ++id, command });
  const refused = (command) => {
    wrong.push(id + 1);
    ask(command);
  };
  wrong.length = 0;
  ask({ do: "list" });
  robots(ask, refused);
  scripts(ask, refused, read);
  requests.refusals = wrong.length;
  return all;
}

const builtIn = (name) => ({ from: "built_in", name });

function robots(ask, refused) {
  refused({ do: "step", ticks: 1 });
  refused({ do: "load", source: builtIn("nowhere") });
  ask({ do: "load", source: builtIn("one-life"), seed: 7 });
  ask({ do: "watch", robot: 0, parts: ["rays", "organism", "contingency", "places", "reflex", "internals"] });
  for (const ticks of [1, 2, 50, 400]) ask({ do: "step", ticks });
  ask({ do: "drive", robot: 0, actuator: "wheel_left", value: 0.5 });
  ask({ do: "step", ticks: 20 });
  refused({ do: "drive", robot: 9, actuator: "wheel_left", value: 0.5 });
}

function scripts(ask) {
  ask({ do: "step", ticks: 1 });
}
