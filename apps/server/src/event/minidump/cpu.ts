import type { DumpBytes } from './dump-bytes.ts'

/** Where the registers of a processor stand in the context that a dump keeps of a thread. */
interface Layout {
  readonly word: 4 | 8
  /** Name and offset. */
  readonly registers: readonly (readonly [name: string, at: number])[]
  readonly instruction: string
  readonly stack: string
  readonly frame: string
  /** Where the address of the caller is kept until it is put on the stack. */
  readonly link?: string
}

export interface Registers {
  readonly word: 4 | 8
  /** In the order of the processor's own manual. */
  readonly all: ReadonlyMap<string, bigint>
  readonly instruction: bigint
  readonly stack: bigint
  readonly frame: bigint
  readonly link: bigint | null
}

const row = (names: readonly string[], first: number, step: number): [string, number][] =>
  names.map((name, index) => [name, first + index * step])

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

const X86: Layout = {
  word: 4,
  registers: [
    ...row(['edi', 'esi', 'ebx', 'edx', 'ecx', 'eax', 'ebp', 'eip'], 156, 4),
    ...row(['eflags', 'esp'], 192, 4),
  ],
  instruction: 'eip',
  stack: 'esp',
  frame: 'ebp',
}

const AMD64: Layout = {
  word: 8,
  registers: row(
    ['rax', 'rcx', 'rdx', 'rbx', 'rsp', 'rbp', 'rsi', 'rdi', ...numbered('r', 16).slice(8), 'rip'],
    120,
    8,
  ),
  instruction: 'rip',
  stack: 'rsp',
  frame: 'rbp',
}

const ARM: Layout = {
  word: 4,
  registers: row([...numbered('r', 13), 'sp', 'lr', 'pc', 'cpsr'], 4, 4),
  instruction: 'pc',
  stack: 'sp',
  frame: 'r11',
  link: 'lr',
}

const ARM64: Layout = {
  word: 8,
  registers: row([...numbered('x', 29), 'fp', 'lr', 'sp', 'pc'], 8, 8),
  instruction: 'pc',
  stack: 'sp',
  frame: 'fp',
  link: 'lr',
}

/** By the number of the processor in the dump. */
const PROCESSORS: ReadonlyMap<number, { readonly name: string; readonly layout: Layout }> = new Map([
  [0, { name: 'x86', layout: X86 }],
  [5, { name: 'arm', layout: ARM }],
  [9, { name: 'x86_64', layout: AMD64 }],
  [12, { name: 'arm64', layout: ARM64 }],
  // What Breakpad wrote before the processor had a number of its own.
  [0x8003, { name: 'arm64', layout: ARM64 }],
])

/** Null for processors of which only the number is known. */
export const processorName = (processor: number): string | null => PROCESSORS.get(processor)?.name ?? null

/** Null when the processor is not known. Throws `MinidumpFault` when the context is too short. */
export const readRegisters = (processor: number, context: DumpBytes): Registers | null => {
  const layout = PROCESSORS.get(processor)?.layout
  if (layout === undefined) return null
  const { word, registers, instruction, stack, frame, link } = layout
  const all = new Map(registers.map(([name, at]) => [name, context.word(at, word)]))
  const of = (name: string): bigint => all.get(name) ?? 0n
  return {
    word,
    all,
    instruction: of(instruction),
    stack: of(stack),
    frame: of(frame),
    link: link === undefined ? null : of(link),
  }
}
