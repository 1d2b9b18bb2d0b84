// The script of the contract: everything a session can be asked, on every kind of table.

/**
 * All requests, and the numbers of those that are meant to be refused. `read` gives the text of a
 * file of this tree, `life` is a life state that an earlier run answered with.
 */
export function requests(read, life) {
  const script = new Script();
  script.ask({ do: "list" });
  script.refused({ do: "step", ticks: 1 }, { do: "jump" }, { do: "load", source: builtIn("nowhere") });
  organism(script, life);
  time(script);
  edits(script);
  machine(script);
  scripts(script, read);
  octopus(script);
  dynamics(script, read);
  return { all: script.all, refused: script.wrong };
}

class Script {
  all = [];
  wrong = new Set();

  ask(...commands) {
    for (const command of commands) this.all.push({ id: this.all.length + 1, command });
  }

  refused(...commands) {
    for (const command of commands) {
      this.wrong.add(this.all.length + 1);
      this.ask(command);
    }
  }

  load(name, more = {}) {
    this.ask({ do: "load", source: builtIn(name), ...more });
  }

  step(...ticks) {
    for (const some of ticks) this.ask({ do: "step", ticks: some });
  }
}

const builtIn = (name) => ({ from: "built_in", name });
const thing = (kind, index) => ({ kind, index });
const PARTS = ["rays", "organism", "contingency", "places", "reflex", "internals"];

function organism(script, life) {
  script.load("one-life", { seed: 7 });
  script.ask({ do: "watch", robot: 0, parts: PARTS });
  script.step(1, 2, 50, 400);
  script.ask({ do: "drive", robot: 0, actuator: "led", value: 1 });
  script.step(20);
  script.refused({ do: "drive", robot: 9, actuator: "led", value: 0.5 });
  script.refused({ do: "drive", robot: 0, actuator: "wheel_lift", value: 0.5 });
  script.ask({ do: "life_state", robot: 0 });
  if (life) {
    script.ask({ do: "reset", what: "robot", robot: 0 }, { do: "give_life_state", robot: 0, document: life });
    script.refused({ do: "give_life_state", robot: 0, document: life.slice(0, life.length >> 1) });
    script.step(100);
  }
  script.load("several_robots", { seed: 3 });
  for (const robot of [0, 1, 2, 3]) {
    script.ask({ do: "watch", robot, parts: PARTS });
    script.step(40);
  }
  script.load("crowd");
  script.step(20);
}

function time(script) {
  script.load("perturbations", { seed: 5 });
  script.step(300);
  script.ask({ do: "seek", tick: 37 });
  script.step(10);
  script.ask({ do: "seek", tick: 1 }, { do: "reset", what: "world" });
  script.step(50);
  script.ask({ do: "reset", what: "whole" }, { do: "speed", factor: 4 });
  script.refused({ do: "speed", factor: 0 });
  script.ask({ do: "record", name: "kept" });
  script.step(60);
  script.ask({ do: "stop_recording" }, { do: "recording", name: "kept" });
  script.refused({ do: "recording", name: "lost" });
}

function edits(script) {
  script.load("standard", { seed: 2 });
  script.ask(
    { do: "add", thing: { kind: "disc", at: [1, 1], radius_m: 0.1 } },
    { do: "add", thing: { kind: "box", at: [2, 1.8], width_m: 0.3, height_m: 0.2, turn_rad: 0.4 } },
    { do: "add", thing: { kind: "wall", from: [0.5, 0.5], to: [0.9, 0.7] } },
    { do: "add", thing: { kind: "tape", points: [[0.3, 0.3], [1.2, 0.4], [2, 1]], width_m: 0.05 } },
    { do: "move", thing: thing("robot", 0), to: [2.2, 0.6], heading_rad: 1.5 },
    { do: "move", thing: thing("station", 0), to: [0.2, 1.2] },
    { do: "power", thing: thing("station", 0), is_on: false },
  );
  script.step(120);
  script.refused({ do: "move", thing: thing("robot", 4), to: [1, 1] });
  script.ask({ do: "remove", thing: thing("disc", 0) }, { do: "save_world" });
  script.step(30);
  script.load("sunny-room");
  script.ask(
    { do: "add", thing: { kind: "lamp", at: [1, 0.2], intensity: 0.15 } },
    { do: "add", thing: { kind: "window", at: [4.2, 1], direction_rad: 0, intensity: 0.3 } },
    { do: "add", thing: { kind: "field", of: "warmth", at: [1, 1], strength: 2, spread_m: 0.5 } },
    { do: "add", thing: { kind: "field", of: "gas", at: [3, 0.4], strength: 1, spread_m: 0.3 } },
    { do: "add", thing: { kind: "station", at: [0.1, 1.5], facing_rad: 0 } },
    { do: "move", thing: thing("light", 4), to: [2, 3.4], heading_rad: 1.5 },
    { do: "move", thing: thing("field", 2), to: [2, 2] },
    { do: "remove", thing: thing("light", 1) },
  );
  script.refused({ do: "move", thing: thing("light", 1), to: [1, 1] });
  script.step(60);
}

