// One script with its memory, as the laboratory's module asks for it (crates/wasm/src/engine.rs).
import { Machines, ThrownValue, Vm, type Value } from "./machine";

/** How a call ended; the numbers are those of `Ending` in the module. */
const Ending = { fine: 0, error: 1, value: 2, engine: 3, noControl: 4, noObject: 5, wheel: 6, noWheel: 7 } as const;

/** What the host's engine says when the stack is at its end. */
const DEEP = { message: "Maximum call stack size exceeded", name: "RangeError" };

// Made before the script, which cannot change it.
const WHERE = "(() => { const E = Error; return () => new E().stack; })()";

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

  /**
   * `beat` is called whenever a script gets its turn, `broken` when a machine failed that several
   * scripts share.
   */
  constructor(
    readonly machines: Machines,
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
    return new Guest(this, this.polls, { file, text, bridge, host });
  }

  /** Memory for a script. */
  memory(): Vm {
    return this.machines.start(this.bounds);
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
  private left: Value | null = null;
  private right: Value | null = null;
  /** Gives the stack of the script as it is. */
  private whereabouts: Value | null = null;
  private held: Vm | null = null;
  private kept: Value[] = [];
  private given = 0;
  private isBroken = false;

  constructor(
    private readonly engine: Engine,
    private readonly polls: number,
    private readonly script: Script,
  ) {
    this.guarded(() => {
      this.held = engine.memory();
      this.load();
    });
  }

  private get vm(): Vm {
    if (!this.held) throw new Error("there is no machine");
    return this.held;
  }

  private get isLost(): boolean {
    return this.isBroken || !this.held || this.held.machine.isBroken;
  }

  /** One tick: time, mask and values go in, two wheels come out. */
  control(given: Float64Array, wheels: Float64Array): void {
    this.engine.beat();
    this.ending = Ending.fine;
    if (this.isLost || this.callee === null) {
      this.end(Ending.engine, "the engine for scripts has failed; load the script again");
      return;
    }
    const { vm } = this;
    vm.turn();
    vm.budget = this.polls;
    vm.write(this.given, given);
    this.guarded(() => {
      const returned = vm.call(this.callee as Value);
      try {
        if (!vm.isObject(returned)) {
          this.end(Ending.noObject, ...this.shown(returned));
        } else if (this.wheel(returned, "left", this.left as Value, wheels, 0)) {
          this.wheel(returned, "right", this.right as Value, wheels, 1);
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
    if (this.isLost) return;
    if (this.vm.isShared) {
      this.vm.turn();
      for (const value of this.kept) this.vm.free(value);
    }
    this.vm.close();
  }

  private load(): void {
    const { vm, script, engine } = this;
    vm.budget = this.polls;
    this.left = this.keep(vm.text("left"));
    this.right = this.keep(vm.text("right"));
    this.whereabouts = this.keep(vm.run(WHERE, engine.outside));
    this.mathematics();
    const emit = vm.function(1, (_, [line]) => {
      script.host.print(line === undefined ? "" : vm.toText(line));
      return undefined;
    });
    const prelude = vm.run(engine.prelude, engine.outside);
    this.keep(vm.call(prelude, emit));
    vm.free(prelude);
    vm.free(emit);
    // Before the script, which could put something else in place of arrays.
    const given = this.keep(vm.run("new Float64Array(64)", engine.outside));
    const buffer = this.keep(this.property(given, "buffer"));
    this.given = vm.bytesOf(buffer);
    vm.budget = this.polls;
    vm.free(vm.run(script.text, script.file));
    const bridge = vm.run(script.bridge, engine.outside);
    const parts = vm.call(bridge, given);
    vm.free(bridge);
    if (!vm.isObject(parts)) {
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
    // On the host these functions have no names.
    const unname = vm.run("(f) => { Object.defineProperty(f, 'name', { value: '' }); }", this.engine.outside);
    const add = (name: string, arity: number, f: (values: Value[]) => number) => {
      const value = vm.function(arity, (_, values) => vm.number(f(values)));
      vm.free(vm.call(unname, value));
      vm.set(math, name, value);
      vm.free(value);
    };
    rules.mathOnes().forEach((name, i) => add(name, 1, (v) => rules.mathOne(i, of(v, 0))));
    rules.mathTwos().forEach((name, i) => add(name, 2, (v) => rules.mathTwo(i, of(v, 0), of(v, 1))));
    add("hypot", 0, (values) => values.reduce((length, _, i) => rules.mathLonger(length, of(values, i)), 0));
    add("random", 0, () => host.random());
    vm.free(unname);
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
    const speed = vm.isNumber(value) ? vm.toNumber(value) : NaN;
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
    try {
      if (vm.kind(value) === "error") {
        const word = (name: string) => {
          const found = this.property(value, name);
          const text = vm.kind(found) === "string" ? vm.toText(found) : undefined;
          vm.free(found);
          return text;
        };
        const [message, stack, name] = [word("message"), word("stack"), word("name")];
        this.end(Ending.error, message ?? "", stack ?? "", ...(name === undefined ? [] : [name]));
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
    const isShared = this.held?.isShared ?? false;
    const stack = isDeep(thrown) ? this.where() : "";
    this.isBroken = true;
    // It was stopped in the middle of something; nothing it holds can be trusted any more.
    if (this.held) this.held.machine.isBroken = true;
    if (isDeep(thrown)) this.end(Ending.error, DEEP.message, stack, DEEP.name);
    else this.end(Ending.engine, `the engine for scripts failed: ${String(thrown)}`);
    if (isShared) this.engine.broken(`the engine for scripts failed: ${String(thrown)}`);
  }

  /**
   * The stack of the script when the browser's own came to its end: what the script held is still
   * where it was, and there is room again.
   */
  private where(): string {
    if (!this.held || this.whereabouts === null) return "";
    try {
      return this.held.toText(this.held.call(this.whereabouts));
    } catch {
      return "";
    }
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
    const kind = this.vm.kind(value);
    if (kind === "error") return ["object", ""];
    return [kind, kind === "number" || kind === "string" ? this.vm.toText(value) : ""];
  }

  private aside(f: Value | null, use: (value: Value) => void): void {
    if (f === null || this.isLost) return;
    this.vm.turn();
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

/** The browser's own stack came to its end before the script's bound. */
function isDeep(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return thrown instanceof RangeError || thrown.message.includes("recursion");
}
