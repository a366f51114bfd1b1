import type { ParseArgsConfig } from 'node:util'
import type { Config } from '../config.ts'

/** What a command gets from the process: nothing else of it is touched. */
export interface CommandInput {
  readonly config: Config
  /** Value of a string option. */
  readonly text: (option: string) => string | undefined
  readonly flag: (option: string) => boolean
  readonly positionals: readonly string[]
  /** Writes a line to standard output, which carries the command's result and nothing else. */
  readonly out: (line: string) => void
  /** Writes a line to standard error: progress, log, explanations. */
  readonly err: (line: string) => void
  /** Asks without showing what is typed; null when nobody sits at a terminal. */
  readonly askSecret: (question: string) => Promise<string | null>
  /** Calls the handler whenever the process is asked to stop. */
  readonly onStop: (handler: (signal: string) => void) => void
}

export interface Command {
  readonly summary: string
  readonly usage: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** How many words it takes besides its options; 0 when absent. */
  readonly positionals?: number
  /**
   * @returns the exit code; `serve` returns when it listens, the others when they are done
   */
  readonly run: (input: CommandInput) => Promise<number>
}

/** Options of every command. */
export const COMMON_OPTIONS = {
  'data-dir': { type: 'string' },
} as const satisfies NonNullable<ParseArgsConfig['options']>
