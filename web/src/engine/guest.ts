// One script with its memory, as the laboratory's module asks for it (crates/wasm/src/engine.rs).
import { Machine, ThrownValue, Vm, type Value } from "./machine";
import { placed } from "./place";

/** How a call ended; the numbers are those of `Ending` in the module. */
const Ending = { fine: 0, error: 1, value: 2, engine: 3, noControl: 4, noObject: 5, wheel: 6, noWheel: 7 } as const;

// Made before the script, which cannot change it.
const SORT = `(() => {
  const { isArray } = Array, { isPrototypeOf } = Object.prototype, errors = Error.prototype;
  const isError = isPrototypeOf.call.bind(isPrototypeOf, errors);
  return (x) => isArray(x) ? "array" : isError(x) ? "error" : "object";
})()`;

/** What a script may call. */
export interface Host {
  random(): number;
  print(line: string): void;
  free(): void;
}

/** What the laboratory's module says about scripts and counts for them. */
export interface Rules {
  mathOnes(): string[];
  mathTwos(): string[];
  mathOne(index: number, x: number): number;
  mathTwo(index: number, x: number, y: number): number;
  mathLonger(length: number, part: number): number;
  scriptBounds(): Float64Array;
  scriptPrelude(): string;
  scriptOutside(): string;
}

/** Starts scripts. */
export class Engine {
  private readonly polls: number;
  private readonly bounds: { memory: number; stack: number };
  readonly prelude: string;
  readonly outside: string;

  /** `beat` is called whenever a script gets its turn, `broken` when the machine failed. */
  constructor(
    readonly machine: Machine,
    readonly rules: Rules,
    readonly beat: () => void = () => undefined,
    readonly broken: (why: string) => void = () => undefined,
  ) {
    const [polls = 0, memory = 0, stack = 0] = rules.scriptBounds();
    this.polls = polls;
    this.bounds = { memory, stack };
    this.prelude = rules.scriptPrelude();
    this.outside = rules.scriptOutside();
  }

  start(file: string, text: string, bridge: string, host: Host): Guest {
    this.beat();
    return new Guest(this, new Vm(this.machine, this.bounds), this.polls, { file, text, bridge, host });
  }
}

interface Script {
  file: string;
  text: string;
  bridge: string;
  host: Host;
}

/** One script. */
export class Guest {
  ending: number = Ending.fine;
  words: string[] = [];
  line = 1;
  column = 1;
  private callee: Value | null = null;
  private memorise: Value | null = null;
  private forgetter: Value | null = null;
  private left: Value;
  private right: Value;
  /** What a value is that `typeof` calls an object: `error`, `array` or `object`. */
  private readonly sort: Value;
  private kept: Value[] = [];
  private given = 0;
  private isBroken = false;

  constructor(
    private readonly engine: Engine,
    private readonly vm: Vm,
    private readonly polls: number,
    private readonly script: Script,
  ) {
    vm.budget = polls;
    this.left = this.keep(vm.text("left"));
    this.right = this.keep(vm.text("right"));
    this.sort = this.keep(vm.run(SORT, engine.outside));
    this.guarded(() => this.load());
  }

  /** One tick: time, mask and values go in, two wheels come out. */
  control(given: Float64Array, wheels: Float64Array): void {
    this.engine.beat();
    const { vm } = this;
    vm.budget = this.polls;
    this.ending = Ending.fine;
    if (this.isBroken || this.callee === null) {
      this.end(Ending.engine, "the engine for scripts has failed; load the script again");
      return;
    }
    vm.write(this.given, given);
    this.guarded(() => {
      const returned = vm.call(this.callee as Value);
      try {
        const kind = vm.kind(returned);
        if ((kind !== "object" && kind !== "function") || vm.isNull(returned)) {
          this.end(Ending.noObject, ...this.shown(returned));
        } else if (this.wheel(returned, "left", this.left, wheels, 0)) {
          this.wheel(returned, "right", this.right, wheels, 1);
        }
      } finally {
        vm.free(returned);
      }
    });
  }

  memory(): string | undefined {
    let text: string | undefined;
    this.aside(this.memorise, (value) => {
      if (this.vm.kind(value) === "string") text = this.vm.toText(value);
    });
    return text;
  }

  forget(): void {
    this.aside(this.forgetter, () => undefined);
  }

  close(): void {
    this.script.host.free();
    // A machine that broke is left alone: freeing could break it further.
    if (this.isBroken) return;
    for (const value of this.kept) this.vm.free(value);
    this.vm.close();
  }

  private load(): void {
    const { vm, script, engine } = this;
    this.mathematics();
    const emit = vm.function("", 1, (_, [line]) => {
      script.host.print(line === undefined ? "" : vm.toText(line));
      return 0;
    });
    const prelude = vm.run(engine.prelude, engine.outside);
    this.keep(vm.call(prelude, emit));
    vm.free(prelude);
    vm.free(emit);
    // Before the script, which could put something else in place of arrays.
    const array = vm.run("(buffer) => new Float64Array(buffer)", engine.outside);
    const { value: buffer, pointer } = vm.buffer(8 * 64);
    const given = vm.call(array, buffer);
    vm.free(array);
    this.keep(buffer);
    this.keep(given);
    this.given = pointer;
    vm.budget = this.polls;
    vm.free(vm.run(script.text, script.file));
    const bridge = vm.run(script.bridge, engine.outside);
    const parts = vm.call(bridge, given);
    vm.free(bridge);
    if (vm.isNull(parts)) {
      vm.free(parts);
      this.end(Ending.noControl);
      return;
    }
    this.line = this.count(parts, "line");
    this.column = this.count(parts, "column");
    this.callee = this.keep(this.property(parts, "call"));
    this.memorise = this.keep(this.property(parts, "memory"));
    this.forgetter = this.keep(this.property(parts, "forget"));
    vm.free(parts);
  }

