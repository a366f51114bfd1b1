import type { DumpBytes } from './dump-bytes.ts'
import type { Registers } from './cpu.ts'

/** What a dump says of a program that crashed. Absent parts were not in it, or could not be read. */
export interface Minidump {
  /** Seconds since the epoch; 0 when it does not say. */
  readonly timestamp: number
  readonly system: DumpSystem | null
  readonly crash: DumpCrash | null
  /** The crashed thread is among them whatever their number; null when none crashed. */
  readonly threads: readonly DumpThread[]
  /** The thread that crashed, or that asked for the dump. */
  readonly subject: number | null
  readonly modules: readonly DumpModule[]
}

export type DumpPlatform = 'windows' | 'macos' | 'ios' | 'linux' | 'android' | 'other'

export interface DumpSystem {
  readonly platform: DumpPlatform
  /** `x86_64`; null when the processor is not known. */
  readonly processor: string | null
  readonly version: string
  /** Of the operating system, or what its maker adds to the version. */
  readonly build: string
}

/** As the operating system told it. What the numbers mean depends on the platform. */
export interface DumpCrash {
  readonly threadId: number
  readonly code: number
  readonly flags: number
  readonly address: bigint
  readonly parameters: readonly bigint[]
}

export interface DumpThread {
  readonly id: number
  readonly name: string
  readonly registers: Registers | null
  readonly stack: DumpStack | null
}

/** Memory of a stack: `bytes` from `begin` upwards. */
export interface DumpStack {
  readonly begin: bigint
  readonly bytes: DumpBytes
}

/** A program or library that was loaded. */
export interface DumpModule {
  readonly begin: bigint
  readonly size: number
  /** Path. */
  readonly file: string
  readonly codeId: string | null
  readonly debugId: string | null
  readonly debugFile: string | null
}