function machine(script) {
  script.load("machine-track", { seed: 4 });
  script.step(50, 200);
  script.load("machine-interactive");
  script.step(5);
  for (const event of ["begin", "obstacle", "path_clear", "line_lost", "halt"]) {
    script.ask({ do: "fire", robot: 0, event });
    script.step(7);
  }
  script.refused({ do: "fire", robot: 0, event: "explode" });
}

/** Programs that go on, and what they show. */
const GOING = [
  "function control(s, m) { Object.freeze(s.line); if (s.t > 0.1) Object.freeze(s); console.log(s); return { left: 0.1, right: 0.1 }; }",
  "let n = 0;\nfunction control(s, m) { n += 1; m.n = n; console.log(n, s.t, s); return { left: 0.2, right: 0.3 }; }",
  "function control(s, m) { return { left: Math.random() - 0.5, right: Math.random() - 0.5 }; }",
  `const top = Math.random();
   function control(s, m) {
     const x = s.t * 7.3 + 0.1 + top;
     const parts = [Math.sin(x), Math.cos(x), Math.tan(x), Math.asin(x % 1), Math.acos(x % 1), Math.atan(x),
       Math.sinh(x % 3), Math.cosh(x % 3), Math.tanh(x), Math.asinh(x), Math.acosh(1 + x), Math.atanh(x % 1),
       Math.exp(x % 5), Math.expm1(x % 1), Math.log(x), Math.log1p(x), Math.log2(x), Math.log10(x), Math.cbrt(x),
       Math.sqrt(x), Math.atan2(x, 2), Math.pow(x, 0.37), Math.hypot(x, 2, 3)];
     m.sum = (m.sum ?? 0) + parts.reduce((sum, part) => sum + part, 0);
     m.parts = parts;
     console.log(parts.map(String).join(' '));
     return { left: Math.sin(m.sum), right: Math.cos(m.sum) };
   }`,
  `function control(s, m) {
     m.seen = m.seen || new Map(); m.seen.set(s.t.toFixed(2), JSON.stringify(s.ultrasonic));
     const far = Object.keys(s).sort().map((key) => key + typeof s[key]).join();
     console.log(far, [...'ab'].map((c) => c.codePointAt(0)), /(\\d+)/.exec('a12')[1], 'ß'.toUpperCase());
     const right = s.ultrasonic.right < 50 ? -0.3 : 0.4;
     return { left: s.line.left ? 0.1 : 0.5, right };
   }`,
  `function control(s) {
     const all = Object.getOwnPropertyNames(globalThis).filter((name) => name !== 'Atomics').sort();
     console.log(all.slice(0, 40).join());
     console.log(all.slice(40).join());
     console.log(Math.sin.name, Math.sin.length, Math.hypot.length, Math.random.length, Math.atan2.length);
     console.log(Math.sin('0.5'), Math.pow('2', true), Math.hypot(), Math.max(1, 2), Math.fround(0.1));
     console.log(Math.sin(), Math.cos(null), Math.atan2(1), Math.pow(2), Math.log([]));
     return { left: 0.1, right: 0.1 };
   }`,
  `function control(s, m) {
     const wrong = [() => nope, () => null.x, () => { undefined.x = 1; }, () => (void 0)(), () => ({}).f(),
       () => { const c = 1; c = 2; }, () => new (class A { #p; static of(x) { return x.#p; } }).of({}), () => x0 + 1,
       () => 'x'.repeat(-1), () => new Array(-1), () => JSON.parse('{"a":}'), () => new RegExp('('), () => BigInt,
       () => Symbol() + '', () => Math.sin(Symbol()), () => Math.sin({ valueOf() { throw new Error('of mine'); } }),
       () => eval('1 +'), () => new Function('return ]'), () => ({ get g() { throw new Error('got'); } }).g,
       () => [].reduce((a) => a), () => decodeURIComponent('%'), () => (1).toFixed(200), () => 1 in 'x'];
     for (const f of wrong) {
       try { console.log('no error', f()); } catch (e) { console.log(e.name, e.message, e.stack.split('\\n').filter((line) => line.includes('student.js')).join()); }
     }
     return { left: 0.1, right: 0.1 };
   }`,
  "function control(s, m) { m.text = 'a\\u0000b'; console.log('a\\u0000b', m.text.length); return { left: 0.1, right: 0.1 }; }",
  "let n = 0; function control(s, m) { n += 20000; for (let i = 0; i < n; i++) {} return { left: 0, right: 0 }; }",
];

