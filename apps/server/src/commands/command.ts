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
  /** Of the process; undefined when it is not set. */
  readonly environment: (variable: string) => string | undefined
  /** Everything that comes on standard input. */
  readonly readInput: () => Promise<string>
  /** Asks without showing what is typed; null when nobody sits at a terminal. */
  readonly askSecret: (question: string) => Promise<string | null>
  /** `stop` is called when the process is asked to end. It is ended by force when that takes longer than `STOP_LONGEST_MS`. */
  readonly onStop: (stop: (signal: string) => Promise<void>) => void
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

/** Said by a command that needs a ledger and finds none. */
export const nothingIn = (dataDir: string): string =>
  `firsthand: there is nothing in ${dataDir} yet. Start the server first, or name its folder with --data-dir.`

/** Options of every command. */
export const COMMON_OPTIONS = {
  'data-dir': { type: 'string' },
} as const satisfies NonNullable<ParseArgsConfig['options']>
