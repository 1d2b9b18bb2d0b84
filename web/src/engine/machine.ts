// QuickJS as a WebAssembly module of its own: loading it, and the calls of it that we use.
//
// The package's own class can only be made asynchronously and the laboratory starts scripts at once,
// so the module's exports are called here directly. It gets neither clock nor entropy.
import address from "quickjs-wasi/quickjs.wasm?url";

/** A value on the heap of the machine; freed by whoever was given it. */
export type Value = number & { is: "value" };

/** Exports of the module, named as it names them. */
interface Calls {
  memory: WebAssembly.Memory;
  _initialize(): void;
  wasm_malloc(bytes: number): number;
  wasm_free(pointer: number): void;
  JS_HasException(context: number): number;
  qjs_init2(intrinsics: number): number;
  qjs_destroy(): void;
  qjs_get_runtime_ptr(): number;
  qjs_get_context_ptr(): number;
  qjs_set_runtime_and_context(runtime: number, context: number): void;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_set_interrupt_handler(isOn: number): void;
  qjs_eval(code: number, length: number, file: number, flags: number): Value;
  qjs_call(f: Value, self: Value, count: number, values: number): Value;
  qjs_get_exception(): Value;
  qjs_dup_value(value: Value): Value;
  qjs_free_value(value: Value): void;
  qjs_free_cstring(text: number): void;
  qjs_get_undefined(): Value;
  qjs_get_global(): Value;
  qjs_get_float64(value: Value): number;
  qjs_get_string_len(value: Value, length: number): number;
  qjs_get_prop_value(of: Value, name: Value): Value;
  qjs_set_prop_value(of: Value, name: Value, value: Value): number;
  qjs_new_number(x: number): Value;
  qjs_new_string(text: number, length: number): Value;
  qjs_new_host_function(name: number, length: number, arity: number): Value;
  qjs_get_array_buffer(value: Value, length: number): number;
  qjs_is_exception(value: Value): number;
  qjs_is_undefined(value: Value): number;
  qjs_is_null(value: Value): number;
  qjs_is_bool(value: Value): number;
  qjs_is_number(value: Value): number;
  qjs_is_string(value: Value): number;
  qjs_is_symbol(value: Value): number;
  qjs_is_big_int(value: Value): number;
  qjs_is_object(value: Value): number;
  qjs_is_function(value: Value): number;
  qjs_is_array(value: Value): number;
  qjs_is_error(value: Value): number;
}

/** A call out of a script: values in, a value or nothing out. */
export type Outward = (vm: Vm, values: Value[]) => Value | undefined;

/** Eval, expressions, JSON, maps and sets, typed arrays: those of the host. */
const INTRINSICS = 2 | 4 | 8 | 32 | 64;

/** Most machines at once: a browser has room for about 120 memories, those not yet freed included. */
const MACHINES_MAX = 48;

/** What a system call answers that is not there; the C library would try again after success. */
const NOT_THERE = 8;

/** Names of outward functions within the machine are one printable character, from this one on. */
const NAME_FIRST = 33;

/** Something a script threw; whoever has it frees it. */
export class ThrownValue {
  constructor(readonly value: Value) {}
}

const encoder = new TextEncoder();
// Half a surrogate pair comes out as the mark of a wrong character, as on the host.
const decoder = new TextDecoder();

/** The compiled module, and the machines made of it. */
export class Machines {
  private readonly machines = new Set<Machine>();

  private constructor(private readonly module: WebAssembly.Module) {}

  static async load(): Promise<Machines> {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return Machines.of(await answer.arrayBuffer());
  }

  static async of(bytes: BufferSource): Promise<Machines> {
    return new Machines(await WebAssembly.compile(bytes));
  }

  /** A script's memory: in a machine of its own while there is room, else in the emptiest one. */
  start(bounds: { memory: number; stack: number }): Vm {
    for (const machine of this.machines) {
      if (machine.isBroken || machine.guests === 0) this.machines.delete(machine);
    }
    return new Vm(this.machine(), bounds);
  }

  private machine(): Machine {
    const emptiest = [...this.machines].sort((a, b) => a.guests - b.guests)[0];
    if (emptiest && this.machines.size >= MACHINES_MAX) return emptiest;
    try {
      const machine = new Machine(this.module);
      this.machines.add(machine);
      return machine;
    } catch (error) {
      if (!emptiest) throw error;
      return emptiest;
    }
  }
}

