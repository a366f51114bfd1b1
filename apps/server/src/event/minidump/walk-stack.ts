import { LIMITS } from '../limits.ts'
import type { Registers } from './cpu.ts'
import type { DumpModule, DumpStack, DumpThread } from './minidump.ts'

/** Where a thread was, and what called it. */
export interface WalkedFrame {
  readonly address: bigint
  /** Null when the address is in none. */
  readonly module: DumpModule | null
  /** How it was found: the register, a chain of frame pointers, or a search of the stack (the least certain). */
  readonly trust: 'context' | 'fp' | 'scan'
}

/** The module that holds an address. `modules` are in the order of their addresses. */
export const moduleAt = (modules: readonly DumpModule[], address: bigint): DumpModule | null => {
  let low = 0
  let high = modules.length
  while (low < high) {
    const middle = (low + high) >> 1
    const module = modules[middle]
    if (module !== undefined && module.begin <= address) low = middle + 1
    else high = middle
  }
  const found = modules[low - 1]
  return found !== undefined && address < found.begin + BigInt(found.size) ? found : null
}

/** Words that are looked through for the first caller, and for each other one. */
const FIRST_SEARCH = 160
const SEARCH = 40

/**
 * The frames of a thread, the innermost first. Nobody has the program's symbols here: a caller is what a chain of frame
 * pointers leads to, else the next word of the stack that points into a program or library.
 */
export const walkStack = (
  { registers, stack }: Pick<DumpThread, 'registers' | 'stack'>,
  modules: readonly DumpModule[],
): WalkedFrame[] => {
  if (registers === null) return []
  const here = moduleAt(modules, registers.instruction)
  const frames: WalkedFrame[] = [{ address: registers.instruction, module: here, trust: 'context' }]
  // What jumped to nowhere left its own place in the link register, where there is one.
  const link = registers.link === null || here !== null ? null : moduleAt(modules, registers.link)
  if (registers.link !== null && link !== null) frames.push({ address: registers.link, module: link, trust: 'context' })
  if (stack === null) return frames
  const walk = new Walk(registers, stack, modules)
  while (frames.length < LIMITS.MINIDUMP_FRAMES) {
    const caller = walk.byFramePointer() ?? walk.bySearch(frames.length === 1 ? FIRST_SEARCH : SEARCH)
    if (caller === null) break
    frames.push(caller)
  }
  return frames
}

class Walk {
  private readonly word: 4 | 8
  private readonly stack: DumpStack
  private readonly modules: readonly DumpModule[]
  /** Offset into the stack's memory behind which the next caller is; always grows. */
  private at: number
  private frame: bigint

  constructor(registers: Registers, stack: DumpStack, modules: readonly DumpModule[]) {
    this.word = registers.word
    this.stack = stack
    this.modules = modules
    this.at = this.offsetOf(registers.stack) ?? stack.bytes.length
    this.frame = registers.frame
  }

  byFramePointer(): WalkedFrame | null {
    const at = this.offsetOf(this.frame)
    if (at === null || at < this.at || at % this.word !== 0) return null
    const saved = this.read(at)
    const address = this.read(at + this.word)
    if (saved === null || address === null || saved <= this.frame) return null
    const module = moduleAt(this.modules, address)
    if (module === null) return null
    this.at = at + 2 * this.word
    this.frame = saved
    return { address, module, trust: 'fp' }
  }

  bySearch(words: number): WalkedFrame | null {
    for (let step = 0; step < words; step++) {
      const address = this.read(this.at)
      if (address === null) return null
      this.at += this.word
      const module = moduleAt(this.modules, address)
      if (module !== null) return { address, module, trust: 'scan' }
    }
    return null
  }

  private offsetOf(address: bigint): number | null {
    const offset = address - this.stack.begin
    return offset < 0n || offset >= BigInt(this.stack.bytes.length) ? null : Number(offset)
  }

  private read(at: number): bigint | null {
    return this.stack.bytes.has(at, this.word) ? this.stack.bytes.word(at, this.word) : null
  }
}