/** Programs that end at a tick, or are not taken at all. */
const ENDING = [
  "function control(s, m) {\n  if (s.t > 0.02) {\n    throw new Error('no more');\n  }\n  return { left: 1, right: 1 };\n}",
  "function control() { while (true) {} }",
  "function control() { try { while (true) {} } catch (e) { return { left: 1, right: 1 }; } }",
  "function control(s, m) { const a = []; while (true) a.push([1, 2, 3]); }",
  "function control(s, m) { let x = 'ab'; while (true) x += x; }",
  "function control(s, m) { return /(a+)+$/.test('a'.repeat(40) + 'b') ? 1 : 2; }",
  "function control(s, m) {\n  const f = () => f() + 1;\n  return f();\n}",
  "function control() {\n  return JSON.parse('['.repeat(100000));\n}",
  "function control() {}",
  "function control() { return 3; }",
  "function control() { return null; }",
  "function control() { return [1, 2]; }",
  "function control() { return { left: 0.5 }; }",
  "function control() { return { left: NaN, right: 0 }; }",
  "function control() { return { left: 0, right: 1 / 0 }; }",
  "function control() { return { left: '0.5', right: 0 }; }",
  "function control() { return { left: true, right: () => 1 }; }",
  "function control() { return { get left() { throw 1; }, right: 0 }; }",
  "function control() {\n  return sensers.t;\n}",
  "function control() {\n  const x = null;\n  return x.left;\n}",
  "function control() {\n  return undefinedFunction(3);\n}",
  "function control() { throw 7; }",
  "function control() { throw 'words'; }",
  "function control() { throw new Error('a\\u0000b'); }",
  "function control() { throw { left: 1 }; }",
  "function control() { return new Date(); }",
  "function control() { return fetch('x'); }",
  "function control() { return Symbol('x'); }",
  "function control(s) {\n  const far = 3;\n  return { left: far * sensers.t, right: 0 };\n}",
  "function control(s) {\n  const a = { b: {} };\n  return { left: a.b.c.d, right: 0 };\n}",
  "function control(s) {\n  const a = {};\n  a.b.c = 3;\n}",
  "function control(s) {\n  return { left: s.nothing.front, right: 0 };\n}",
  "function control(s) { const a = [1]; let t = 0; for (const x of a) { t += x;   t += y; } return t; }",
  "function inner(x) {\n  if (x > 1) {\n      throw new RangeError('too far: ' + x);\n  }\n}\nfunction outer(x) { inner(x + 1); }\nfunction control() {\n  outer(1);\n}",
  "const drive = {\n  get speed() {\n    return this.gear.ratio;\n  },\n};\nfunction control() {\n  return { left: drive.speed, right: 0 };\n}",
  "function control() {\n  return [1, 2].map((x) => x.y.z);\n}",
  "function control() {\n  return [3, 1, 2].sort((a, b) => { throw new Error('sort'); });\n}",
  "class Far { measure() { return this.#deep(); } #deep() { return missing + 1; } }\nfunction control() {\n  return new Far().measure();\n}",
  "function control() {\n  const f = 3;\n  return f(1);\n}",
  "function control() {\n  const o = {};\n  return o.go(1);\n}",
  "function control() {\n  let x = y1;\n  let y1 = 1;\n}",
  "function control() {\n  return eval('1 +');\n}",
  "function control() {\n  return new RegExp('[');\n}",
  "function control() {\n  return JSON.parse('{');\n}",
  "function control() {\n  return Math.sin({ valueOf() { return gone; } });\n}",
  "function control() {\n  return Math.sin(Symbol('x'));\n}",
  "function control() { class E extends Error { get message() { return 'of mine'; } } throw new E(); }",
  "function control() { const e = new Error('x'); e.name = 7; throw e; }",
  "function control() { const e = new Error('x'); e.stack = 'nowhere'; throw e; }",
  "function control() { throw [1, 2]; }",
  "function control() { throw () => 1; }",
  "function control() { throw null; }",
  "function control() { throw undefined; }",
  "function control() { throw 12n; }",
  "function control() { return { left: 1n, right: 0 }; }",
  "function control() { return { left: [1], right: 0 }; }",
  "function control() { return { left: new Error('x'), right: 0 }; }",
  "function control() {\n  for (;;) {\n    const x = 1;\n  }\n}",
  "function control() {\n  let i = 0;\n  do i += 1; while (i > 0);\n}",
  "function control() {\n  const m = new Map();\n  for (let i = 0; ; i++) m.set(i, {});\n}",
  "function control() {\n  const parts = [];\n  for (let i = 0; ; i++) parts.push('x'.repeat(1000) + i);\n}",
  "function control() {\n  return new Float64Array(2e6);\n}",
  "function control() {\n  return 'x'.repeat(9e6);\n}",
  "const deep = {\n  get x() {\n    return this.x + 1;\n  },\n};\nfunction control() {\n  return deep.x;\n}",
  "class Node { constructor() { this.next = new Node(); } }\nfunction control() {\n  return new Node();\n}",
];
const NOT_TAKEN = [
  "function contrl() {}",
  "while (true) {}\nfunction control() {}",
  "function control(s, m) {\n  return { left: 1,, right: 1 };\n}",
  "function control(s, m) {\n  return { left: 1",
  "const x = 1;\nconst x = 2;\nfunction control() {}",
  "throw new TypeError('at once');",
  "function control() {\n  const a = [1, 2;\n}",
  "function control() {\n  return 'open;\n}",
  "function control() { if (true) { return 1; }",
  "function control() {\n  await x;\n}",
  "function control() {\n  let a = 1; let a = 2;\n}",
  "function control() {\n  return /(/;\n}",
  "const table = { a: 1 };\ntable.b.c = 2;\nfunction control() {}",
  "const far = near + 1;\nfunction control() {}",
  "const all = [];\nwhile (true) all.push([1, 2, 3]);",
  "const f = () => f() + 1;\nf();\nfunction control() {}",
];