/** One instance of the module. */
export class Machine {
  readonly calls: Calls;
  guests = 0;
  isBroken = false;
  /** Whose turn it is. */
  current: Vm | null = null;
  private view = { bytes: new Uint8Array(), words: new Uint32Array(), reals: new Float64Array() };

  constructor(module: WebAssembly.Module) {
    const absent = () => NOT_THERE;
    const instance = new WebAssembly.Instance(module, {
      env: {
        host_call: (name: number, _length: number, _self: number, count: number, values: number) =>
          this.current?.outward(name, count, values) ?? 0,
        host_interrupt: () => (this.current?.poll() ? 1 : 0),
        host_promise_rejection: () => undefined,
        host_module_normalize: () => 0,
        host_module_load: () => 0,
        host_get_timezone_offset: () => 0,
      },
      wasi_snapshot_preview1: {
        clock_time_get: (_clock: number, _precision: bigint, pointer: number) => this.zero(pointer, 8),
        random_get: (pointer: number, bytes: number) => this.zero(pointer, bytes),
        fd_close: absent,
        fd_fdstat_get: absent,
        fd_seek: absent,
        fd_write: absent,
      },
    });
    this.calls = instance.exports as unknown as Calls;
    this.calls._initialize();
  }

  /** Its memory, which is another buffer after it has grown. */
  get memory(): { bytes: Uint8Array; words: Uint32Array; reals: Float64Array } {
    if (this.view.bytes.length === 0) {
      const { buffer } = this.calls.memory;
      this.view = { bytes: new Uint8Array(buffer), words: new Uint32Array(buffer), reals: new Float64Array(buffer) };
    }
    return this.view;
  }

  private zero(pointer: number, bytes: number): number {
    this.memory.bytes.fill(0, pointer, pointer + bytes);
    return 0;
  }
}

/** One script's memory: a runtime with one context. */
export class Vm {
  /** Polls left until the script is stopped. */
  budget = 0;
  private readonly runtime: number;
  private readonly context: number;
  private readonly c: Calls;
  private readonly outwards: Outward[] = [];
  private readonly nothing: Value;

  constructor(readonly machine: Machine, bounds: { memory: number; stack: number }) {
    this.c = machine.calls;
    this.c.qjs_set_runtime_and_context(0, 0);
    machine.current = this;
    if (this.c.qjs_init2(INTRINSICS) !== 0) {
      machine.current = null;
      throw new Error("there is no memory for a script");
    }
    machine.guests += 1;
    this.runtime = this.c.qjs_get_runtime_ptr();
    this.context = this.c.qjs_get_context_ptr();
    this.c.qjs_set_memory_limit(bounds.memory);
    this.c.qjs_set_max_stack_size(bounds.stack);
    this.c.qjs_set_interrupt_handler(1);
    this.nothing = this.c.qjs_get_undefined();
  }

  /** Others share the machine. */
  get isShared(): boolean {
    return this.machine.guests > 1;
  }

  /** Begins a turn; what follows is about this script. */
  turn(): void {
    if (this.machine.current === this) return;
    this.c.qjs_set_runtime_and_context(this.runtime, this.context);
    this.machine.current = this;
  }

  free(value: Value): void {
    this.c.qjs_free_value(value);
  }

  /** Ends it. The memory of a machine that holds nothing else goes as a whole. */
  close(): void {
    this.machine.guests -= 1;
    if (this.machine.guests === 0) return;
    this.turn();
    this.free(this.nothing);
    this.c.qjs_destroy();
    this.machine.current = null;
  }

  /** One poll; true when the script has to stop. */
  poll(): boolean {
    this.budget -= 1;
    return this.budget < 0;
  }

  /** A call from the script; 0 when something was thrown. */
  outward(name: number, count: number, values: number): Value | 0 {
    const { bytes, words } = this.machine.memory;
    const index = (bytes[name] ?? 0) - NAME_FIRST;
    const given: Value[] = [];
    for (let i = 0; i < count; i++) given.push((words[(values >> 2) + i] ?? 0) as Value);
    const made = this.outwards[index]?.(this, given) ?? this.c.qjs_get_undefined();
    // Making a number or a text of a value may throw.
    if (!this.c.JS_HasException(this.context)) return made;
    this.free(made);
    return 0;
  }

