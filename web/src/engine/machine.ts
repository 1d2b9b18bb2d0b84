// QuickJS as a module of its own: loading it, and the calls of it that we use.
import variant from "@jitl/quickjs-ng-wasmfile-release-sync";

type Runtime = number & { is: "runtime" };
type Context = number & { is: "context" };
/** A value on the heap of the machine; freed by whoever was given it. */
export type Value = number & { is: "value" };

/** Calls into the machine, named as it names them. */
interface Calls {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  UTF8ToString(pointer: number): string;
  stringToUTF8(text: string, pointer: number, bytes: number): void;
  lengthBytesUTF8(text: string): number;
  callbacks: unknown;
  _QTS_NewRuntime(): Runtime;
  _QTS_FreeRuntime(runtime: Runtime): void;
  _QTS_RuntimeSetMemoryLimit(runtime: Runtime, bytes: number): void;
  _QTS_RuntimeSetMaxStackSize(runtime: Runtime, bytes: number): void;
  _QTS_RuntimeEnableInterruptHandler(runtime: Runtime): void;
  _QTS_NewContext(runtime: Runtime, intrinsics: number): Context;
  _QTS_FreeContext(context: Context): void;
  _QTS_FreeValuePointer(context: Context, value: Value): void;
  _QTS_FreeCString(context: Context, text: number): void;
  _QTS_GetUndefined(): Value;
  _QTS_GetNull(): Value;
  _QTS_IsEqual(context: Context, a: Value, b: Value, how: number): number;
  _QTS_NewFloat64(context: Context, x: number): Value;
  _QTS_GetFloat64(context: Context, value: Value): number;
  _QTS_NewString(context: Context, text: number): Value;
  _QTS_GetString(context: Context, value: Value): number;
  _QTS_NewArrayBuffer(context: Context, pointer: number, bytes: number): Value;
  _QTS_GetArrayBuffer(context: Context, value: Value): number;
  _QTS_GetProp(context: Context, of: Value, name: Value): Value;
  _QTS_SetProp(context: Context, of: Value, name: Value, value: Value): void;
  _QTS_GetGlobalObject(context: Context): Value;
  _QTS_Call(context: Context, f: Value, self: Value, count: number, values: number): Value;
  _QTS_ResolveException(context: Context, value: Value): Value;
  _QTS_Typeof(context: Context, value: Value): number;
  _QTS_ArgvGetJSValueConstPointer(values: number, index: number): Value;
}

/** A call out of a script: values in, a value of the same context or nothing out. */
export type Outward = (vm: Vm, values: Value[]) => Value | 0;

/** Base objects, eval, expressions, JSON, maps and sets, typed arrays: those of the host. */
const INTRINSICS = 1 | 4 | 16 | 32 | 64 | 256 | 512;

/** Something a script threw; whoever has it frees it. */
export class ThrownValue {
  constructor(readonly value: Value) {}
}

/** The machine. */
export class Machine {
  readonly live = new Map<number, Vm>();
  readonly byRuntime = new Map<number, Vm>();

  private constructor(
    readonly calls: Calls,
    readonly evaluate: (context: number, code: number, length: number, file: string, module: number, flags: number) => Value,
    readonly newFunction: (context: number, name: string, arity: number, isNew: boolean, id: number) => Value,
  ) {
    calls.callbacks = {
      callFunction: (_: unknown, context: number, _self: number, count: number, values: number, id: number) =>
        this.live.get(context)?.outward(id, count, values) ?? 0,
      shouldInterrupt: (_: unknown, runtime: number) => (this.byRuntime.get(runtime)?.poll() ? 1 : 0),
      freeHostRef: () => undefined,
      loadModuleSource: () => 0,
      normalizeModule: () => 0,
    };
  }

  static async load(settings?: { wasmBinary?: ArrayBuffer }): Promise<Machine> {
    const [start, Ffi] = await Promise.all([variant.importModuleLoader(), variant.importFFI()]);
    const emscripten = await (start as unknown as (s?: object) => Promise<unknown>)(settings);
    const ffi = new Ffi(emscripten as never) as unknown as {
      QTS_Eval: Machine["evaluate"];
      QTS_NewFunction: Machine["newFunction"];
    };
    return new Machine(emscripten as Calls, ffi.QTS_Eval, ffi.QTS_NewFunction);
  }
}

/** One machine of a script: a runtime with one context. */
export class Vm {
  /** Polls left until the script is stopped. */
  budget = 0;
  readonly context: Context;
  private readonly runtime: Runtime;
  private readonly c: Calls;
  private readonly outwards: Outward[] = [];
  private readonly nothing: Value;