  /** The mathematics of the module in place of the machine's. */
  private mathematics(): void {
    const { vm } = this;
    const { rules } = this.engine;
    const { host } = this.script;
    const { global } = vm;
    const math = this.property(global, "Math");
    vm.free(global);
    const of = (values: Value[], i: number) => {
      const value = values[i];
      return value === undefined ? NaN : vm.toNumber(value);
    };
    const add = (name: string, arity: number, f: (values: Value[]) => number) => {
      const value = vm.function("", arity, (_, values) => vm.number(f(values)));
      vm.set(math, name, value);
      vm.free(value);
    };
    rules.mathOnes().forEach((name, i) => add(name, 1, (v) => rules.mathOne(i, of(v, 0))));
    rules.mathTwos().forEach((name, i) => add(name, 2, (v) => rules.mathTwo(i, of(v, 0), of(v, 1))));
    add("hypot", 2, (values) => values.reduce((length, _, i) => rules.mathLonger(length, of(values, i)), 0));
    add("random", 0, () => host.random());
    vm.free(math);
  }

  private wheel(returned: Value, name: string, key: Value, wheels: Float64Array, slot: number): boolean {
    const { vm } = this;
    let value: Value;
    try {
      value = vm.get(returned, key);
    } catch (thrown) {
      if (!(thrown instanceof ThrownValue)) throw thrown;
      vm.free(thrown.value);
      this.end(Ending.noWheel, name);
      return false;
    }
    const speed = vm.kind(value) === "number" ? vm.toNumber(value) : NaN;
    const isFine = Number.isFinite(speed);
    if (isFine) wheels[slot] = speed;
    else this.end(Ending.wheel, name, ...this.shown(value));
    vm.free(value);
    return isFine;
  }

  /** Runs something of the script; what it throws becomes the ending. */
  private guarded(run: () => void): void {
    try {
      run();
    } catch (thrown) {
      if (thrown instanceof ThrownValue) this.threw(thrown.value);
      else this.broke(thrown);
    }
  }

  private threw(value: Value): void {
    const { vm } = this;
    // Telling what happened may run getters of the script.
    vm.budget = Math.max(vm.budget, 1);
    try {
      if (vm.isFull) {
        // What the host's engine throws when there is no memory left for an error.
        this.end(Ending.value, "null", "");
      } else if (this.sorted(value) === "error") {
        const word = (name: string) => {
          const found = this.property(value, name);
          const text = vm.kind(found) === "string" ? vm.toText(found) : undefined;
          vm.free(found);
          return text;
        };
        const [message, stack, name] = [word("message"), word("stack"), word("name")];
        const { file, text } = this.script;
        const place = placed(stack ?? "", file, text, message ?? "");
        this.end(Ending.error, message ?? "", place, ...(name === undefined ? [] : [name]));
      } else {
        this.end(Ending.value, ...this.shown(value));
      }
    } catch (thrown) {
      if (!(thrown instanceof ThrownValue)) throw thrown;
      this.end(Ending.value, "object", "");
      vm.free(thrown.value);
    }
    vm.free(value);
  }

  private broke(thrown: unknown): void {
    this.isBroken = true;
    this.end(Ending.engine, `the engine for scripts failed: ${String(thrown)}`);
    this.engine.broken(this.words[0] ?? "");
  }

  private end(ending: number, ...words: string[]): void {
    this.ending = ending;
    this.words = words;
  }

  private keep(value: Value): Value {
    this.kept.push(value);
    return value;
  }

  private property(of: Value, name: string): Value {
    const key = this.vm.text(name);
    try {
      return this.vm.get(of, key);
    } finally {
      this.vm.free(key);
    }
  }

  private count(of: Value, name: string): number {
    const value = this.property(of, name);
    const count = this.vm.kind(value) === "number" ? this.vm.toNumber(value) : 1;
    this.vm.free(value);
    return count;
  }

  /** Type and text of a value, for messages. */
  private shown(value: Value): [string, string] {
    const kind = this.sorted(value);
    if (kind === "error") return ["object", ""];
    return [kind, kind === "number" || kind === "string" ? this.vm.toText(value) : ""];
  }

  /** Its type, with objects told apart. */
  private sorted(value: Value): string {
    const { vm } = this;
    const kind = vm.kind(value);
    if (kind !== "object") return kind;
    if (vm.isNull(value)) return "null";
    vm.budget = Math.max(vm.budget, 1);
    const word = vm.call(this.sort, value);
    const sort = vm.toText(word);
    vm.free(word);
    return sort;
  }

  private aside(f: Value | null, use: (value: Value) => void): void {
    if (f === null || this.isBroken) return;
    try {
      const value = this.vm.call(f);
      use(value);
      this.vm.free(value);
    } catch (thrown) {
      if (thrown instanceof ThrownValue) this.vm.free(thrown.value);
      else this.broke(thrown);
    }
  }
}