  function(arity: number, run: Outward): Value {
    const name = String.fromCharCode(NAME_FIRST + this.outwards.push(run) - 1);
    return this.lent(name, (pointer, length) => this.c.qjs_new_host_function(pointer, length, arity));
  }

  number(x: number): Value {
    return this.c.qjs_new_number(x);
  }

  /** A value as a number, as the language makes one of it. */
  toNumber(value: Value): number {
    return this.c.qjs_get_float64(value);
  }

  text(text: string): Value {
    return this.lent(text, (pointer, length) => this.c.qjs_new_string(pointer, length));
  }

  toText(value: Value): string {
    const place = this.allocated(4);
    const pointer = this.c.qjs_get_string_len(value, place);
    const { bytes, words } = this.machine.memory;
    const length = words[place >> 2] ?? 0;
    this.c.wasm_free(place);
    if (!pointer) return "";
    const text = decoder.decode(bytes.subarray(pointer, pointer + length));
    this.c.qjs_free_cstring(pointer);
    return text;
  }

  /** Its type: as `typeof` has it, with `null`, arrays and errors told apart from objects. */
  kind(value: Value): string {
    const { c } = this;
    if (c.qjs_is_number(value)) return "number";
    if (c.qjs_is_object(value)) {
      if (c.qjs_is_error(value)) return "error";
      if (c.qjs_is_array(value)) return "array";
      return c.qjs_is_function(value) ? "function" : "object";
    }
    if (c.qjs_is_string(value)) return "string";
    if (c.qjs_is_undefined(value)) return "undefined";
    if (c.qjs_is_null(value)) return "null";
    if (c.qjs_is_bool(value)) return "boolean";
    return c.qjs_is_symbol(value) ? "symbol" : "bigint";
  }

  isNumber(value: Value): boolean {
    return this.c.qjs_is_number(value) !== 0;
  }

  isObject(value: Value): boolean {
    return this.c.qjs_is_object(value) !== 0;
  }

  get global(): Value {
    return this.c.qjs_get_global();
  }

  /** A property; throws a `ThrownValue` when a getter threw. */
  get(of: Value, name: Value): Value {
    return this.checked(this.c.qjs_get_prop_value(of, name));
  }

  set(of: Value, name: string, value: Value): void {
    const key = this.text(name);
    this.c.qjs_set_prop_value(of, key, value);
    this.free(key);
  }

  /** Runs code; throws a `ThrownValue` when it threw. */
  run(code: string, file: string): Value {
    const value = this.lent(file, (name) =>
      this.lent(code, (pointer, length) => this.c.qjs_eval(pointer, length, name, 0)));
    return this.checked(value);
  }

  /** Calls a function; throws a `ThrownValue` when it threw. */
  call(f: Value, ...values: Value[]): Value {
    if (values.length === 0) return this.checked(this.c.qjs_call(f, this.nothing, 0, 0));
    const list = this.allocated(4 * values.length);
    this.machine.memory.words.set(values, list >> 2);
    const value = this.c.qjs_call(f, this.nothing, values.length, list);
    this.c.wasm_free(list);
    return this.checked(value);
  }

  /** Where the bytes of a buffer of the script's lie; they stay there. */
  bytesOf(buffer: Value): number {
    const length = this.allocated(4);
    const pointer = this.c.qjs_get_array_buffer(buffer, length);
    this.c.wasm_free(length);
    return pointer;
  }

  write(pointer: number, values: Float64Array): void {
    this.machine.memory.reals.set(values, pointer >> 3);
  }

  private allocated(bytes: number): number {
    const pointer = this.c.wasm_malloc(bytes);
    if (!pointer) throw new Error("the machine has no memory left");
    return pointer;
  }

  /** Uses a text within the machine's memory: where it lies and its length there. */
  private lent(text: string, use: (pointer: number, length: number) => Value): Value {
    const bytes = encoder.encode(text);
    const pointer = this.allocated(bytes.length + 1);
    const memory = this.machine.memory.bytes;
    memory.set(bytes, pointer);
    memory[pointer + bytes.length] = 0;
    const value = use(pointer, bytes.length);
    this.c.wasm_free(pointer);
    return value;
  }

  private checked(value: Value): Value {
    if (!this.c.qjs_is_exception(value)) return value;
    this.free(value);
    throw new ThrownValue(this.c.qjs_get_exception());
  }
}