  constructor(readonly machine: Machine, bounds: { memory: number; stack: number }) {
    this.c = machine.calls;
    this.runtime = this.c._QTS_NewRuntime();
    this.c._QTS_RuntimeSetMemoryLimit(this.runtime, bounds.memory);
    this.c._QTS_RuntimeSetMaxStackSize(this.runtime, bounds.stack);
    this.c._QTS_RuntimeEnableInterruptHandler(this.runtime);
    machine.byRuntime.set(this.runtime, this);
    this.context = this.c._QTS_NewContext(this.runtime, INTRINSICS);
    machine.live.set(this.context, this);
    this.nothing = this.c._QTS_GetUndefined();
  }

  free(value: Value): void {
    this.c._QTS_FreeValuePointer(this.context, value);
  }

  close(): void {
    this.c._QTS_FreeContext(this.context);
    this.c._QTS_FreeRuntime(this.runtime);
    this.machine.live.delete(this.context);
    this.machine.byRuntime.delete(this.runtime);
  }

  /** One poll; true when the script has to stop. */
  poll(): boolean {
    this.budget -= 1;
    return this.budget < 0;
  }

  outward(id: number, count: number, values: number): Value | 0 {
    const given: Value[] = [];
    for (let i = 0; i < count; i++) given.push(this.c._QTS_ArgvGetJSValueConstPointer(values, i));
    return this.outwards[id - 1]?.(this, given) ?? 0;
  }

  function(name: string, arity: number, run: Outward): Value {
    // Number 0 means none to the machine.
    const id = this.outwards.push(run);
    return this.machine.newFunction(this.context, name, arity, false, id);
  }

  number(x: number): Value {
    return this.c._QTS_NewFloat64(this.context, x);
  }

  /** A value as a number, as the language makes one of it. */
  toNumber(value: Value): number {
    return this.c._QTS_GetFloat64(this.context, value);
  }

  text(text: string): Value {
    const bytes = this.c.lengthBytesUTF8(text) + 1;
    const pointer = this.c._malloc(bytes);
    this.c.stringToUTF8(text, pointer, bytes);
    const value = this.c._QTS_NewString(this.context, pointer);
    this.c._free(pointer);
    return value;
  }

  toText(value: Value): string {
    const pointer = this.c._QTS_GetString(this.context, value);
    if (!pointer) return "";
    const text = this.c.UTF8ToString(pointer);
    this.c._QTS_FreeCString(this.context, pointer);
    return text;
  }

  kind(value: Value): string {
    const pointer = this.c._QTS_Typeof(this.context, value);
    const kind = this.c.UTF8ToString(pointer);
    this.c._free(pointer);
    return kind;
  }

  // Asked without a call, which would count as work of the script.
  isNull(value: Value): boolean {
    return this.c._QTS_IsEqual(this.context, value, this.c._QTS_GetNull(), 0) === 1;
  }

  get global(): Value {
    return this.c._QTS_GetGlobalObject(this.context);
  }

  /** A property; throws a `ThrownValue` when a getter threw. */
  get(of: Value, name: Value): Value {
    return this.checked(this.c._QTS_GetProp(this.context, of, name));
  }

  set(of: Value, name: string, value: Value): void {
    const key = this.text(name);
    this.c._QTS_SetProp(this.context, of, key, value);
    this.free(key);
  }

  /** Runs code; throws a `ThrownValue` when it threw. */
  run(code: string, file: string): Value {
    const length = this.c.lengthBytesUTF8(code);
    const pointer = this.c._malloc(length + 1);
    this.c.stringToUTF8(code, pointer, length + 1);
    const value = this.machine.evaluate(this.context, pointer, length, file, 0, 0);
    this.c._free(pointer);
    return this.checked(value);
  }

  /** Calls a function; throws a `ThrownValue` when it threw. */
  call(f: Value, ...values: Value[]): Value {
    const list = values.length ? this.c._malloc(4 * values.length) : 0;
    if (list) new Uint32Array(this.c.HEAPU8.buffer, list, values.length).set(values);
    const value = this.c._QTS_Call(this.context, f, this.nothing, values.length, list);
    if (list) this.c._free(list);
    return this.checked(value);
  }

  /** A buffer of the script's own; its bytes stay where they are. */
  buffer(bytes: number): { value: Value; pointer: number } {
    const pointer = this.c._malloc(bytes);
    this.c.HEAPU8.fill(0, pointer, pointer + bytes);
    // From here on the machine owns the bytes.
    return { value: this.c._QTS_NewArrayBuffer(this.context, pointer, bytes), pointer };
  }

  write(pointer: number, values: Float64Array): void {
    new Float64Array(this.c.HEAPU8.buffer, pointer, values.length).set(values);
  }

  private checked(value: Value): Value {
    const thrown = this.c._QTS_ResolveException(this.context, value);
    if (!thrown) return value;
    this.free(value);
    throw new ThrownValue(thrown);
  }
}