function scripts(script, read) {
  const file = (text, name = "student.js") => ({ name, text });
  const follower = read("web/tests/follower.js");
  script.load("course_track", { seed: 3 });
  script.ask({ do: "script", robot: 0, file: file(follower, "follower.js") });
  script.step(1, 99, 900);
  script.ask({ do: "seek", tick: 500 }, { do: "reset", what: "robot", robot: 0 });
  script.step(50);
  script.load("course_room", { seed: 3 });
  script.ask({ do: "watch", robot: 0, parts: PARTS });
  for (const text of GOING) {
    script.ask({ do: "script", robot: 0, file: file(text) });
    script.step(1, 1, 30, 200);
  }
  for (const text of ENDING) {
    script.ask({ do: "script", robot: 0, file: file(text) });
    script.step(1, 5);
  }
  for (const text of NOT_TAKEN) script.refused({ do: "script", robot: 0, file: file(text) });
  script.refused({ do: "script", robot: 0, file: file("left = 1", "student.py") });
}

function octopus(script) {
  script.load("octopus-showcase");
  script.step(30, 200);
  script.ask(
    { do: "add", thing: { kind: "food", at: [420, 240], radius: 9 } },
    { do: "assign", arm: 1, task: { task: "reach", at: [430, 250] } },
    { do: "assign", arm: 2, task: { task: "reset", segments: 12, length: 14, bend_degrees: 60 } },
    { do: "hazard", at: [300, 200], radius: 40, severity: 0.8 },
  );
  script.step(90);
  script.refused({ do: "assign", arm: 9, task: { task: "idle" } });
  script.ask({ do: "save_world" }, { do: "reset", what: "whole" });
  script.step(60);
  script.load("octopus-quarrel");
  script.step(240);
}

function dynamics(script, read) {
  script.load("network-figure2");
  script.ask({ do: "watch", robot: 0, parts: ["terms"] });
  script.step(1, 100);
  const text = read("scenarios/dynamics/figure2.toml");
  script.ask({ do: "spec", text });
  script.step(60);
  script.refused({ do: "spec", text: text.replace("[[", "[") });
  script.step(20);
  for (const name of ["network-course", "network-ball", "network-wall"]) {
    script.load(name);
    script.step(120);
  }
}
